import type { SaidError, SaidLog, SaidPage, ScriptKind } from './protocol.ts';

/** How a run of a script ended, as seen from outside its sandbox. */
export type ScriptEnd =
  /** the script said so itself */
  | { how: 'done' }
  /** its time was over, and it was killed */
  | { how: 'timeout' }
  /** it held more memory than it may, and was killed; mebibytes */
  | { how: 'memory'; limit: number }
  /** it had more processes and threads than it may, and was killed */
  | { how: 'processes'; limit: number }
  /** it ended before it was done: `it ended with code 3`, `it was ended by SIGSEGV` */
  | { how: 'died'; cause: string }
  /** it said something that no run says, and was killed */
  | { how: 'nonsense'; what: string };

export interface RecordedStep {
  name: string;
  category: string;
  line: number | null;
  /** null: it was under way when the run ended */
  duration: number | null;
  error: SaidError | null;
  steps: RecordedStep[];
}

/** A file that a run left, outside of its sandbox. */
export interface RecordedFile {
  /** the test that made it, by its place in `tests`; null: none */
  test: number | null;
  role: 'screenshot' | 'video';
  name: string;
  contentType: string;
  /** where its bytes are; whoever takes the record moves or removes it */
  path: string;
  /** bytes */
  size: number;
}

/** Whether a step is one that the script or its hooks made, which people know by name, by its category. */
export const isOfScript = (category: string): boolean => category === 'test.step' || category === 'hook';

export interface RecordedTest {
  titles: string[];
  line: number;
  /** `running`: it was under way when the run ended */
  status: 'passed' | 'failed' | 'timedOut' | 'skipped' | 'interrupted' | 'running';
  duration: number | null;
  errors: SaidError[];
  softErrors: SaidError[];
  steps: RecordedStep[];
}

/** Everything that is known of a run when it has ended: what results in any format are made from. */
export interface RunRecord {
  kind: ScriptKind;
  /** name and version of the browser */
  browser: string | null;
  end: ScriptEnd;
  /** milliseconds from the beginning of the script to its end */
  execution_time: number;
  /** in the order of their time; what the proxy refused is among them */
  logs: Omit<SaidLog, 'type'>[];
  /** there were more than are kept */
  logsCut: boolean;
  tests: RecordedTest[];
  /** how many tests the script has; null: it ended before it was known */
  testCount: number | null;
  fatal: { error: SaidError; compiling: boolean } | null;
  pages: SaidPage[];
  files: RecordedFile[];
  /** how many it had besides those that are kept */
  filesLeftOut: number;
  /** what was left out or could not be done, in sentences */
  notes: string[];
}
