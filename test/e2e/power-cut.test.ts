import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inTemporaryFolder } from '../service/temporary.ts';
import { randomFrom } from '../contracts/random.ts';
import { powerCuts } from './power-cuts.ts';
import { endPrograms } from './program.ts';

const test = suite('uptrail serve after a power cut');
test.after.each(endPrograms);

test(
  'after a power cut, the first and every later response of uptrail serve shows all acknowledged writes, and a repeated request is not executed twice',
  inTemporaryFolder(async (DATA_DIR) => {
    const tally = await powerCuts({ DATA_DIR }, 3, randomFrom(20_261_126), { verify: false });
    assert.ok(tally.compared > 0 && tally.acknowledged > tally.cuts, JSON.stringify(tally));
  }),
);

test.run();
