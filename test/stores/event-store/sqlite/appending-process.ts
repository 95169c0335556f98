/**
 * A service that appends until it is killed. Prints `ready`, and then the stream and revision of every acknowledged
 * append. Prints `refused` when the log can't be written, and `writable` when the health of the log says that the log
 * can be written again.
 *
 * Usage: appending-process.ts FILE WRITERS
 */
import { randomUUID } from 'node:crypto';
import { writeSync } from 'node:fs';
import { StoreUnavailable } from '../../../../stores/event-store/port.ts';
import { openSqliteEventStore } from '../../../../stores/event-store/sqlite/open.ts';
import { event } from '../../../contracts/event-store/events.ts';
import { eventually } from '../../../waiting.ts';

const [file = '', writers = '1'] = process.argv.slice(2);
const store = await openSqliteEventStore({ file, name: 'main', mode: 'service' });
const say = (line: string): void => {
  writeSync(1, `${line}\n`);
};

const write = async (stream: string): Promise<void> => {
  for (let revision = -1n; ;) {
    try {
      const batch = [event(1, { text: 'x'.repeat(500) }), event(2)];
      revision = (await store.append(stream, batch, revision === -1n ? 'no_stream' : revision)).revision;
      say(`${stream} ${revision}`);
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      const readable = (await store.readStream(stream)).length === Number(revision) + 1;
      say(`refused ${readable ? 'readable' : 'unreadable'} ${JSON.stringify(await store.health())}`);
      await eventually(async () => (await store.health()).writable);
      say('writable');
    }
  }
};

say('ready');
await Promise.all(Array.from({ length: Number(writers) }, () => write(`ship-${randomUUID().slice(0, 8)}`)));
