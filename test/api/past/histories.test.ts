import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compareHistory } from './histories.ts';

const test = suite('past states of random histories');

for (let seed = 1; seed <= 5; seed++)
  test(`a request with ?at= and the time of any event gets the response that the API gave at that time (seed ${seed})`, async () => {
    const { compared, whole } = await compareHistory(seed, 30);
    assert.ok(compared > 50 && whole > compared / 4, `${whole} of ${compared} texts were compared`);
  });

test.run();
