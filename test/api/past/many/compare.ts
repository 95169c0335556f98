import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compareHistory } from '../histories.ts';

/** Number of the random histories that one file compares, so that it takes less than a minute on a busy machine. */
const IN_FILE = 10;

/** Compares the histories of file number `file`, from 1. */
export const compareHistories = (file: number): void => {
  const test = suite(`responses as of each event of random histories, part ${file} of 20`);
  for (let seed = (file - 1) * IN_FILE + 1; seed <= file * IN_FILE; seed++)
    test(`a request with ?at= and the time of any event gets the response that the API gave at that time (seed ${seed})`, async () => {
      assert.ok((await compareHistory(1_000 + seed, 30)).compared > 50);
    });
  test.run();
};
