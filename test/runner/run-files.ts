import { availableParallelism } from 'node:os';
import type { TestFile } from './files.ts';
import { runAlone, sharedProcess, type FileResult } from './run-file.ts';

export interface Totals {
  passed: number;
  failed: number;
  skipped: number;
}

export const totalsOf = (results: readonly Totals[]): Totals => ({
  passed: results.reduce((sum, { passed }) => sum + passed, 0),
  failed: results.reduce((sum, { failed }) => sum + failed, 0),
  skipped: results.reduce((sum, { skipped }) => sum + skipped, 0),
});

/** Returns the totals in the format of the last line that `npm test` prints. */
export const totalsLine = ({ passed, failed, skipped }: Totals): string =>
  `${passed} passed, ${failed} failed, ${skipped} skipped`;

const reasons = (output: string): string[] => [...output.matchAll(/^.*skipped: .+$/gm)].map(([line]) => line.trim());

const print = (result: FileResult, { own }: TestFile): void => {
  const { passed, failed, skipped, seconds, file } = result;
  const figures = [`${passed} passed`]
    .concat(failed > 0 ? `${failed} failed` : [], skipped > 0 ? `${skipped} skipped` : [])
    .join(', ');
  const alone = own === null ? '' : `; own process: ${own}`;
  console.log(
    `${failed > 0 ? 'FAIL' : 'ok  '} ${file.slice('test/'.length)} (${figures}, ${seconds.toFixed(1)} s${alone})`,
  );
  if (failed > 0) console.log(result.output);
  else if (skipped > 0) for (const reason of reasons(result.output)) console.log(`     ${reason}`);
};

/**
 * Returns 0 for files that start programs or browsers, and 1 for all others. Files with 0 take longest, so they run
 * first.
 */
const startsPrograms = ({ path }: TestFile): number => (/\b(?:e2e|drills|deploy|runners)\//.test(path) ? 0 : 1);

/**
 * Runs test files concurrently and prints each result. By default there are two workers for each core, because many
 * files wait most of the time. Half of the workers begin with files that start programs, the other half with files that
 * compute.
 */
export const runFiles = async (
  files: readonly TestFile[],
  atOnce = 2 * availableParallelism(),
): Promise<FileResult[]> => {
  const results: FileResult[] = [];
  const waiting = [...files].sort((a, b) => startsPrograms(a) - startsPrograms(b));
  const lane = async (next: () => TestFile | undefined): Promise<void> => {
    const shared = sharedProcess();
    for (let file = next(); file !== undefined; file = next()) {
      const result = await (file.own === null ? shared.run(file) : runAlone(file));
      results.push(result);
      print(result, file);
    }
    shared.stop();
  };
  await Promise.all(
    Array.from({ length: atOnce }, (_, index) => lane(() => (index % 2 === 0 ? waiting.shift() : waiting.pop()))),
  );
  return results;
};

/** Prints the ten slowest files, if there were more than ten. */
export const printSlowest = (results: readonly FileResult[]): void => {
  if (results.length <= 10) return;
  console.log('\nThe ten slowest files:');
  for (const { file, seconds } of [...results].sort((a, b) => b.seconds - a.seconds).slice(0, 10))
    console.log(`${seconds.toFixed(1).padStart(7)} s  ${file}`);
};
