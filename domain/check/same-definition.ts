import type { RunDefinition } from './run.ts';
import { canonicalJson } from '../canonical-json.ts';

/** Whether two definitions are equal. If they are, the result of a run of one is valid for the other. */
export const sameDefinition = (check: RunDefinition, definition: RunDefinition): boolean => {
  const ofRun = ({ type, url, host, port, timeout, parameters }: RunDefinition): string =>
    canonicalJson({ type, url, host, port, timeout, parameters });
  return ofRun(check) === ofRun(definition);
};
