import type { ScriptKind } from '../../../probes/script/protocol.ts';

/** The parameters of a script run. */
export interface ScriptInput {
  /** values of secrets, by environment variable */
  env?: Record<string, string>;
  /** the URL of the check, to which the script's paths are relative */
  url: string;
  /** time limit in milliseconds */
  timeout?: number;
}

export interface ScriptStep {
  name: string;
  status: 'passed' | 'failed';
  /** in milliseconds */
  duration: number;
  error: string | null;
  steps: ScriptStep[];
}

/**
 * The outcome of a script run, with the fields of a check result that runs in a sandbox and runs by Playwright both
 * have.
 */
export interface ScriptRun {
  status: 'ok' | 'error';
  error_message: string | null;
  check_metadata: {
    logs: { message: string }[];
    test_results: ScriptStep[];
    test_summary: { failed: number; passed: number; total: number };
  };
  /** the screenshots that the script took with a `path`, by path */
  pictures: Map<string, Buffer>;
}

export type RunScript = (kind: ScriptKind, script: string, requested: ScriptInput) => Promise<ScriptRun>;
