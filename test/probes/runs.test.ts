import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isCheckType } from '../../domain/check/types/index.ts';
import { RUNS, SCRIPT_TYPES, TYPES } from '../../probes/index.ts';
import { inProject } from '../project.ts';

const runs = suite('the runs of probe processes');

runs('every run belongs to an existing check type', () => {
  assert.equal(TYPES, [...RUNS.keys(), ...SCRIPT_TYPES]);
  assert.equal(
    TYPES.filter((type) => !isCheckType(type)),
    [],
  );
});

/** Returns the packages that a module imports, directly or indirectly. */
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

runs('probe processes load no schemas, because schemas would take a fifth of each process’s memory', () => {
  const packages = packagesOf(inProject('runners/processes/probe-process.ts'));
  const loaded = [...packages].filter((name) => !name.startsWith('node:')).sort();
  assert.equal(loaded, ['ipaddr.js', 'json-p3', 'lru-cache']);
});

runs.run();
