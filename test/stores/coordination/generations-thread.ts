import { parentPort, workerData } from 'node:worker_threads';
import { openSqliteCoordination } from '../../../stores/coordination/sqlite.ts';

const { file, numbers } = workerData as { file: string; numbers: number };
const coordination = openSqliteCoordination({ file });
const given: number[] = [];
while (given.length < numbers) given.push(await coordination.nextGeneration('pages@1', 1n));
await coordination.close();
parentPort?.postMessage(given);
