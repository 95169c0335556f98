import { isFullStopOrBlank, trimmedEnd } from '../../../domain/text.ts';
import type { Outcome } from '../../engine/check-type.ts';
import type { ScriptError } from '../protocol.ts';
import { isOfScript, type RecordedStep, type RecordedTest, type RunRecord, type ScriptEnd } from '../record.ts';
import { shownError } from './error-text.ts';
import { failureIn } from './failure-sentence.ts';
import { seconds, sentence } from './sentences.ts';
import { LONGEST_NAME } from './steps.ts';
import type { ShowText } from './texts.ts';
import { MOST_TESTS, ranIn, titleOf } from './tests.ts';

/** Maximum number of characters of an error that are parsed. */
const LONGEST_READ = 8_000;
/** Maximum length of the error message, in characters (runners/worker/result.ts cuts longer ones). */
const LONGEST_SENTENCE = 900;

export type Verdict = Pick<Outcome, 'status' | 'reason' | 'response_time' | 'error_message'>;

/**
 * Decides whether a run passed. If the run failed, the verdict contains a sentence about the first failure.
 *
 * @param timeout time limit of the run, in milliseconds
 */
export const verdictOn = (record: RunRecord, timeout: number, shown: ShowText): Verdict => {
  const failure = firstFailure(record, shown);
  const end = endSentence(record, timeout, shown);
  const sentences = [failure, end].filter((one) => one !== null);
  // The duration is meaningful only if the script ended on its own.
  const response_time = record.end.how === 'done' && !record.fatal ? Math.round(record.execution_time) : null;
  if (sentences.length === 0) return { status: 'ok', reason: null, response_time, error_message: null };
  return {
    status: 'error',
    reason: ranOutOfTime(record, timeout) ? 'timeout' : 'script',
    response_time,
    error_message: shown(sentences.join(failure?.includes('\n') === true ? '\n' : ' '), LONGEST_SENTENCE),
  };
};

/**
 * Returns whether a run failed because its time was up. Tests are ended slightly before the time limit, to reserve time
 * for the report (../inside/run.cts). Such a run counts as having run out of time too.
 */
const ranOutOfTime = ({ end, tests, fatal, execution_time }: RunRecord, timeout: number): boolean =>
  end.how === 'timeout' ||
  (execution_time >= timeout - Math.min(1_000, timeout / 10) &&
    (fatal?.compiling === false || tests.some(({ status }) => status === 'timedOut')));

const firstFailure = (record: RunRecord, shown: ShowText): string | null => {
  const { fatal, tests, testCount, end } = record;
  if (fatal?.compiling === true) return `The script does not compile: ${located(fatal.error, shown)}`;
  const failed = tests.find(({ status }) => !['passed', 'skipped', 'running'].includes(status));
  if (failed) return testFailure(failed, shown);
  if (fatal) return `The script failed outside of its tests: ${located(fatal.error, shown)}`;
  if (end.how !== 'done') return null;
  const unfinished = tests.find(({ status }) => status === 'running');
  if (unfinished) return `Test ${quotedTitle(unfinished, shown)} started and never ended.`;
  if (tests.length === 0) return 'The script has no test.';
  if (testCount === null || tests.length >= testCount) return null;
  return tests.length >= MOST_TESTS
    ? `A script can have ${MOST_TESTS} tests, and this one has ${testCount}.`
    : `Only ${tests.length} of the script's ${testCount} tests finished.`;
};

const testFailure = (test: RecordedTest, shown: ShowText): string => {
  const texts = test.errors
    .slice(0, 2)
    .map(({ message }) => shownError(message, LONGEST_READ, shown))
    .filter((text) => text !== '');
  // If a test timed out, the first error is about the timeout, and the second error says what the test was waiting for.
  const text = test.status === 'timedOut' ? (texts[1] ?? texts[0]) : texts[0];
  const step =
    stepPath(test.steps, ({ error }) => error !== null, shown) ??
    (test.status === 'timedOut' ? stepUnderWay(test.steps, shown) : null);
  const where = step === null ? '' : ` in step "${step}"`;
  const what = text === undefined ? (test.status === 'timedOut' ? 'it was not done in time' : null) : failureIn(text);
  const begin = `Test ${quotedTitle(test, shown)} failed${where}`;
  return sentence(what === null ? begin : `${begin}: ${what}`);
};

