/**
 * Runs the named parts of the long suite (parts.ts), one after another; without names, it runs all parts. Prints a
 * table with the outcome of each part at the end, and the totals in the last line.
 *
 * Usage: `npm run test:long [-- part …]`
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { PARTS, type Part } from './parts.ts';
import { PROJECT } from './project.ts';
import { testFiles } from './runner/files.ts';
import { printSlowest, runFiles, totalsLine, totalsOf, type Totals } from './runner/run-files.ts';

/** Runs a command. @returns the totals that it printed, or one passed or failed test if it printed none */
const runCommand = async ([program = '', ...words]: readonly string[]): Promise<Totals> => {
  const child = spawn(program, words, { cwd: PROJECT, stdio: ['ignore', 'pipe', 'inherit'] });
  let last = '';
  child.stdout.on('data', (chunk: Buffer) => {
    process.stdout.write(chunk);
    last = (last + chunk.toString()).slice(-4_000);
  });
  const [code] = (await once(child, 'close')) as [number | null];
  const [, passed, failed, skipped] = /^(\d+) passed, (\d+) failed, (\d+) skipped$/m.exec(last) ?? [];
  const totals = { passed: Number(passed ?? 0), failed: Number(failed ?? 0), skipped: Number(skipped ?? 0) };
  if (passed === undefined) totals.passed = code === 0 ? 1 : 0;
  if (code !== 0 && totals.failed === 0) totals.failed = 1;
  return totals;
};

const run = async ({ has, atOnce, commands = [] }: Part): Promise<Totals> => {
  const results = has
    ? await runFiles(
        testFiles().filter(({ path }) => has(path)),
        atOnce,
      )
    : [];
  printSlowest(results);
  const others: Totals[] = [];
  for (const command of commands) others.push(await runCommand(command));
  return totalsOf([...results, ...others]);
};

const names = process.argv.slice(2);
const unknown = names.filter((name) => !PARTS.some((part) => part.name === name));
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}. The parts are ${PARTS.map(({ name }) => name).join(', ')}.`);
  process.exit(2);
}

const ended: { name: string; totals: Totals; seconds: number }[] = [];
for (const part of PARTS.filter(({ name }) => names.length === 0 || names.includes(name))) {
  console.log(`\n== ${part.name}: ${part.covers}`);
  const began = performance.now();
  const totals = await run(part);
  ended.push({ name: part.name, totals, seconds: (performance.now() - began) / 1000 });
}

console.log('');
for (const { name, totals, seconds } of ended)
  console.log(`${name.padEnd(10)} ${(seconds / 60).toFixed(1).padStart(5)} min  ${totalsLine(totals)}`);
const totals = totalsOf(ended.map((one) => one.totals));
process.exitCode = totals.failed > 0 ? 1 : 0;
console.log(totalsLine(totals));
