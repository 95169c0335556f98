import { createRequire } from 'node:module';
import { isMainThread, Worker } from 'node:worker_threads';
import { adaptToBetterSqlite3, type NodeSqlite } from '../../../stores/sqlite/database-sync.ts';

/** A process whose threads constantly call SQLite. It exits with code 3 as soon as all threads have begun. */

const THREADS = 3;

if (isMainThread) {
  let begun = 0;
  for (let thread = 0; thread < THREADS; thread++) {
    new Worker(new URL(import.meta.url)).once('message', () => {
      if (++begun === THREADS) process.exit(3);
    });
  }
} else {
  const { parentPort } = await import('node:worker_threads');
  const Database = adaptToBetterSqlite3(createRequire(import.meta.url)('@photostructure/sqlite') as NodeSqlite);
  const database = new Database(':memory:');
  const numbers = database.prepare(
    'WITH RECURSIVE numbers(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM numbers WHERE value < 200) ' +
      'SELECT value, value || ? AS text FROM numbers',
  );
  numbers.all('x');
  parentPort?.postMessage('begun');
  for (;;) numbers.all('x');
}
