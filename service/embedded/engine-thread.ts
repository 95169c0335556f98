/**
 * The thread that keeps the read models up to date. It reads the logs, writes the read models, and reports its progress
 * to the main thread.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { serveEngine } from '../../projections/engine/thread.ts';
import { projections } from '../../projections/index.ts';
import type { DataDirectory } from './data-directory.ts';
import { openCoordination, openLog, openReadModels } from './stores.ts';

export interface EngineThreadData {
  directory: DataDirectory;
  /** position of a `LogMarked` event in each log */
  marks: { main: bigint; results: bigint };
}

if (!parentPort) throw new Error('engine-thread is started as a worker thread.');
const { directory, marks } = workerData as EngineThreadData;
const main = await openLog(directory, 'main', 'reader');
const results = await openLog(directory, 'results', 'reader');
const readStore = openReadModels(directory, 'writer');
const coordination = openCoordination(directory);

await serveEngine(parentPort, {
  projections,
  stores: { main, results },
  marks,
  readStore,
  coordination,
});
for (const store of [readStore, coordination, main, results]) await store.close();
