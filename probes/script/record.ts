import type { ScriptError, LogMessage, PageRecord, ScriptKind } from './protocol.ts';

/** How a script's run ended, as seen from outside its sandbox. */
export type ScriptEnd =
  /** the script reported its end */
  | { how: 'done' }
  /** its time was up, and it was killed */
  | { how: 'timeout' }
  /** it exceeded its memory limit, and was killed; mebibytes */
  | { how: 'memory'; limit: number }
  /** it exceeded its limit of processes and threads, and was killed */
  | { how: 'processes'; limit: number }
  /** it ended early: `it ended with code 3`, `it was ended by SIGSEGV` */
  | { how: 'died'; cause: string }
  /** it sent an invalid message, and was killed */
  | { how: 'nonsense'; what: string };

export interface RecordedStep {
  name: string;
  category: string;
  line: number | null;
  /** null: it was running when the run ended */
  duration: number | null;
  error: ScriptError | null;
  steps: RecordedStep[];
}

/** A file that a run created, now outside its sandbox. */
export interface RecordedFile {
  /** index in `tests` of the test that created it; null: none */
  test: number | null;
  role: 'screenshot' | 'video';
  name: string;
  contentType: string;
  /** path of its content; the receiver of the record moves or removes it */
  path: string;
  /** bytes */
  size: number;
}

/** Whether a step was made by the script or its hooks, so that people know its name, according to its category. */
export const isOfScript = (category: string): boolean => category === 'test.step' || category === 'hook';

export interface RecordedTest {
  titles: string[];
  line: number;
  /** `running`: it was running when the run ended */
  status: 'passed' | 'failed' | 'timedOut' | 'skipped' | 'interrupted' | 'running';
  duration: number | null;
  errors: ScriptError[];
  softErrors: ScriptError[];
  steps: RecordedStep[];
}

/** Everything known about a run when it has ended: the source of its result. */
export interface RunRecord {
  kind: ScriptKind;
  /** name and version of the browser */
  browser: string | null;
  end: ScriptEnd;
  /** milliseconds from the script's start to its end */
  execution_time: number;
  /** in chronological order, including the proxy's refusals */
  logs: Omit<LogMessage, 'type'>[];
  /** there were more than are stored */
  logsCut: boolean;
  tests: RecordedTest[];
  /** number of tests in the script; null: it ended before that was known */
  testCount: number | null;
  fatal: { error: ScriptError; compiling: boolean } | null;
  pages: PageRecord[];
  files: RecordedFile[];
  /** number of files that were not stored */
  filesLeftOut: number;
  /** sentences about what was left out or failed */
  notes: string[];
}
