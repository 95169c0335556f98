import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compareHistory } from '../histories.ts';

/** Compares random histories, from a seed on; 100 of them take some minutes. */
export const compareHistories = (first: number, count: number): void => {
  const test = suite('responses as of each event of 200 random histories');
  for (let seed = first; seed < first + count; seed++)
    test(`are those that were given at that time (seed ${seed})`, async () => {
      assert.ok((await compareHistory(1_000 + seed, 30)) > 50);
    });
  test.run();
};