const quotedTitle = (test: RecordedTest, shown: ShowText): string => `"${titleOf(test, shown)}"`;

/** Names of the steps that Playwright adds around hooks. */
const WRAPPERS: ReadonlySet<string> = new Set(['Before Hooks', 'After Hooks', 'Worker Cleanup']);

/**
 * Joins the names of nested steps, from the outermost to the innermost one for which `happened` returns true. Includes
 * only steps of the script or its hooks, not calls of Playwright.
 */
const stepPath = (
  steps: readonly RecordedStep[],
  happened: (step: RecordedStep) => boolean,
  shown: ShowText,
): string | null => {
  const names: string[] = [];
  for (let at = steps.find(happened); at; at = at.steps.find(happened)) {
    if (isOfScript(at.category) && !WRAPPERS.has(at.name)) names.push(shown(at.name, LONGEST_NAME));
  }
  return names.length === 0 ? null : names.join(' › ');
};

/**
 * Returns the name of the script's unfinished step; if there is none, the name of the unfinished call of Playwright.
 */
const stepUnderWay = (steps: readonly RecordedStep[], shown: ShowText): string | null =>
  stepPath(steps, ({ duration }) => duration === null, shown) ?? innermostUnderWay(steps, shown);

const innermostUnderWay = (steps: readonly RecordedStep[], shown: ShowText): string | null => {
  const step = steps.find(({ duration }) => duration === null);
  if (!step || WRAPPERS.has(step.name)) return null;
  return innermostUnderWay(step.steps, shown) ?? shown(step.name, LONGEST_NAME);
};

/** Formats an error with its location: `Unexpected token (line 3, column 14).` */
const located = ({ message, line, column }: ScriptError, shown: ShowText): string => {
  const text = shownError(message, LONGEST_READ, shown);
  const [first = ''] = text.split('\n');
  const within = WITHIN.exec(first);
  const at = line ?? (within ? Number(within[1]) : null);
  // Babel counts columns in its messages from 0.
  const beside = column ?? (line === null && within ? Number(within[2]) + 1 : null);
  const said = first
    .replace(/^SyntaxError: /, '')
    .replace(WITHIN, '')
    .replace(/^[\w.@+-]+\.[cm]?[jt]sx?: /, '');
  const what = trimmedEnd(said, isFullStopOrBlank);
  if (at === null) return sentence(what);
  return `${what} (line ${at}${beside === null ? '' : `, column ${beside}`}).`;
};

const WITHIN = / ?\((\d+):(\d+)\)/;

/** Returns a sentence about a run that was ended from outside, or ran out of time; null if neither happened. */
const endSentence = (record: RunRecord, timeout: number, shown: ShowText): string | null => {
  const { end, tests, fatal } = record;
  const during = duringOf(tests, shown);
  switch (end.how) {
    case 'done':
      return ranOutOfTime(record, timeout) ? `The script was not done within ${seconds(timeout)}.` : null;
    case 'timeout':
      return `The script was not done within ${seconds(timeout)}${during}.`;
    case 'memory':
      return `The script used more than ${end.limit} MiB of memory and was ended${during}.`;
    case 'processes':
      return `The script started more than ${end.limit} processes and threads and was ended${during}.`;
    case 'died':
      return fatal ? null : sentence(`The script ended before it was done${during}: ${shown(end.cause, LONGEST_NAME)}`);
    case 'nonsense':
      return sentence(`The script was ended because it sent an invalid message: ${shown(end.what, LONGEST_NAME)}`);
    default:
      return unreachable(end);
  }
};

const unreachable = (end: never): never => {
  throw new Error(`There is no such end: ${JSON.stringify(end satisfies ScriptEnd)}`);
};

/** Returns what was running as a part of a sentence: `, in test "Checkout", step "Pay"`; empty if unknown. */
const duringOf = (tests: readonly RecordedTest[], shown: ShowText): string => {
  const test = ranIn(tests).findLast(({ status }) => status === 'running');
  if (!test) return '';
  const step = stepUnderWay(test.steps, shown);
  return `, in test ${quotedTitle(test, shown)}${step === null ? '' : `, step "${step}"`}`;
};
