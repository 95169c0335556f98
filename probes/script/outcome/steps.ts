import type { TestStep } from '../../../domain/check/types/script.ts';
import type { RecordedStep } from '../record.ts';
import { shownError } from './error-text.ts';
import type { Shown } from './texts.ts';

/** Characters of a test's or step's name. */
export const LONGEST_NAME = 200;
/** Characters of the error of a test. */
export const LONGEST_ERROR = 4_000;
/** Characters of the error of a step, which its test has in full. */
const LONGEST_STEP_ERROR = 1_000;

/**
 * Steps of all tests of a run that are looked at, and how deep they lie within each other. A record has few more
 * (../reading/recording.ts), of which those that failed are shown too.
 */
const MOST_STEPS = 2_000;
const DEEPEST = 8;

/** Why a step or a test failed that the end of its run cut off. */
export const UNDER_WAY = 'It was under way when the run ended.';

/** What Playwright does around a test; of these only what failed is of interest. */
const AROUND: ReadonlySet<string> = new Set(['fixture', 'hook']);

/**
 * Makes the steps of tests as results show them: those of the script, of its hooks, and what these asked of Playwright.
 * Preparations of Playwright's own are left out unless they failed.
 */
export const createSteps = (shown: Shown) => {
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
        error: step.error ? shownError(step.error.message, LONGEST_STEP_ERROR, shown) : failed ? UNDER_WAY : null,
        ...(within.length > 0 && { steps: within }),
      });
    }
    return steps;
  };

  return {
    /** @param most milliseconds that a step without an end can have taken */
    of: (recorded: readonly RecordedStep[], most: number): TestStep[] => stepsOf(recorded, most, 1),
    /** whether some were left out */
    areCut: (): boolean => room === 0,
  };
};

/** To a tenth. */
export const rounded = (milliseconds: number): number => Math.round(milliseconds * 10) / 10;
