/** Entry of the engine's thread in `sqlite.test.ts`, set up as in a service. */
import { parentPort, workerData } from 'node:worker_threads';
import { serveEngine } from '../../../projections/engine/thread.ts';
import { openSqliteStores } from './sqlite-stores.ts';
import { counters, echoes } from './samples.ts';

const { directory, marks } = workerData as { directory: string; marks: { main: bigint; results: bigint } };
const { close, ...stores } = await openSqliteStores(directory, 'reader');
if (parentPort) {
  await serveEngine(parentPort, {
    ...stores,
    projections: [counters, echoes],
    stores,
    marks,
    timings: { switchPoll: 20 },
  });
}
await close();
