/**
 * `npm test [-- part-of-a-path …] [-t words of a title]`: the quick suite (parts.ts), or all files whose paths contain
 * one of these parts, restricted to tests whose titles contain all words. The last line has the totals. Files share
 * processes, one after another, unless their first line says why they can't: `// Own process: …`.
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
