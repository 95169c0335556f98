/**
 * Usage: `npm run chaos:cluster [-- seconds] [times] [seed]`. Kills processes and servers of a cluster at random, by
 * default one time for two minutes. The same seed chooses the same faults, but they hit the processes at other moments.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomFrom } from '../contracts/random.ts';
import { clusterChaos } from './cluster-chaos.ts';
import { endPrograms } from './program.ts';

const [seconds = '120', times = '1', first = Date.now().toString()] = process.argv.slice(2);
for (let time = 0; time < Number(times); time++) {
  const folder = mkdtempSync(join(tmpdir(), 'uptrail-chaos-'));
  const seed = Number(first) + time;
  console.log(`seed ${seed}`);
  try {
    const tally = await clusterChaos({ folder, seconds: Number(seconds), random: randomFrom(seed), say: console.log });
    console.log(JSON.stringify(tally));
  } finally {
    await endPrograms();
    rmSync(folder, { recursive: true, force: true });
  }
}
