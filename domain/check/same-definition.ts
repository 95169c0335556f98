import type { RunDefinition } from './run.ts';
import { canonicalJson } from '../canonical-json.ts';

/** Whether a run of one definition is valid for the other. */
export const sameDefinition = (check: RunDefinition, definition: RunDefinition): boolean => {
  const ofRun = ({ type, url, host, port, timeout, parameters }: RunDefinition): string =>
    canonicalJson({ type, url, host, port, timeout, parameters });
  return ofRun(check) === ofRun(definition);
};
