import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { TYPES } from '../../cli/check-types.ts';
import { RUNS } from '../../runners/runs.ts';

const runs = suite('what probe processes run');

runs('is every type of check, as the type says', () => {
  assert.equal(RUNS, Object.fromEntries(TYPES.map(({ type, run }) => [type, run])));
});

runs.run();
