/**
 * Rebuilds a sample projection in a separate process, and prints the duration and memory as JSON. Usage:
 * `rebuild-process.ts <directory> <name>`.
 */
import { join } from 'node:path';
import { rebuild } from '../../projections/engine/generations/rebuild.ts';
import { openSqliteCoordination } from '../../stores/coordination/sqlite.ts';
import { createCheckedStore } from '../../stores/event-store/checked.ts';
import { openSqliteEventStore } from '../../stores/event-store/sqlite/open.ts';
import { openSqliteReadStore } from '../../stores/read-store/sqlite/open.ts';
import { samples } from './rebuild-samples.ts';

const [directory = '', name = ''] = process.argv.slice(2);
const projection = samples[name];
if (!projection) throw new Error(`There is no sample ${name}.`);
const store = createCheckedStore(
  await openSqliteEventStore({ file: join(directory, 'events.db'), name: 'main', mode: 'appender' }),
);
const readStore = openSqliteReadStore({ directory: join(directory, 'read-models'), mode: 'writer' });
const coordination = openSqliteCoordination({ file: join(directory, 'coordination.db') });

const before = process.memoryUsage().rss;
let halfway = 0;
const started = performance.now();
let folded = started;
const { events } = await rebuild({
  projection,
  store,
  readStore,
  coordination,
  clock: Date.now,
  keepEngineOut: async () => async () => undefined,
  onProgress: ({ step, position, target }) => {
    if (step === 'folding' && position * 2n < target) halfway = process.memoryUsage().rss;
    if (step === 'indexing') folded = performance.now();
  },
  signal: new AbortController().signal,
});
const ended = performance.now();
for (const opened of [readStore, coordination, store]) await opened.close();
console.log(
  JSON.stringify({
    events,
    milliseconds: ended - started,
    indexing: ended - folded,
    before,
    halfway,
    peak: process.resourceUsage().maxRSS * 1_024,
  }),
);
