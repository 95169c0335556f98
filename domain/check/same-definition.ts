import type { RunDefinition } from './run.ts';
import { canonicalJson } from '../canonical-json.ts';

/** Whether two definitions are equal. If so, a result of one definition is valid for the other definition. */
export const sameDefinition = (check: RunDefinition, definition: RunDefinition): boolean => {
  const ofRun = ({ type, url, host, port, timeout, parameters }: RunDefinition): string =>
    canonicalJson({ type, url, host, port, timeout, parameters });
  return ofRun(check) === ofRun(definition);
};
