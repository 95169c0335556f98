/** Usage: `npm run chaos [-- kills]`. Kills the program with `kill -9` during writes, by default a hundred times. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomFrom } from '../contracts/random.ts';
import { chaos } from './chaos.ts';
import { endPrograms } from './program.ts';

const folder = mkdtempSync(join(tmpdir(), 'uptrail-chaos-'));
const seed = Date.now();
console.log(`seed ${seed}`);
try {
  const tally = await chaos({ DATA_DIR: folder }, Number(process.argv[2] ?? 100), randomFrom(seed), console.log);
  console.log(
    `${tally.kills} kills, ${tally.acknowledged} writes, ${tally.unanswered} of them sent again: none lost, none duplicated`,
  );
} finally {
  await endPrograms();
  rmSync(folder, { recursive: true, force: true });
}
