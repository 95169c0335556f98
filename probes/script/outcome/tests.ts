import type { TestStep } from '../../../domain/check/types/script.ts';
import type { RecordedTest, RunRecord } from '../record.ts';
import { shownError } from './error-text.ts';
import { createSteps, LONGEST_ERROR, LONGEST_NAME, rounded, STEP_UNFINISHED } from './steps.ts';
import { cut, type ShowText } from './texts.ts';

/** A test in the results of multistep and synthetic checks. */
export interface TestResult {
  name: string;
  status: 'passed' | 'failed';
  duration: number;
  error: string | null;
  softAssertionErrors: string[];
  steps: TestStep[];
}

/**
 * Returns the tests that ran, whether passed or failed. A test that the script skips does not count as a test of the
 * run (docs/reference/scripts.md#status-of-a-script).
 */
export const ranIn = (tests: readonly RecordedTest[]): RecordedTest[] =>
  tests.filter(({ status }) => status !== 'skipped');

/** Returns the title of a test, with the titles of its suites: `Login › keeps the cart`. */
export const titleOf = ({ titles }: Pick<RecordedTest, 'titles'>, shown: ShowText): string =>
  shown(titles.join(' › '), LONGEST_NAME);

/** Maximum number of tests in a record (../reading/recording.ts). */
export const MOST_TESTS = 200;
/** Maximum number of soft errors of a test in a result. */
const MOST_SOFT_ERRORS = 20;
const LONGEST_SOFT_ERROR = 1_000;

export interface ShownTests {
  /** the tests; `place` is the index of a test in the record */
  tests: { place: number; result: TestResult }[];
  /** whether tests or steps were omitted */
  cut: boolean;
}

/** Converts the tests of a run for its result. */
export const testsOf = ({ tests, execution_time }: RunRecord, shown: ShowText): ShownTests => {
  const steps = createSteps(shown);
  let left = execution_time;
  const results = tests.flatMap((test, place): ShownTests['tests'] => {
    const took = test.duration ?? left;
    left = Math.max(0, left - took);
    if (test.status === 'skipped' || place >= MOST_TESTS) return [];
    const passed = test.status === 'passed';
    const result: TestResult = {
      name: titleOf(test, shown),
      status: passed ? 'passed' : 'failed',
      duration: rounded(took),
      error: passed ? null : errorOf(test, shown),
      softAssertionErrors: test.softErrors
        .slice(0, MOST_SOFT_ERRORS)
        .map(({ message }) => shownError(message, LONGEST_SOFT_ERROR, shown)),
      steps: steps.of(test.steps, took),
    };
    return [{ place, result }];
  });
  return { tests: results, cut: tests.length > MOST_TESTS || steps.areCut() };
};

const WHY: Readonly<Record<Exclude<RecordedTest['status'], 'passed' | 'skipped'>, string>> = {
  failed: 'It failed without an error.',
  interrupted: 'It was interrupted.',
  running: STEP_UNFINISHED,
  timedOut: 'It was not done in time.',
};

const errorOf = ({ errors, status }: RecordedTest, shown: ShowText): string => {
  let text = '';
  for (const { message } of errors) {
    const more = shownError(message, LONGEST_ERROR, shown);
    if (more !== '') text += `${text === '' ? '' : '\n\n'}${more}`;
    if (text.length > LONGEST_ERROR) break;
  }
  if (text !== '') return cut(text, LONGEST_ERROR);
  return status === 'passed' || status === 'skipped' ? '' : WHY[status];
};

/** Counts the passed and the failed tests of a run. */
export const countsOf = (tests: readonly RecordedTest[]): { failed: number; passed: number; total: number } => {
  const ran = ranIn(tests);
  const passed = ran.filter(({ status }) => status === 'passed').length;
  return { failed: ran.length - passed, passed, total: ran.length };
};
