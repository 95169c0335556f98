/**
 * Prints which tests to run after a change, according to the imports of test files and to parts.ts.
 *
 * Usage: `npm run affected [-- commit]`, or `node test/affected.ts [commit]` with Node.js 24. The change consists of
 * all files that differ from the commit; without a commit, these are the uncommitted changes. Paths of changed files
 * can be given instead of a commit. With `--files`, only the test files that import changed files are listed.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PARTS, partOf } from './parts.ts';
import { inProject, PROJECT } from './project.ts';
import { testFiles } from './runner/files.ts';

const git = (...words: string[]): string[] =>
  execFileSync('git', words, { cwd: PROJECT, encoding: 'utf8' }).split('\n').filter(Boolean);

const tracked = git('ls-files', '--cached', '--others', '--exclude-standard');

/** Matches the modules that a source file imports or starts as a thread or process. */
const IMPORTS =
  /(?:from|import|import\(|startThread\(|launch\(|require\()\s*'(\.{1,2}\/[^']+)'|compiled\('([^']+)'\)|module: '(\.{1,2}\/[^']+)'/g;

const imports = (path: string): string[] => {
  const text = readFileSync(inProject(path), 'utf8');
  return [...text.matchAll(IMPORTS)].map(([, beside, inRoot, threaded]) => {
    const name = inRoot ?? join(dirname(path), beside ?? threaded ?? '');
    return /\.c?ts$/.test(name) ? name : `${name}.ts`;
  });
};

/** The files that import each module directly. */
const importers = new Map<string, string[]>();
for (const path of tracked.filter((name) => /\.c?ts$/.test(name) && existsSync(inProject(name))))
  for (const imported of imports(path)) importers.set(imported, [...(importers.get(imported) ?? []), path]);

/** Returns the changed modules and all modules that import them directly or indirectly. */
const importersOf = (changed: readonly string[]): Set<string> => {
  const found = new Set(changed);
  for (const path of found) for (const importer of importers.get(path) ?? []) found.add(importer);
  return found;
};

const words = process.argv.slice(2).filter((word) => word !== '--files');
const named = words.filter((word) => tracked.includes(word));
const changed =
  named.length > 0
    ? named
    : [...git('diff', '--name-only', words[0] ?? 'HEAD'), ...git('ls-files', '--others', '--exclude-standard')];

const affected = importersOf(changed);
const files = testFiles()
  .map(({ path }) => path)
  .filter((path) => affected.has(path));

if (process.argv.includes('--files')) {
  for (const path of files) console.log(path);
} else if (changed.length === 0) {
  console.log('Nothing has changed.');
} else {
  const quick = files.filter((path) => partOf(path) === null);
  console.log(`npm test                      # ${quick.length} of its files import changed files`);
  for (const { name, after, has } of PARTS) {
    const because = changed.filter((path) => after.some((beginning) => path.startsWith(beginning)));
    const importing = has ? files.filter(has) : [];
    if (because.length === 0 && importing.length === 0) continue;
    const reasons = [
      because.length > 0 ? because.slice(0, 3).join(', ') + (because.length > 3 ? ', …' : '') : '',
      importing.length > 0 ? `${importing.length} of its files import changed files` : '',
    ].filter(Boolean);
    console.log(`npm run test:long -- ${name.padEnd(8)} # ${reasons.join('; ')}`);
  }
}
