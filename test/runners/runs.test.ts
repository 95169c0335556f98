import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { TYPES } from '../../runners/index.ts';
import { RUNS } from '../../runners/runs.ts';

const runs = suite('what probe processes run');

runs('is every type of check, as the type says', () => {
  assert.equal(RUNS, Object.fromEntries(TYPES.map(({ type, run }) => [type, run])));
});

/** Packages that a module loads at its start, by itself or by what it imports. */
const packagesOf = (file: string, seen = new Set<string>()): Set<string> => {
  const packages = new Set<string>();
  if (seen.has(file)) return packages;
  seen.add(file);
  for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(
    /^(?:import|export) (?!type )[^;]*?from '([^']+)'/gm,
  )) {
    if (!name.startsWith('.')) packages.add(name);
    else for (const one of packagesOf(join(dirname(file), name), seen)) packages.add(one);
  }
  return packages;
};

runs('loads no schemas, which would take a fifth of the memory of a process', () => {
  const packages = packagesOf(join(import.meta.dirname, '../../service/parts/probe-process.ts'));
  assert.equal([...packages].filter((name) => !name.startsWith('node:')).sort(), [
    'ipaddr.js',
    'json-p3',
    'lru-cache',
    'undici',
  ]);
});

runs.run();
