import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LIMITS } from '../../../probes/script/sandbox/limits/limits.ts';
import { modules } from './inside/loading.ts';
import { inProject } from '../../project.ts';

/** Tests that docs/reference/scripts.md, which is for authors of scripts, gives the same values as the code. */
const test = suite('docs/reference/scripts.md');

const text = readFileSync(inProject('docs/reference/scripts.md'), 'utf8');
const line = /^- A script is one file\. It may import (.*), and these modules of Node\.js: (.*)\.$/m.exec(text);
const namesIn = (list: string | undefined): string[] =>
  [...(list ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);

test('docs/reference/scripts.md names the packages that scripts may import', () => {
  assert.equal(namesIn(line?.[1]).sort(), [...modules.PACKAGES].sort());
});

test('docs/reference/scripts.md names the modules of Node.js that scripts may import', () => {
  const named = namesIn(line?.[2]);
  for (const name of named) assert.is(modules.mayImport(name), null);
  // The set of modules depends on the version of Node.js.
  for (const name of builtinModules.filter((one) => /^[a-z]\w*$/.test(one)))
    if (modules.mayImport(name) === null) assert.ok(named.includes(name), name);
});

const row = (title: string): string[] =>
  text
    .split('\n')
    .find((one) => one.startsWith(`| ${title}`))
    ?.split('|')
    .slice(2, 4)
    .map((cell) => cell.trim()) ?? [];

test('docs/reference/scripts.md gives the limits of a run', () => {
  const { multistep, synthetic } = LIMITS;
  const both = (value: (limits: typeof multistep) => string): string[] => [value(multistep), value(synthetic)];
  assert.equal(
    row('processes'),
    both(({ processes }) => processes.toString()),
  );
  assert.equal(
    row('open files'),
    both(({ files }) => files.toLocaleString('en')),
  );
  assert.equal(
    row('files below'),
    both(({ disk }) => `${disk} MiB`),
  );
  assert.equal(row('memory'), ['512 MiB', '1 GiB']);
  assert.equal(
    both(({ memory }) => memory.toString()),
    ['512', '1024'],
  );
});

test.run();
