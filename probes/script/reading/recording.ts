import type { Said, SaidLog, SaidPage, ScriptKind } from '../protocol.ts';
import {
  isOfScript,
  type RecordedFile,
  type RecordedStep,
  type RecordedTest,
  type RunRecord,
  type ScriptEnd,
} from '../record.ts';
import { Nonsense } from './said.ts';

/** How much of a run is kept; what is more is left out, and the record says so. */
const MOST = { tests: 200, steps: 2_000, depth: 20, pages: 20, logs: 1_048_576, notes: 20 } as const;
/**
 * Steps beyond those that are kept as long as they are under way, and then if they failed: whatever ran before, a
 * failure can be told by the step that it happened in.
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
  /** among which it lies, if it is one of the reserve */
  reserved: RecordedStep[] | null;
}

/** Puts together what a run says. */
export const createRecording = (kind: ScriptKind, browser: string | null) => {
  const tests: OpenTest[] = [];
  /** by the number that the run gives it */
  const byNumber = new Map<number, OpenTest>();
  const logs: Omit<SaidLog, 'type'>[] = [];
  const pages = new Map<number, SaidPage>();
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

  const log = (entry: Omit<SaidLog, 'type'>): void => {
    logBytes += Buffer.byteLength(entry.message) + 64;
    if (logBytes > MOST.logs) logsCut = true;
    else logs.push(entry);
  };

  /** @returns undefined: there are so many that it was left out */
  const testOf = (number: number): OpenTest | undefined => {
    const test = byNumber.get(number);
    if (!test && tests.length < MOST.tests) throw new Nonsense('something of a test that has not begun');
    return test;
  };

  const beginStep = (said: Extract<Said, { type: 'stepBegin' }>): void => {
    const test = testOf(said.test);
    if (!test) return;
    if (test.steps.has(said.step)) throw new Nonsense('that a step begins again');
    const isFull = steps >= MOST.steps;
    if (isFull) note(`Only the first ${MOST.steps.toString()} steps are kept.`);
    if (isFull && (reserved >= RESERVE || !isOfScript(said.category))) return;
    const parent = said.parent === null ? undefined : test.steps.get(said.parent);
    if (parent && parent.depth >= MOST.depth) return;
    // The parent of one that was left out is left out too; one of the reserve stands alone then.
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

  const endStep = (said: Extract<Said, { type: 'stepEnd' }>): void => {
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

  const beginTest = (said: Extract<Said, { type: 'testBegin' }>): void => {
    if (byNumber.has(said.test)) throw new Nonsense('that a test begins again');
    if (tests.length >= MOST.tests) {
      note(`Only the first ${MOST.tests.toString()} tests are kept.`);
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

    /** @throws Nonsense it contradicts what was said before */
    hear: (said: Exclude<Said, { type: 'ready' | 'file' }>): void => {
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
          if (test.ended) throw new Nonsense('that a test ends again');
          test.ended = true;
          const { status, duration, errors, softErrors } = said;
          Object.assign(test.recorded, { status, duration, errors, softErrors });
          return;
        }
        case 'page': {
          const { page } = said;
          if (pages.size >= MOST.pages && !pages.has(page))
            note(`Only the first ${MOST.pages.toString()} pages are kept.`);
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

    /** A file has come in full. */
    keep: (file: Omit<RecordedFile, 'test'> & { test: number | null }): void => {
      const place = file.test === null ? -1 : placeOf(file.test);
      files.push({ ...file, test: place < 0 ? null : place });
    },

    files: (): readonly RecordedFile[] => files,

    /**
     * Leaves out the file that is needed least: one of a test that passed before one of the test that is under way, and
     * that before one of a test that failed; of these the oldest, since the last ones show what failed.
     */
    drop: (): RecordedFile => {
      const needs = files.map(({ test }) => needOf(test === null ? undefined : tests[test]?.recorded));
      const [dropped] = files.splice(needs.indexOf(Math.min(...needs)), 1);
      if (!dropped) throw new RangeError('There is no file.');
      filesLeftOut += 1;
      return dropped;
    },

    /** A file is not kept at all. */
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

/** How much what shows a test is needed. */
const needOf = (test: RecordedTest | undefined): number => {
  if (test === undefined || test.status === 'passed' || test.status === 'skipped') return 0;
  return test.status === 'running' ? 1 : 2;
};

/** A page as it is recorded. @param test its place among those recorded */
const pageOf = (said: SaidPage, test: number): SaidPage => ({
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
