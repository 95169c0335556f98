/**
 * Runs the quick suite (parts.ts), or all test files whose paths contain one of the given parts. `-t` selects the tests
 * whose titles contain all of the given words. The last line shows the totals.
 *
 * Usage: `npm test [-- part-of-a-path …] [-t words of a title]`
 *
 * Several processes each run many files, one after another. A file runs in a separate process if its first line gives
 * the reason: `// Own process: …`.
 */
import { writeFileSync } from 'node:fs';
import { isQuick } from './parts.ts';
import { testFiles } from './runner/files.ts';
import { printSlowest, runFiles, totalsLine, totalsOf } from './runner/run-files.ts';

const words = process.argv.slice(2);
const title = words.indexOf('-t');
const parts = title < 0 ? words : words.slice(0, title);
if (title >= 0) process.env['TEST_TITLE'] = words.slice(title + 1).join(' ');

const files = testFiles().filter(({ path }) =>
  parts.length === 0 ? isQuick(path) : parts.some((part) => path.includes(part)),
);
const results = await runFiles(files);
printSlowest(results);

const report = process.env['TEST_REPORT'];
if (report !== undefined)
  writeFileSync(
    report,
    JSON.stringify(
      results.map(({ file, passed, failed, skipped, seconds }) => ({ file, passed, failed, skipped, seconds })),
    ),
  );

const totals = totalsOf(results);
if (files.length === 0) {
  console.log('No test file matches.');
  totals.failed = 1;
} else if (process.env['TEST_TITLE'] !== undefined && totals.passed + totals.failed === 0) {
  console.log('No title matches.');
  totals.failed = 1;
}
process.exitCode = totals.failed > 0 ? 1 : 0;
console.log(totalsLine(totals));
