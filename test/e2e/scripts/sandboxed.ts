import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestStep } from '../../../domain/check/types/script.ts';
import { createTargetPolicy } from '../../../domain/target/policy.ts';
import { parsePorts } from '../../../domain/target/ports.ts';
import { systemClock } from '../../../network/clock.ts';
import type { Outcome } from '../../../probes/engine/check-type.ts';
import { findScriptPrograms } from '../../../probes/script/programs.ts';
import { whyNoSandbox } from '../../../probes/script/sandbox/why-no-sandbox.ts';
import { openScripts } from '../../../probes/script/scripts.ts';
import { contextOf, resolveIn } from '../../probes/run-context.ts';
import type { RunScript, ScriptRun, ScriptStep } from './script-run.ts';

/** Returns why scripts can't run on this machine, for the message of a skipped test. */
export const whyNoScripts = async (): Promise<string[]> => {
  const { chromium } = await findScriptPrograms({ chromium: null });
  return [await whyNoSandbox(), chromium === null ? 'chromium is not installed' : null].filter((why) => why !== null);
};

const stepOf = ({ name, status, duration, error, steps = [] }: TestStep): ScriptStep => ({
  name,
  status,
  duration,
  error,
  steps: steps.map(stepOf),
});

const read = ({ status, error_message, check_metadata, files = [] }: Outcome, folder: string): ScriptRun => {
  const { logs, test_results, test_summary } = check_metadata as unknown as {
    logs: { message: string }[];
    test_results: TestStep[];
    test_summary: ScriptRun['check_metadata']['test_summary'];
  };
  return {
    status: status === 'ok' ? 'ok' : 'error',
    error_message,
    check_metadata: { logs, test_results: test_results.map(stepOf), test_summary },
    pictures: new Map(
      files
        .filter(({ role }) => role === 'screenshot')
        .map(({ name, staged }) => [name, readFileSync(join(folder, staged))]),
    ),
  };
};

/**
 * Creates a function that runs scripts in sandboxes, as checks do. At most one script of each type runs at a time, and
 * host names are not resolved.
 */
export const openSandboxed = async (): Promise<{ run: RunScript; close: () => Promise<void> }> => {
  const policy = createTargetPolicy({ policy: 'internal' });
  const scripts = await openScripts({
    settings: {
      ...(await findScriptPrograms({ chromium: null })),
      sandbox: 'on',
      atOnce: { multistep: 1, synthetic: 1 },
      ports: parsePorts('80,443,1024-65535'),
    },
    policy,
    resolve: resolveIn({}),
    clock: systemClock,
  });
  const run: RunScript = async (kind, script, { env = {}, url, timeout = 30_000 }) => {
    const staging = mkdtempSync(join(tmpdir(), 'uptrail-staged-'));
    try {
      const check = {
        type: kind,
        url,
        host: null,
        port: null,
        timeout: timeout / 1_000,
        parameters: { pw_script: script },
        secrets: env,
      };
      const outcome = await scripts.runs.get(kind)?.(check, { ...contextOf({}), policy, staging });
      if (!outcome) throw new Error(`Scripts of type ${kind} are not run here.`);
      return read(outcome, staging);
    } finally {
      rmSync(staging, { recursive: true, force: true });
    }
  };
  return { run, close: scripts.stop };
};
