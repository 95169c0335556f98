import type { TestStep } from '../../../domain/check/types/script.ts';
import type { RecordedStep } from '../record.ts';
import { shownError } from './error-text.ts';
import type { ShowText } from './texts.ts';

/** Maximum length of the name of a test or step, in characters. */
export const LONGEST_NAME = 200;
/** Maximum length of the error of a test, in characters. */
export const LONGEST_ERROR = 4_000;
/** Maximum length of the error of a step, in characters. Errors of tests have a higher limit. */
const LONGEST_STEP_ERROR = 1_000;

/**
 * Maximum number of steps of a run in a result. A record may contain a few additional steps (../reading/recording.ts).
 * Results show an additional step only if it failed.
 */
const MOST_STEPS = 2_000;
/** Maximum depth of steps in a result. */
const DEEPEST = 8;

/** The error of a step or test that was still running when the run ended. */
export const STEP_UNFINISHED = 'It was under way when the run ended.';

/** Categories of steps by which Playwright prepares a test and cleans up. They are shown only if they failed or contain other steps. */
const AROUND: ReadonlySet<string> = new Set(['fixture', 'hook']);

/**
 * Converts the steps of tests for results: steps of the script and its hooks, and calls of Playwright. Omits
 * preparations by Playwright unless they failed.
 */
export const createSteps = (shown: ShowText) => {
  let room = MOST_STEPS;

  const stepsOf = (recorded: readonly RecordedStep[], most: number, depth: number): TestStep[] => {
    const steps: TestStep[] = [];
    let left = most;
    for (const step of depth > DEEPEST ? [] : recorded) {
      const failed = step.error !== null || step.duration === null;
      if (room === 0 && !failed) continue;
      room = Math.max(0, room - 1);
      const took = step.duration ?? left;
      left = Math.max(0, left - took);
      const within = stepsOf(step.steps, took, depth + 1);
      if (AROUND.has(step.category) && !failed && (step.category === 'fixture' || within.length === 0)) continue;
      steps.push({
        name: shown(step.name, LONGEST_NAME),
        status: failed ? 'failed' : 'passed',
        duration: rounded(took),
        error: step.error ? shownError(step.error.message, LONGEST_STEP_ERROR, shown) : failed ? STEP_UNFINISHED : null,
        ...(within.length > 0 && { steps: within }),
      });
    }
    return steps;
  };

  return {
    /** Converts steps. @param most duration of a step whose end was not recorded, in milliseconds */
    of: (recorded: readonly RecordedStep[], most: number): TestStep[] => stepsOf(recorded, most, 1),
    /** Returns whether steps were omitted. */
    areCut: (): boolean => room === 0,
  };
};

/** Rounds to a tenth of a millisecond. */
export const rounded = (milliseconds: number): number => Math.round(milliseconds * 10) / 10;
