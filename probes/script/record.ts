import type { ScriptError, LogMessage, PageRecord, ScriptKind } from './protocol.ts';

/** How the run of a script ended, as observed from outside its sandbox. */
export type ScriptEnd =
  /** the script reported its end */
  | { how: 'done' }
  /** the script ran out of time, and was killed */
  | { how: 'timeout' }
  /** the script exceeded its memory limit (in mebibytes), and was killed */
  | { how: 'memory'; limit: number }
  /** the script exceeded its limit of processes and threads, and was killed */
  | { how: 'processes'; limit: number }
  /** the program in the sandbox ended early; the cause is `it ended with code 3` or `it was ended by SIGSEGV` */
  | { how: 'died'; cause: string }
  /** the script sent an invalid message, and was killed */
  | { how: 'nonsense'; what: string };

export interface RecordedStep {
  name: string;
  category: string;
  line: number | null;
  /** in milliseconds; null if the step was running when the run ended */
  duration: number | null;
  error: ScriptError | null;
  steps: RecordedStep[];
}

/** A file that a run created, now outside its sandbox. */
export interface RecordedFile {
  /** index in `tests` of the test that created the file; null if none did */
  test: number | null;
  role: 'screenshot' | 'video';
  name: string;
  contentType: string;
  /** path of the content, which the receiver of the record must move or remove */
  path: string;
  /** in bytes */
  size: number;
}

/**
 * Returns whether a step of this category was named by the script (`test.step`, hooks), so that users know its name.
 */
export const isOfScript = (category: string): boolean => category === 'test.step' || category === 'hook';

export interface RecordedTest {
  titles: string[];
  line: number;
  /** `running` if the test was running when the run ended */
  status: 'passed' | 'failed' | 'timedOut' | 'skipped' | 'interrupted' | 'running';
  duration: number | null;
  errors: ScriptError[];
  softErrors: ScriptError[];
  steps: RecordedStep[];
}

/** Everything that is known about a run when it has ended. The result is made from it. */
export interface RunRecord {
  kind: ScriptKind;
  /** name and version of the browser */
  browser: string | null;
  end: ScriptEnd;
  /** milliseconds from the start of the script to its end */
  execution_time: number;
  /** logs in chronological order, including notes of the proxy about refusals */
  logs: Omit<LogMessage, 'type'>[];
  /** whether there were more logs than are stored */
  logsCut: boolean;
  tests: RecordedTest[];
  /** number of tests in the script; null if the script ended before it was known */
  testCount: number | null;
  fatal: { error: ScriptError; compiling: boolean } | null;
  pages: PageRecord[];
  files: RecordedFile[];
  /** number of files that were not stored */
  filesLeftOut: number;
  /** sentences about what was omitted or failed */
  notes: string[];
}
