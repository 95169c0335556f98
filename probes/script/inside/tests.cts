/** Runs the tests of a script in this process, and reports what happens. */
import type { SandboxMessage, ScriptError } from '../protocol.ts' with { 'resolution-mode': 'import' };
const { plain, thrown } = require('./errors.cjs') as import('./errors.cts').ErrorsModule;
const { collectSoftErrors, limitTime } = require('./test-limits.cjs') as import('./test-limits.cts').TestLimitsModule;

type Attachment = import('./files.cts').Attachment;
type InternalError = import('./internals.cts').InternalError;
type Internals = import('./internals.cts').Internals;
type SayError = import('./errors.cts').SayError;
type Suite = import('./internals.cts').Suite;
type TestCase = import('./internals.cts').TestCase;
type TestInfo = import('./internals.cts').TestInfo;
type Worker = import('./internals.cts').Worker;

/** The exports of `tests.cjs`. */
export interface TestsModule {
  /** Runs the tests of a suite until the deadline. */
  runTests: (given: GivenTests) => Promise<void>;
}

export interface GivenTests {
  internals: Internals;
  /** path of the script */
  file: string;
  project: unknown;
  suite: Suite;
  /** time until which all tests must have ended, in milliseconds since 1970 */
  deadline: number;
  say: (said: SandboxMessage) => void;
  saidError: SayError;
  written: (level: string, text: string) => void;
  attached: (attachment: Attachment, title: string) => void;
  /** Called when a test starts, and with null when it has ended. */
  onTest: (test: CurrentTest | null) => void;
  /** Called when a test has ended and was reported. */
  onTestEnd: (info: TestInfo) => Promise<void>;
  /** Called when all tests have ended, before the end of the run is reported. */
  onEnd: () => Promise<void>;
}

export interface CurrentTest {
  number: number;
  info: TestInfo;
  /** the titles of all enclosing suites and of the test, joined */
  title: string;
}

/** A running test. */
interface Running {
  number: number;
  info: TestInfo | null;
  steps: Map<string, { number: number; began: number }>;
  soft: Set<string>;
}

/**
 * Maximum number of reported steps. The outer process has a lower limit (../reading/recording.ts), so it notices if
 * steps are missing.
 */
const MOST_STEPS = 3_000;
/**
 * Categories of steps that explain failures. They have an additional limit, because a script that polls may use up the
 * first one.
 */
const NAMED: ReadonlySet<string> = new Set(['test.step', 'hook']);
const MOST_NAMED = 10_000;
const LONGEST_NAME = 1_000;

const runTests: TestsModule['runTests'] = async (given) => {
  const { internals, project, suite, say, deadline } = given;
  const tests = internals.chosenTests(project, suite);
  const numbers = new Map(tests.map(({ id }, number) => [id, number]));
  const twice = tests.find(({ id }, number) => tests.findIndex((other) => other.id === id) !== number);
  if (twice) {
    const message = `Two tests have the title "${titlesOf(twice).join(' › ')}": each needs its own.`;
    say({ type: 'fatal', error: { message, line: twice.location.line, column: null }, compiling: false });
    say({ type: 'done', tests: tests.length });
    return;
  }
  const ended = new Set<string>();
  const room = { steps: MOST_STEPS, named: MOST_NAMED };
  let waiting = tests;
  while (waiting.length > 0 && Date.now() < deadline) {
    const before = ended.size;
    const { worker, dismiss } = internals.createWorker();
    const { failed, unable } = await runSome(given, worker, waiting, numbers, ended, room).finally(dismiss);
    const skipped = new Set([...unable, ...serialAfter(failed, waiting)]);
    for (const test of waiting) if (skipped.has(test.id) && !ended.has(test.id)) tellSkipped(say, test, numbers, ended);
    waiting = waiting.filter(({ id }) => !ended.has(id));
    // If one worker has run no test, the next worker would not run one either.
    if (ended.size === before) break;
  }
  await given.onEnd();
  say({ type: 'done', tests: tests.length });
};

