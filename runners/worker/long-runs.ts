import { checkTypeOf } from '../../domain/check/types/index.ts';
import { timeLimitOf, type RunDefinition } from '../../domain/check/run.ts';

/**
 * The longest timeout of ordinary checks, milliseconds: a run that may take longer is a long one, unless its type has
 * places of its own.
 */
const ORDINARY_MS = 30_000;

/** One in so many places of a worker may be a long run. */
const ONE_IN = 4;

/** Counts the long runs of a worker, so that they leave most of its places to others. */
export const createLongRuns = (concurrency: number) => {
  const most = Math.max(1, Math.floor(concurrency / ONE_IN));
  let underWay = 0;

  return {
    /** @returns to be called when the run has ended; null: it must wait, since enough long runs are under way */
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
