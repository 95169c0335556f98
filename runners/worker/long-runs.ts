import { checkTypeOf } from '../../domain/check/types/index.ts';
import { timeLimitOf, type RunDefinition } from '../../domain/check/run.ts';

/**
 * The longest timeout of ordinary checks, milliseconds: a run that may take longer is a long one, unless its type has
 * its own concurrency limit.
 */
const ORDINARY_MS = 30_000;

/** At most one in this many slots of a worker may be used by a long run. */
const ONE_IN = 4;

/** Limits the long runs of a worker, so that they leave most of its slots to others. */
export const createLongRuns = (concurrency: number) => {
  const most = Math.max(1, Math.floor(concurrency / ONE_IN));
  let underWay = 0;

  return {
    /**
     * @returns a function to call when the run has ended; null: it must wait, because too many long runs are in
     * progress
     */
    begin: (definition: RunDefinition): (() => void) | null => {
      if (checkTypeOf(definition.type).ownQueue || timeLimitOf(definition) <= ORDINARY_MS) return () => undefined;
      if (underWay >= most) return null;
      underWay += 1;
      return () => {
        underWay -= 1;
      };
    },
  };
};