/** The number of steps that can still be reported. */
interface Room {
  steps: number;
  named: number;
}

interface SomeRun {
  failed: TestCase | null;
  /** ids of tests that can't run, because their prerequisites failed */
  unable: readonly string[];
}

/** Runs tests until all have ended or one has failed. After a failure, the remaining tests need a new worker. */
const runSome = async (
  given: GivenTests,
  worker: Worker,
  tests: readonly TestCase[],
  numbers: ReadonlyMap<string, number>,
  ended: Set<string>,
  room: Room,
): Promise<SomeRun> => {
  const { say, saidError, file, deadline } = given;
  const byId = new Map(tests.map((test) => [test.id, test]));
  const running = new Map<string, Running>();
  let failed: TestCase | null = null;
  let unable: readonly string[] = [];
  const telling: Promise<void>[] = [];

  const begin = ({ testId }: { testId: string }): void => {
    const test = byId.get(testId);
    const number = numbers.get(testId) ?? 0;
    const info = worker._currentTest;
    const one: Running = { number, info, steps: new Map(), soft: new Set() };
    const titles = test ? titlesOf(test) : [];
    running.set(testId, one);
    say({ type: 'testBegin', test: number, titles, line: test?.location.line ?? 0 });
    if (!info) return;
    limitTime(info, () => Math.max(1, deadline - Date.now()));
    collectSoftErrors(info, one.soft);
    given.onTest({ number, info, title: titles.join(' › ') });
  };

  const heard: Readonly<Record<string, (payload: never) => void>> = {
    stdOut: (payload: Written) => {
      given.written('log', textOf(payload));
    },
    stdErr: (payload: Written) => {
      given.written('error', textOf(payload));
    },
    testBegin: begin,
    stepBegin: (payload: StepBegin) => {
      const test = running.get(payload.testId);
      if (!test || ended.has(payload.testId)) return;
      const left = room.steps > 0 ? 'steps' : NAMED.has(payload.category) ? 'named' : null;
      if (left === null || room[left] === 0) return;
      room[left] -= 1;
      const step = test.steps.size;
      test.steps.set(payload.stepId, { number: step, began: payload.wallTime });
      const name = plain(payload.subtitle ? `${payload.title} ${payload.subtitle}` : payload.title);
      say({
        type: 'stepBegin',
        test: test.number,
        step,
        parent: test.steps.get(payload.parentStepId ?? '')?.number ?? null,
        category: payload.category,
        name: name.slice(0, LONGEST_NAME),
        line: payload.location?.file === file ? payload.location.line : null,
      });
    },
    stepEnd: (payload: StepEnd) => {
      const test = running.get(payload.testId);
      const step = test?.steps.get(payload.stepId);
      if (!test || !step) return;
      const duration = Math.max(0, payload.wallTime - step.began);
      const error = payload.error ? saidError(payload.error) : null;
      say({ type: 'stepEnd', test: test.number, step: step.number, duration, error });
    },
    attach: (payload: Attachment & { testId: string }) => {
      const test = byId.get(payload.testId);
      given.attached(payload, test ? titlesOf(test).join(' › ') : '');
    },
    testEnd: (payload: TestEnd) => {
      const test = running.get(payload.testId);
      const known = byId.get(payload.testId);
      if (!test || !known) return;
      ended.add(payload.testId);
      const asExpected = payload.status === payload.expectedStatus;
      if (!asExpected && payload.status !== 'skipped') failed = known;
      const errors = payload.errors.map((error) => saidError(error));
      say({
        type: 'testEnd',
        test: test.number,
        // A test marked as failing passes if it fails, and fails if it passes.
        status: asExpected ? (payload.status === 'skipped' ? 'skipped' : 'passed') : statusOf(payload.status),
        duration: Math.max(0, payload.duration),
        errors: asExpected ? [] : errors.length > 0 ? errors : [UNEXPECTED],
        softErrors: asExpected ? [] : errors.filter(({ message }) => test.soft.has(message)),
      });
      if (test.info) telling.push(given.onTestEnd(test.info));
      given.onTest(null);
    },
    done: (payload: Done) => {
      unable = payload.skipTestsDueToSetupFailure;
      for (const error of payload.fatalErrors) say({ type: 'fatal', error: saidError(error), compiling: false });
    },
  };
  worker.dispatchEvent = (method, payload) => {
    heard[method]?.(payload);
  };
  const entries = tests.map(({ id, _planAnnotations }) => ({
    testId: id,
    retry: 0,
    planAnnotations: _planAnnotations,
  }));
  await worker.runTestGroup({ file, entries });
  await Promise.all(telling);
  const last = [...running.values()].at(-1)?.info;
  if (last) await tearDown(given, worker, last);
  return { failed, unable };
};

