/** Runs the tests of a script in this process, and says what happens. */
import type { Said, SaidError } from '../protocol.ts' with { 'resolution-mode': 'import' };
const { stripVTControlCharacters } = require('node:util') as typeof import('node:util');

type Internals = import('./internals.cts').Internals;
type InternalError = import('./internals.cts').InternalError;
type TestCase = import('./internals.cts').TestCase;
type TestInfo = import('./internals.cts').TestInfo;
type Worker = import('./internals.cts').Worker;
type Suite = import('./internals.cts').Suite;

/** What `require('./tests.cjs')` gives. */
export interface TestsModule {
  runTests: (given: GivenTests) => Promise<void>;
  /** An error without colours, and where in the script it is. */
  saidError: (error: InternalError, file: string) => SaidError;
}

export interface GivenTests {
  internals: Internals;
  /** the script */
  file: string;
  /** folder that is the script's own */
  folder: string;
  /** options of Playwright (`use`) */
  use: object;
  /** when every test must have ended, milliseconds since 1970 */
  deadline: number;
  say: (said: Said) => void;
  /** the test that is under way, by number; -1: none */
  onTest: (test: number) => void;
  written: (level: string, text: string) => void;
  attached: (attachment: { name: string; contentType: string; path?: string; body?: string }, title: string) => void;
  /** called when a test has ended, before that is said */
  onTestEnd: () => Promise<void>;
}

/** A test that has begun. */
interface Running {
  number: number;
  info: TestInfo | null;
  steps: Map<string, { number: number; began: number }>;
  soft: Set<string>;
}

/** The kinds of steps that say what a script does; what Playwright does around that is left out. */
const MOST_STEPS = 5_000;

const runTests = async (given: GivenTests): Promise<void> => {
  const { internals, file, folder, say, deadline } = given;
  const left = (): number => Math.max(1, deadline - Date.now());
  const { config, project } = internals.createConfig(folder, given.use, left());
  const suite = await internals.loadTests(file, config).catch((error: unknown) => {
    const compiling = error instanceof SyntaxError || (error as { code?: string }).code === 'BABEL_PARSE_ERROR';
    say({ type: 'fatal', error: saidError(internalOf(error), file), compiling });
    return null;
  });
  if (!suite) {
    say({ type: 'done', tests: 0 });
    return;
  }
  const tests = internals.chosenTests(project, suite);
  const numbers = new Map(tests.map(({ id }, number) => [id, number]));
  const ended = new Set<string>();
  let waiting = tests;
  while (waiting.length > 0 && Date.now() < deadline) {
    const before = ended.size;
    const { failed, unable } = await runSome(given, internals.createWorker(), waiting, numbers, ended, left);
    const skipped = new Set([...unable, ...serialAfter(failed, waiting)]);
    for (const test of waiting) if (skipped.has(test.id) && !ended.has(test.id)) tellSkipped(say, test, numbers, ended);
    waiting = waiting.filter(({ id }) => !ended.has(id));
    // A worker that ran nothing would run nothing the next time either.
    if (ended.size === before) break;
  }
  say({ type: 'done', tests: tests.length });
};

interface SomeRun {
  failed: TestCase | null;
  /** ids of tests that can't run, since what they need failed */
  unable: readonly string[];
}

