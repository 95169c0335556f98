import type { ScriptKind } from '../../../probes/script/protocol.ts';

/** What a script is run with. */
export interface RanScript {
  /** values of secrets by environment variable */
  env?: Record<string, string>;
  /** the URL of the check, which the script's paths are relative to */
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

/** What is known of a run of a script, whoever has run it: a part of what a check's result has. */
export interface ScriptRun {
  status: 'ok' | 'error';
  error_message: string | null;
  check_metadata: {
    logs: { message: string }[];
    test_results: ScriptStep[];
    test_summary: { failed: number; passed: number; total: number };
  };
  /** the pictures that the script took with a `path`, by that */
  pictures: Map<string, Buffer>;
}

export type RunScript = (kind: ScriptKind, script: string, asked: RanScript) => Promise<ScriptRun>;