/** Tears down worker fixtures that the script has defined. Those of Playwright end with the process. */
const tearDown = async ({ say, saidError, file }: GivenTests, worker: Worker, info: TestInfo): Promise<void> => {
  const { instanceForId } = worker._fixtureRunner;
  const isOwn = [...instanceForId.values()].some(
    ({ registration: { scope, location } }) => scope === 'worker' && location?.file === file,
  );
  if (!isOwn || worker._didRunFullCleanup) return;
  await worker._fixtureRunner.teardownScope('worker', info, { type: 'teardown' }).catch((error: unknown) => {
    say({ type: 'fatal', error: saidError(thrown(error)), compiling: false });
  });
};

interface Written {
  text?: string;
  buffer?: string;
}
interface StepBegin {
  testId: string;
  stepId: string;
  parentStepId?: string;
  category: string;
  title: string;
  subtitle?: string;
  wallTime: number;
  location?: { file: string; line: number };
}
interface StepEnd {
  testId: string;
  stepId: string;
  wallTime: number;
  error?: InternalError;
}
interface TestEnd {
  testId: string;
  status: string;
  expectedStatus: string;
  duration: number;
  errors: InternalError[];
}
interface Done {
  fatalErrors: InternalError[];
  skipTestsDueToSetupFailure: string[];
}

const UNEXPECTED: ScriptError = { message: 'The test was expected to fail, but it passed.', line: null, column: null };

const STATUSES = ['failed', 'timedOut', 'skipped', 'interrupted'] as const;
const statusOf = (status: string): (typeof STATUSES)[number] => STATUSES.find((one) => one === status) ?? 'failed';

const textOf = ({ text, buffer }: Written): string => text ?? Buffer.from(buffer ?? '', 'base64').toString('utf8');

/** Returns the ids of the tests that depend on a failed test: those after it in the same serial suite. */
const serialAfter = (failed: TestCase | null, tests: readonly TestCase[]): string[] => {
  let serial: Suite | null = null;
  for (let suite = failed?.parent; suite; suite = suite.parent) if (suite._parallelMode === 'serial') serial = suite;
  if (!failed || !serial) return [];
  const isWithin = ({ parent }: TestCase): boolean => {
    for (let suite: Suite | undefined = parent; suite; suite = suite.parent) if (suite === serial) return true;
    return false;
  };
  return tests
    .slice(tests.indexOf(failed) + 1)
    .filter(isWithin)
    .map(({ id }) => id);
};

const tellSkipped = (
  say: (said: SandboxMessage) => void,
  test: TestCase,
  numbers: ReadonlyMap<string, number>,
  ended: Set<string>,
): void => {
  const number = numbers.get(test.id) ?? 0;
  say({ type: 'testBegin', test: number, titles: titlesOf(test), line: test.location.line });
  say({ type: 'testEnd', test: number, status: 'skipped', duration: 0, errors: [], softErrors: [] });
  ended.add(test.id);
};

/** Returns the titles from the outermost `describe` to the test. */
const titlesOf = (test: TestCase): string[] => {
  const titles = [test.title];
  for (let suite: Suite | undefined = test.parent; suite; suite = suite.parent)
    if (suite.type === 'describe' && suite.title !== '') titles.unshift(suite.title);
  return titles.map((title) => title.slice(0, LONGEST_NAME));
};

module.exports = { runTests } satisfies TestsModule;