/** Runs tests until all have ended or one has failed: Playwright goes on in a fresh worker then. */
const runSome = async (
  given: GivenTests,
  worker: Worker,
  tests: readonly TestCase[],
  numbers: ReadonlyMap<string, number>,
  ended: Set<string>,
  left: () => number,
): Promise<SomeRun> => {
  const { say, file } = given;
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
    running.set(testId, one);
    given.onTest(number);
    if (info) {
      limit(info, left);
      hearSoftErrors(info, one.soft);
    }
    say({ type: 'testBegin', test: number, titles: test ? titlesOf(test) : [], line: test?.location.line ?? 0 });
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
      if (!test || test.steps.size >= MOST_STEPS) return;
      const step = test.steps.size;
      test.steps.set(payload.stepId, { number: step, began: payload.wallTime });
      say({
        type: 'stepBegin',
        test: test.number,
        step,
        parent: test.steps.get(payload.parentStepId ?? '')?.number ?? null,
        category: payload.category,
        name: plain(payload.subtitle ? `${payload.title} ${payload.subtitle}` : payload.title),
        line: payload.location?.file === file ? payload.location.line : null,
      });
    },
    stepEnd: (payload: StepEnd) => {
      const test = running.get(payload.testId);
      const step = test?.steps.get(payload.stepId);
      if (!test || !step) return;
      const duration = Math.max(0, payload.wallTime - step.began);
      const error = payload.error ? saidError(payload.error, file) : null;
      say({ type: 'stepEnd', test: test.number, step: step.number, duration, error });
    },
    attach: (payload: Attached) => {
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
      const errors = payload.errors.map((error) => saidError(error, file));
      say({
        type: 'testEnd',
        test: test.number,
        // One that was to fail and did has passed; one that was to fail and passed has failed.
        status: asExpected ? (payload.status === 'skipped' ? 'skipped' : 'passed') : statusOf(payload.status),
        duration: payload.duration,
        errors: asExpected ? [] : errors.length > 0 ? errors : [UNEXPECTED],
        softErrors: asExpected ? [] : errors.filter(({ message }) => test.soft.has(message)),
      });
      given.onTest(-1);
      telling.push(given.onTestEnd());
    },
    done: (payload: Done) => {
      unable = payload.skipTestsDueToSetupFailure;
      for (const error of payload.fatalErrors) say({ type: 'fatal', error: saidError(error, file), compiling: false });
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
  return { failed, unable };
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
interface Attached {
  testId: string;
  name: string;
  contentType: string;
  path?: string;
  body?: string;
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

const UNEXPECTED: SaidError = { message: 'The test was expected to fail, but it passed.', line: null, column: null };

const STATUSES = ['failed', 'timedOut', 'skipped', 'interrupted'] as const;
const statusOf = (status: string): (typeof STATUSES)[number] => STATUSES.find((one) => one === status) ?? 'failed';

const textOf = ({ text, buffer }: Written): string => text ?? Buffer.from(buffer ?? '', 'base64').toString('utf8');

/** No test has longer than what is left of the run, whatever it asks for: so it ends with a sentence of its own. */
const limit = (info: TestInfo, left: () => number): void => {
  const manager = info._timeoutManager;
  const setTimeout = manager.setTimeout.bind(manager);
  const slow = manager.slow.bind(manager);
  const most = (): number => manager.defaultSlot().elapsed + left();
  manager.setTimeout = (milliseconds) => {
    setTimeout(milliseconds === 0 ? most() : Math.min(milliseconds, most()));
  };
  manager.slow = () => {
    slow();
    manager.setTimeout(info.timeout);
  };
  manager.setTimeout(info.timeout);
};

/** Errors of `expect.soft` are among the errors of the test, where nothing tells them apart. */
const hearSoftErrors = (info: TestInfo, soft: Set<string>): void => {
  const addStep = info._addStep.bind(info);
  info._addStep = (...given) => {
    const step = addStep(...given);
    const complete = step.complete.bind(step);
    step.complete = (result) => {
      const before = info.errors.length;
      complete(result);
      if (result.softError === undefined) return;
      for (const error of info.errors.slice(before)) soft.add(plain(error.message ?? error.value ?? ''));
    };
    return step;
  };
};

/** What comes after a test that failed, in suites whose tests need those before them. */
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
  say: (said: Said) => void,
  test: TestCase,
  numbers: ReadonlyMap<string, number>,
  ended: Set<string>,
): void => {
  const number = numbers.get(test.id) ?? 0;
  say({ type: 'testBegin', test: number, titles: titlesOf(test), line: test.location.line });
  say({ type: 'testEnd', test: number, status: 'skipped', duration: 0, errors: [], softErrors: [] });
  ended.add(test.id);
};

/** From the outermost `describe` to the test. */
const titlesOf = (test: TestCase): string[] => {
  const titles = [test.title];
  for (let suite: Suite | undefined = test.parent; suite; suite = suite.parent)
    if (suite.type === 'describe' && suite.title !== '') titles.unshift(suite.title);
  return titles;
};

const plain = (text: string): string => stripVTControlCharacters(text);

const internalOf = (error: unknown): InternalError =>
  error instanceof Error ? { message: error.message, stack: error.stack ?? '' } : { value: String(error) };

const saidError: TestsModule['saidError'] = (error, file) => {
  const message = plain(error.message ?? error.value ?? 'Something went wrong.');
  const stack = plain(error.stack ?? '');
  // Babel says the place behind its sentence, and repeats the source below that.
  const inSentence = /^(?:.*?: )?(.*?) \((\d+):(\d+)\)(?:\n|$)/s.exec(message.startsWith(file) ? message : '');
  if (inSentence) {
    return { message: inSentence[1] ?? '', line: Number(inSentence[2]), column: Number(inSentence[3]) + 1 };
  }
  const at = stack.indexOf(`${file}:`);
  const [, line, column] = at < 0 ? [] : (/^(\d+)(?::(\d+))?/.exec(stack.slice(at + file.length + 1)) ?? []);
  return {
    message: message.replaceAll(file, 'script'),
    line: line === undefined ? null : Number(line),
    column: column === undefined ? null : Number(column),
  };
};

module.exports = { runTests, saidError } satisfies TestsModule;
