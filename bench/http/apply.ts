/** Measures how long it takes to plan and apply a configuration with 2,000 checks, from files to a running service. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { inProject } from '../../test/project.ts';
import { startProgram, type Program } from '../tools/program.ts';
import { sizeOf } from '../tools/sizes.ts';
import type { Row } from '../tools/table.ts';

const CHECKS = sizeOf('APPLY_CHECKS', 2_000);
const GROUPS = 20;

const configuration = (interval: number): string =>
  stringify({
    check_groups: Array.from({ length: GROUPS }, (_, n) => ({ name: `Group ${n}` })),
    checks: Array.from({ length: CHECKS }, (_, n) => ({
      name: `Check ${n}`,
      group: `Group ${n % GROUPS}`,
      type: 'web',
      url: `https://shop.example/${n}`,
      interval,
      active: false,
      tags: ['prod', `team:${n % 7}`],
      parameters: { http_request: { headers: { Accept: 'text/html' } } },
    })),
  });

/** Runs a command. Returns its duration in seconds. */
const timed = async ({ address, key }: Program, expected: number, ...words: string[]): Promise<number> => {
  const start = performance.now();
  const child = spawn(process.execPath, [inProject('dist/cli/uptrail.cjs'), ...words], {
    env: { ...process.env, UPTRAIL_URL: address, UPTRAIL_API_KEY: key },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== expected) throw new Error(`uptrail ${words.join(' ')} ended with ${String(code)}.`);
  return (performance.now() - start) / 1_000;
};

export const bench = async (): Promise<Row[]> => {
  const program = await startProgram();
  const folder = mkdtempSync(join(tmpdir(), 'uptrail-bench-'));
  const file = join(folder, 'uptrail.yaml');
  const many = CHECKS.toLocaleString('en');
  try {
    writeFileSync(file, configuration(300));
    const row = (what: string, seconds: number, aim: string): Row => ({
      what: `${what}, ${many} checks`,
      figure: `${seconds.toFixed(1)} s`,
      aim,
    });
    const rows = [
      row('plan of an empty service', await timed(program, 2, 'plan', '-f', file), '< 3 s'),
      row('apply to an empty service', await timed(program, 0, 'apply', '-f', file), '< 30 s'),
      row('plan without changes', await timed(program, 0, 'plan', '-f', file), '< 3 s'),
      row('apply without changes', await timed(program, 0, 'apply', '-f', file), '< 3 s'),
      row('export-config', await timed(program, 0, 'export-config'), '< 3 s'),
    ];
    writeFileSync(file, configuration(600));
    rows.push(row('apply that changes each check', await timed(program, 0, 'apply', '-f', file), '< 30 s'));
    return rows;
  } finally {
    await program.stop();
    rmSync(folder, { recursive: true, force: true });
  }
};
