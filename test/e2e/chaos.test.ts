import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inTemporaryFolder } from '../service/temporary.ts';
import { randomFrom } from '../contracts/random.ts';
import { chaos } from './chaos.ts';
import { endPrograms } from './program.ts';

const test = suite('kill -9 of uptrail serve during writes');
test.after.each(endPrograms);

test(
  'in spite of kill -9 uptrail serve stores every acknowledged write exactly once, and its read models equal their rebuilds',
  inTemporaryFolder(async (DATA_DIR) => {
    const kills = 10;
    const tally = await chaos({ DATA_DIR }, kills, randomFrom(Date.now()));
    assert.ok(tally.acknowledged > kills, 'it wrote in between');
  }),
);

test.run();
