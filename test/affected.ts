/**
 * `npm run affected [-- commit]`, or `node test/affected.ts [commit]` with Node.js 24: which tests a change since a
 * commit needs, by imports and by parts.ts (default: the last commit, so uncommitted changes). `--files` lists the test
 * files that import the changed files; paths may be given instead of a commit.
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

/** Modules that a source imports, starts as a thread or starts as a process. */
const IMPORTS =
  /(?:from|import|import\(|startThread\(|launch\(|require\()\s*'(\.{1,2}\/[^']+)'|compiled\('([^']+)'\)|module: '(\.{1,2}\/[^']+)'/g;

const imports = (path: string): string[] => {
  const text = readFileSync(inProject(path), 'utf8');
  return [...text.matchAll(IMPORTS)].map(([, beside, inRoot, threaded]) => {
    const name = inRoot ?? join(dirname(path), beside ?? threaded ?? '');
    return /\.c?ts$/.test(name) ? name : `${name}.ts`;
  });
};

/** The direct importers of each module. */
const importers = new Map<string, string[]>();
for (const path of tracked.filter((name) => /\.c?ts$/.test(name) && existsSync(inProject(name))))
  for (const imported of imports(path)) importers.set(imported, [...(importers.get(imported) ?? []), path]);

/** All direct and indirect importers of these modules, including the modules themselves. */
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
