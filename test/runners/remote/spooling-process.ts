/** Appends lines to the spool in a folder one after another, and reports when each append is complete. */
import { systemClock } from '../../../network/clock.ts';
import { openSpool } from '../../../runners/remote/spool.ts';

const spool = await openSpool({
  folder: process.argv[2] ?? '',
  limit: 16_777_216,
  clock: systemClock,
  dropped: () => undefined,
  trouble: (error) => {
    throw error;
  },
});
for (let number = 0; ; number++) {
  await spool.append([`${number} ${'x'.repeat(500)}`]);
  process.stdout.write(`${number}\n`);
}
