import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inProject } from './project.ts';

const test = suite('the tree of the product');

/** With more files than this, a folder is hard to survey. */
const MOST_FILES = 30;

const { include } = JSON.parse(readFileSync(inProject('tsconfig.build.json'), 'utf8')) as { include: string[] };

const foldersBelow = (folder: string): string[] => [
  folder,
  ...readdirSync(inProject(folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap((entry) => foldersBelow(join(folder, entry.name))),
];

test('no folder of the product has very many files', () => {
  const folders = [...include, 'bench', 'console'].flatMap(foldersBelow);
  assert.ok(folders.length > 100);
  for (const folder of folders) {
    const files = readdirSync(inProject(folder), { withFileTypes: true }).filter((entry) => entry.isFile());
    assert.ok(files.length <= MOST_FILES, `${folder}/ has ${files.length} files.`);
  }
});

test.run();
