import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inTemporaryFolder } from '../../service/temporary.ts';
import { randomFrom } from '../../contracts/random.ts';
import { clusterChaos } from '../cluster-chaos.ts';
import { skippedWithoutCluster } from '../cluster-servers.ts';
import { endPrograms } from '../program.ts';

const SECONDS = 20;

const test = suite('a cluster whose processes and servers are killed at random');
test.after.each(endPrograms);

test(
  'a cluster whose processes and servers are killed at random loses no acknowledged write, does nothing twice, and its read models equal their rebuilds',
  inTemporaryFolder(async (folder) => {
    const tally = await clusterChaos({ folder, seconds: SECONDS, random: randomFrom(Date.now()) });
    assert.ok(tally.incidents > 0 && tally.jobs > 0, 'it wrote in between');
  }),
);

if (!skippedWithoutCluster()) test.run();
