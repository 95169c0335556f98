import type { SandboxMessage, LogMessage, PageRecord, ScriptKind } from '../protocol.ts';
import {
  isOfScript,
  type RecordedFile,
  type RecordedStep,
  type RecordedTest,
  type RunRecord,
  type ScriptEnd,
} from '../record.ts';
import { InvalidMessage } from './read-message.ts';

/** Limits of a record. Items beyond a limit are omitted, and the record says so. */
const MOST = { tests: 200, steps: 2_000, depth: 20, pages: 20, logs: 1_048_576, notes: 20 } as const;
/**
 * Number of steps that a record may contain beyond the maximum. Such an additional step is stored while it is running,
 * and is removed when it ends without a failure. So the step of a failure is recorded even after very many other steps.
 */
const RESERVE = 200;

interface OpenTest {
  recorded: RecordedTest;
  steps: Map<number, OpenStep>;
  ended: boolean;
}

interface OpenStep {
  recorded: RecordedStep;
  depth: number;
  /** if the step belongs to the reserve, the list that contains it; otherwise null */
  reserved: RecordedStep[] | null;
}

/** Assembles the record of a run from its messages. */
export const createRecording = (kind: ScriptKind, browser: string | null) => {
  const tests: OpenTest[] = [];
  /** the tests by the number in messages */
  const byNumber = new Map<number, OpenTest>();
  const logs: Omit<LogMessage, 'type'>[] = [];
  const pages = new Map<number, PageRecord>();
  const files: RecordedFile[] = [];
  let filesLeftOut = 0;
  const notes = new Set<string>();
  let logBytes = 0;
  let logsCut = false;
  let steps = 0;
  let reserved = 0;
  let testCount: number | null = null;
  let fatal: RunRecord['fatal'] = null;

  const note = (sentence: string): void => {
    if (notes.size < MOST.notes) notes.add(sentence);
  };

  const log = (entry: Omit<LogMessage, 'type'>): void => {
    logBytes += Buffer.byteLength(entry.message) + 64;
    if (logBytes > MOST.logs) logsCut = true;
    else logs.push(entry);
  };

  /** @returns undefined if the test was omitted because of the limit */
  const testOf = (number: number): OpenTest | undefined => {
    const test = byNumber.get(number);
    if (!test && tests.length < MOST.tests) throw new InvalidMessage('a message about a test that has not started');
    return test;
  };

  const beginStep = (said: Extract<SandboxMessage, { type: 'stepBegin' }>): void => {
    const test = testOf(said.test);
    if (!test) return;
    if (test.steps.has(said.step)) throw new InvalidMessage('the start of a step that has already started');
    const isFull = steps >= MOST.steps;
    if (isFull) note(`Only the first ${MOST.steps} steps are stored.`);
    if (isFull && (reserved >= RESERVE || !isOfScript(said.category))) return;
    const parent = said.parent === null ? undefined : test.steps.get(said.parent);
    if (parent && parent.depth >= MOST.depth) return;
    // Substeps of an omitted step are omitted too, except in the reserve, where they become top-level steps.
    if (said.parent !== null && !parent && !isFull) return;
    if (isFull) reserved += 1;
    else steps += 1;
    const recorded: RecordedStep = {
      name: said.name,
      category: said.category,
      line: said.line,
      duration: null,
      error: null,
      steps: [],
    };
    const among = (parent?.recorded ?? test.recorded).steps;
    among.push(recorded);
    test.steps.set(said.step, { recorded, depth: (parent?.depth ?? 0) + 1, reserved: isFull ? among : null });
  };

  const endStep = (said: Extract<SandboxMessage, { type: 'stepEnd' }>): void => {
    const test = testOf(said.test);
    const step = test?.steps.get(said.step);
    if (!test || !step) return;
    const { recorded, reserved: among } = step;
    Object.assign(recorded, { duration: said.duration, error: said.error });
    if (!among || said.error || recorded.steps.length > 0) return;
    among.splice(among.lastIndexOf(recorded), 1);
    test.steps.delete(said.step);
    reserved -= 1;
  };

  const beginTest = (said: Extract<SandboxMessage, { type: 'testBegin' }>): void => {
    if (byNumber.has(said.test)) throw new InvalidMessage('the start of a test that has already started');
    if (tests.length >= MOST.tests) {
      note(`Only the first ${MOST.tests} tests are stored.`);
      return;
    }
    const { titles, line } = said;
    const recorded: RecordedTest = {
      titles,
      line,
      status: 'running',
      duration: null,
      errors: [],
      softErrors: [],
      steps: [],
    };
    const test: OpenTest = { recorded, steps: new Map(), ended: false };
    tests.push(test);
    byNumber.set(said.test, test);
  };

  const placeOf = (number: number): number => tests.findIndex((test) => byNumber.get(number) === test);

  return {
    note,
    log,

    /** Adds a message to the record. @throws InvalidMessage if the message contradicts earlier ones */
    hear: (said: Exclude<SandboxMessage, { type: 'ready' | 'file' }>): void => {
      switch (said.type) {
        case 'log': {
          const { level, message, timestamp } = said;
          log({ level, message, timestamp });
          return;
        }
        case 'testBegin':
          beginTest(said);
          return;
        case 'stepBegin':
          beginStep(said);
          return;
        case 'stepEnd':
          endStep(said);
          return;
        case 'testEnd': {
          const test = testOf(said.test);
          if (!test) return;
          if (test.ended) throw new InvalidMessage('the end of a test that has already ended');
          test.ended = true;
          const { status, duration, errors, softErrors } = said;
          Object.assign(test.recorded, { status, duration, errors, softErrors });
          return;
        }
        case 'page': {
          const { page } = said;
          if (pages.size >= MOST.pages && !pages.has(page)) note(`Only the first ${MOST.pages} pages are stored.`);
          else pages.set(page, pageOf(said, Math.max(0, placeOf(said.test))));
          return;
        }
        case 'fatal':
          fatal ??= { error: said.error, compiling: said.compiling };
          return;
        case 'done':
          testCount = said.tests;
          return;
      }
    },

    /** Adds a complete file. */
    keep: (file: Omit<RecordedFile, 'test'> & { test: number | null }): void => {
      const place = file.test === null ? -1 : placeOf(file.test);
      files.push({ ...file, test: place < 0 ? null : place });
    },

    files: (): readonly RecordedFile[] => files,

    /**
     * Removes the least important file: first files of passed tests, then of the running test, then of failed tests. Of
     * equally important files, removes the oldest, because the newest show the failure.
     */
    drop: (): RecordedFile => {
      const needs = files.map(({ test }) => needOf(test === null ? undefined : tests[test]?.recorded));
      const [dropped] = files.splice(needs.indexOf(Math.min(...needs)), 1);
      if (!dropped) throw new RangeError('There is no file.');
      filesLeftOut += 1;
      return dropped;
    },

    /** Counts a file that is not stored. */
    leaveOut: (): void => {
      filesLeftOut += 1;
    },

    record: (end: ScriptEnd, executionTime: number): RunRecord => ({
      kind,
      browser,
      end,
      execution_time: executionTime,
      logs: logs.sort((one, other) => (one.timestamp < other.timestamp ? -1 : one.timestamp > other.timestamp ? 1 : 0)),
      logsCut,
      tests: tests.map(({ recorded }) => recorded),
      testCount,
      fatal,
      pages: [...pages.entries()].sort(([one], [other]) => one - other).map(([, page]) => page),
      files,
      filesLeftOut,
      notes: [...notes],
    }),
  };
};

/** Returns the importance of a test's files. */
const needOf = (test: RecordedTest | undefined): number => {
  if (test === undefined || test.status === 'passed' || test.status === 'skipped') return 0;
  return test.status === 'running' ? 1 : 2;
};

/** Copies a page into the record. @param test index of the page's test in the record */
const pageOf = (said: PageRecord, test: number): PageRecord => ({
  test,
  url: said.url,
  duration: said.duration,
  documentRequest: said.documentRequest,
  network: said.network,
  requests: said.requests,
  webVitals: said.webVitals,
  domContentLoaded: said.domContentLoaded,
  load: said.load,
});

export type Recording = ReturnType<typeof createRecording>;
