/**
 * Measures the cost of creating a check if the plan limits the number of checks, which requires a claim for each check.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProgram, type Program } from '../tools/program.ts';
import { sizeOf } from '../tools/sizes.ts';
import { median, type Row } from '../tools/table.ts';

const CHECKS = sizeOf('QUOTA_CHECKS', 300);

const plan = {
  id: 'large',
  name: 'Large',
  price: { value: '0.00', currency: 'EUR' },
  duration: 30,
  limits: { checks: 1_000_000 },
  default: true,
};
const body = JSON.stringify({
  name: 'Shop',
  type: 'web',
  url: 'https://shop.example/',
  interval: 86_400,
  active: false,
});

/** Creates a check, and returns the milliseconds until the response. */
const create = async ({ address, key }: Program): Promise<number> => {
  const start = performance.now();
  const headers = { authorization: key, 'content-type': 'application/json' };
  const response = await fetch(`${address}/v1/checks`, { method: 'POST', headers, body });
  await response.text();
  if (response.status !== 201) throw new Error(`A check got status ${response.status}.`);
  return performance.now() - start;
};

export const bench = async (): Promise<Row[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'uptrail-bench-'));
  const file = join(folder, 'plans.json');
  writeFileSync(file, JSON.stringify([plan]));
  const programs: Program[] = [];
  try {
    const limited = await startProgram({ PLANS_FILE: file });
    programs.push(limited);
    const unlimited = await startProgram();
    programs.push(unlimited);
    const times = { limited: [] as number[], unlimited: [] as number[] };
    for (let n = 0; n < CHECKS; n++) {
      // Both plans are measured in alternation, because the machine's speed varies.
      times.limited.push(await create(limited));
      times.unlimited.push(await create(unlimited));
    }
    const [ours, theirs] = [median(times.limited.slice(CHECKS / 10)), median(times.unlimited.slice(CHECKS / 10))];
    return [
      {
        what: 'POST of a check with a plan limit, sequential, median',
        figure: `${ours.toFixed(1)} ms`,
        peer: `without a limit ${theirs.toFixed(1)} ms`,
        ratio: theirs / ours,
        aim: '≥ 0.4',
      },
    ];
  } finally {
    for (const program of programs) await program.stop();
    rmSync(folder, { recursive: true, force: true });
  }
};
