import { checkTypeOf } from '../../domain/check/types/index.ts';
import { timeLimitOf, type RunDefinition } from '../../domain/check/run.ts';

/**
 * Maximum timeout of ordinary runs, in milliseconds. A run with a longer timeout is a long run, unless its type has a
 * concurrency limit of its own.
 */
const ORDINARY_MS = 30_000;

/** A quarter of a worker's slots, but at least one, may be used by long runs. */
const ONE_IN = 4;

/** Limits the long runs of a worker, so that most of its slots remain free for other runs. */
export const createLongRuns = (concurrency: number) => {
  const most = Math.max(1, Math.floor(concurrency / ONE_IN));
  let underWay = 0;

  return {
    /**
     * Reserves a slot for a run.
     *
     * @returns a function that must be called when the run has ended; null if the run must wait, because too many long
     * runs are in progress
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
