import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inProject } from './project.ts';

const test = suite('the tree of the product');

/** More than this in one folder is no table of contents. */
const MOST_FILES = 30;

const { include } = JSON.parse(readFileSync(inProject('tsconfig.build.json'), 'utf8')) as { include: string[] };

const foldersBelow = (folder: string): string[] => [
  folder,
  ...readdirSync(inProject(folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap((entry) => foldersBelow(join(folder, entry.name))),
];

test('has no folder with very many files', () => {
  const folders = [...include, 'bench', 'console'].flatMap(foldersBelow);
  assert.ok(folders.length > 100);
  for (const folder of folders) {
    const files = readdirSync(inProject(folder), { withFileTypes: true }).filter((entry) => entry.isFile());
    assert.ok(files.length <= MOST_FILES, `${folder}/ has ${files.length.toString()} files.`);
  }
});

test.run();
