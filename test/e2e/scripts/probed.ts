import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { TestStep } from '../../../domain/check/types/script.ts';
import { uptrail } from '../program.ts';
import type { RunScript, ScriptStep } from './script-run.ts';

/** What `uptrail probe synthetic|multistep --json` prints; only what is read here. */
interface Probed {
  status: string;
  error_message: string | null;
  check_metadata: {
    logs: { message: string }[];
    test_results: TestStep[];
    test_summary: { failed: number; passed: number; total: number };
  };
  files: string[];
}

const stepOf = ({ name, status, duration, error, steps = [] }: TestStep): ScriptStep => ({
  name,
  status,
  duration,
  error,
  steps: steps.map(stepOf),
});

/** The files of a run by their names; they and their folder are gone afterwards. */
const taken = (files: readonly string[]): Map<string, Buffer> => {
  const contents = new Map(files.map((file) => [basename(file), readFileSync(file)]));
  for (const folder of new Set(files.map((file) => dirname(file)))) rmSync(folder, { recursive: true, force: true });
  return contents;
};

/** Runs a script by `uptrail probe`: in a sandbox and by the proxy, as a check does. */
export const runByProbe: RunScript = async (kind, script, { env = {}, url, timeout = 30_000 }) => {
  const folder = mkdtempSync(join(tmpdir(), 'uptrail-script-'));
  try {
    const file = join(folder, 'script.spec.ts');
    writeFileSync(file, script);
    const variables = Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
    const seconds = (timeout / 1_000).toString();
    const { stdout, stderr } = await uptrail(
      { DATA_DIR: folder },
      ...['probe', kind, file, '--json', '--url', url, '--timeout', seconds, ...variables],
    );
    if (stdout === '') throw new Error(`uptrail probe said nothing: ${stderr}`);
    const { status, error_message, check_metadata, files } = JSON.parse(stdout) as Probed;
    const { logs, test_results, test_summary } = check_metadata;
    return {
      status: status === 'ok' ? 'ok' : 'error',
      error_message,
      check_metadata: { logs, test_results: test_results.map(stepOf), test_summary },
      pictures: new Map([...taken(files)].filter(([name]) => name.endsWith('.png'))),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
