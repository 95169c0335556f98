import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compareHistory } from './histories.ts';

const test = suite('responses as of each event of random histories');

for (let seed = 1; seed <= 8; seed++)
  test(`are those that were given at that time (seed ${seed})`, async () => {
    assert.ok((await compareHistory(seed, 30)) > 50);
  });

test.run();
