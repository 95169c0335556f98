import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inProject } from './project.ts';

const test = suite('the tree of the product');

/** Maximum number of files in a folder. More files are hard to survey. */
const MOST_FILES = 30;

const { include } = JSON.parse(readFileSync(inProject('tsconfig.build.json'), 'utf8')) as { include: string[] };

const foldersBelow = (folder: string): string[] => [
  folder,
  ...readdirSync(inProject(folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap((entry) => foldersBelow(join(folder, entry.name))),
];

test(`no folder of the product has more than ${MOST_FILES} files`, () => {
  const folders = [...include, 'bench', 'console'].flatMap(foldersBelow);
  assert.ok(folders.length > 100);
  for (const folder of folders) {
    const files = readdirSync(inProject(folder), { withFileTypes: true }).filter((entry) => entry.isFile());
    assert.ok(files.length <= MOST_FILES, `${folder}/ has ${files.length} files.`);
  }
});

const filesIn = (folder: string): string[] =>
  readdirSync(inProject(folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file));

/** Splits a regular expression for paths into its alternatives: `^a/(b|c)` becomes `^a/b` and `^a/c`. */
const variants = (path: string): string[] => {
  const [group, inner] = /\(([^()]*)\)/.exec(path) ?? [];
  if (group === undefined || inner === undefined) return [path];
  return inner.split('|').flatMap((one) => variants(path.replace(group, () => one)));
};

interface Side {
  path?: string | string[];
  pathNot?: string | string[];
}

test('every path in the import rules of .dependency-cruiser.cjs matches a file', () => {
  const { forbidden } = createRequire(import.meta.url)(inProject('.dependency-cruiser.cjs')) as {
    forbidden: { from: Side; to: Side }[];
  };
  const files = [...include, 'bench', 'console', 'test'].flatMap(filesIn);
  const paths = forbidden
    .flatMap(({ from, to }) => [from.path, from.pathNot, to.path, to.pathNot])
    .flat()
    .filter((path) => path?.startsWith('^') === true);
  assert.ok(paths.length > 30);
  for (const path of new Set(paths.flatMap((one = '') => variants(one)))) {
    assert.ok(
      files.some((file) => new RegExp(path).test(file)),
      `No file matches ${path}.`,
    );
  }
});

test('every name whose import the linter restricts is exported by the product', () => {
  const config = readFileSync(inProject('eslint.config.js'), 'utf8');
  const selected = [...config.matchAll(/imported\.name='(\w+)'/g)].map(([, name = '']) => name);
  const imported = [...config.matchAll(/group: \[[^\]]*\],\s*importNames: \[([^\]]*)\]/g)].flatMap(([, names = '']) =>
    [...names.matchAll(/'(\w+)'/g)].map(([, name = '']) => name),
  );
  const restricted = [...selected, ...imported];
  assert.ok(restricted.length >= 4, restricted.join(', '));
  const code = filesIn('network')
    .concat(filesIn('domain/target'))
    .filter((file) => file.endsWith('.ts'));
  const exported = code.map((file) => readFileSync(inProject(file), 'utf8')).join('\n');
  for (const name of restricted) assert.match(exported, new RegExp(`^export const ${name}\\b`, 'm'), name);
});

test.run();
