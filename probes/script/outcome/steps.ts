import type { TestStep } from '../../../domain/check/types/script.ts';
import type { RecordedStep } from '../record.ts';
import { shownError } from './error-text.ts';
import type { ShowText } from './texts.ts';

/** Maximum length of a test's or step's name, characters. */
export const LONGEST_NAME = 200;
/** Maximum length of a test's error, characters. */
export const LONGEST_ERROR = 4_000;
/** Maximum length of a step's error, characters; its test has it in full. */
const LONGEST_STEP_ERROR = 1_000;

/**
 * Maximum number of steps of a run to consider, and their maximum depth. A record has few more
 * (../reading/recording.ts), and the failed ones among those are shown too.
 */
const MOST_STEPS = 2_000;
const DEEPEST = 8;

/** The error of a step or test that the end of its run cut off. */
export const STEP_UNFINISHED = 'It was under way when the run ended.';

/** Playwright's own steps around a test, shown only if they failed. */
const AROUND: ReadonlySet<string> = new Set(['fixture', 'hook']);

/**
 * Converts the steps of tests for results: those of the script and its hooks, and their calls of Playwright. Leaves out
 * Playwright's own preparations unless they failed.
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
    /** @param most maximum duration of a step without an end, milliseconds */
    of: (recorded: readonly RecordedStep[], most: number): TestStep[] => stepsOf(recorded, most, 1),
    /** whether some were left out */
    areCut: (): boolean => room === 0,
  };
};

/** Rounds to a tenth. */
export const rounded = (milliseconds: number): number => Math.round(milliseconds * 10) / 10;
