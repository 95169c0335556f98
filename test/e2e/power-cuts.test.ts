import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inTemporaryFolder } from '../service/temporary.ts';
import { randomFrom } from '../contracts/random.ts';
import { powerCuts } from './power-cuts.ts';
import { endPrograms } from './program.ts';

const test = suite('uptrail serve after repeated power cuts');
test.after.each(endPrograms);

/** `POWER_CUTS` and `POWER_CUTS_SEED` can be set to reproduce a failure. */
const CUTS = Number(process.env['POWER_CUTS'] ?? 200);
const SEED = Number(process.env['POWER_CUTS_SEED'] ?? Date.now() % 1_000_000);

test(
  `after each of many power cuts, the first and every later response of uptrail serve shows all acknowledged writes, and a repeated request is not executed twice (seed ${SEED})`,
  inTemporaryFolder(async (DATA_DIR) => {
    const tally = await powerCuts({ DATA_DIR }, CUTS, randomFrom(SEED), {
      say: process.env['POWER_CUTS_SAY'] ? console.log : () => undefined,
    });
    console.log(JSON.stringify(tally));
    assert.is(tally.cuts, CUTS);
  }),
);

test.run();
