import type { RunDefinition } from '../../domain/check/run.ts';
import { canonicalJson } from '../../projections/engine/fold/canonical.ts';

/** Whether a run of the one tells something about the other. */
export const sameDefinition = (check: RunDefinition, definition: RunDefinition): boolean => {
  const ofRun = ({ type, url, host, port, timeout, parameters }: RunDefinition): string =>
    canonicalJson({ type, url, host, port, timeout, parameters });
  return ofRun(check) === ofRun(definition);
};
