import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compareHistory } from '../histories.ts';

/** Compares random histories with consecutive seeds. A hundred histories take some minutes. */
export const compareHistories = (first: number, count: number): void => {
  const test = suite('responses as of each event of random histories');
  for (let seed = first; seed < first + count; seed++)
    test(`a request with ?at= and the time of any event gets the response that the API gave at that time (seed ${seed})`, async () => {
      assert.ok((await compareHistory(1_000 + seed, 30)) > 50);
    });
  test.run();
};
