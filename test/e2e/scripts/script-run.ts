import type { ScriptKind } from '../../../probes/script/protocol.ts';

/** The parameters of a script's run. */
export interface ScriptInput {
  /** values of secrets by environment variable */
  env?: Record<string, string>;
  /** the URL of the check, to which the script's paths are relative */
  url: string;
  /** milliseconds */
  timeout?: number;
}

export interface ScriptStep {
  name: string;
  status: 'passed' | 'failed';
  /** milliseconds */
  duration: number;
  error: string | null;
  steps: ScriptStep[];
}

/** The outcome of a script's run, whichever way it was run: a part of a check's result. */
export interface ScriptRun {
  status: 'ok' | 'error';
  error_message: string | null;
  check_metadata: {
    logs: { message: string }[];
    test_results: ScriptStep[];
    test_summary: { failed: number; passed: number; total: number };
  };
  /** the pictures that the script took with a `path`, by path */
  pictures: Map<string, Buffer>;
}

export type RunScript = (kind: ScriptKind, script: string, asked: ScriptInput) => Promise<ScriptRun>;
