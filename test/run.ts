/**
 * Runs every test file in a process of its own, as many at once as there are cores, and prints the
 * totals as the last line. Usage: `npm test [-- part-of-a-path …]`. What needs a cluster of processes takes
 * minutes and is run only when it is asked for: `npm test -- e2e/cluster`.
 *
 * A file that ends without a summary, or takes longer than five minutes (ten where it starts the real program or
 * browsers), counts as one failure.
 */
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FILE_TIMEOUT_MS = 300_000;
/** Of files that start the real program or browsers, often again and again. */
const PROGRAM_TIMEOUT_MS = 600_000;
const startsProgram = (file: string): boolean => /\b(e2e|drills|runners\/script)\//.test(file);
const startsCluster = (file: string): boolean => file.includes('e2e/cluster/');

/** Where Node.js reads TypeScript by itself, that takes half as long as `tsx`. */
const LOADER = 'typescript' in process.features && process.features.typescript ? [] : ['--import', 'tsx'];

interface FileResult {
  file: string;
  passed: number;
  failed: number;
  skipped: number;
  seconds: number;
  output: string;
}

const testFiles = (filters: readonly string[]): string[] =>
  readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts') && !/^drills\/[^/]+\/added\//.test(file))
    .map((file) => join('test', file))
    .filter((file) => (filters.length === 0 ? !startsCluster(file) : filters.some((filter) => file.includes(filter))))
    // Files that start the real program take longest: begin with them.
    .sort((a, b) => Number(startsProgram(b)) - Number(startsProgram(a)) || (a < b ? -1 : 1));

/** The figures of uvu's summaries; a file may print several. */
const figure = (output: string, name: string): number =>
  [...output.matchAll(new RegExp(`^\\s*${name}:\\s+(\\d+)`, 'gm'))].reduce(
    (sum, [, digits]) => sum + Number(digits),
    0,
  );

const runFile = (file: string): Promise<FileResult> =>
  new Promise((resolve) => {
    const started = performance.now();
    const patience = startsProgram(file) ? PROGRAM_TIMEOUT_MS : FILE_TIMEOUT_MS;
    const child = spawn(process.execPath, [...LOADER, '--import', './test/own-coverage.cjs', file], {
      cwd: ROOT,
      env: { ...process.env, FORCE_COLOR: '0', NODE_ENV: 'test' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    let timedOut = false;
    const collect = (chunk: Buffer): void => {
      output += chunk.toString();
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    const timer = setTimeout(() => {
      timedOut = true;
      child.kill('SIGKILL');
    }, patience);
    child.on('close', (code) => {
      clearTimeout(timer);
      const total = figure(output, 'Total');
      const passed = figure(output, 'Passed');
      const skipped = figure(output, 'Skipped');
      const summarised = /^\s*Total:\s+\d+/m.test(output);
      let failed = total - passed;
      if (failed === 0 && (code !== 0 || !summarised)) failed = 1;
      if (timedOut) output += `\nStopped after ${patience / 1000} s.\n`;
      resolve({ file, passed, failed, skipped, seconds: (performance.now() - started) / 1000, output });
    });
  });

const reasons = (output: string): string[] => [...output.matchAll(/^.*skipped: .+$/gm)].map(([line]) => line.trim());

const files = testFiles(process.argv.slice(2));
const results: FileResult[] = [];
const queue = [...files];
const worker = async (): Promise<void> => {
  for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
    const result = await runFile(file);
    results.push(result);
    const figures = `${result.passed} passed${result.failed ? `, ${result.failed} failed` : ''}${result.skipped ? `, ${result.skipped} skipped` : ''}`;
    console.log(
      `${result.failed ? 'FAIL' : 'ok  '} ${relative('test', file)} (${figures}, ${result.seconds.toFixed(1)} s)`,
    );
    if (result.failed) console.log(result.output);
    else if (result.skipped) for (const reason of reasons(result.output)) console.log(`     ${reason}`);
  }
};
// A cluster has more processes than there are cores.
const atOnce = files.some(startsCluster) ? 1 : Math.max(2, availableParallelism());
await Promise.all(Array.from({ length: atOnce }, worker));

const sum = (part: (result: FileResult) => number): number =>
  results.reduce((total, result) => total + part(result), 0);
const failed = sum((result) => result.failed) + (files.length === 0 ? 1 : 0);
if (files.length === 0) console.log('No test file matches.');
process.exitCode = failed > 0 ? 1 : 0;
console.log(`${sum((result) => result.passed)} passed, ${failed} failed, ${sum((result) => result.skipped)} skipped`);
