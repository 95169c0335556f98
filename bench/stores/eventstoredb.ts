/**
 * Measures a log on EventStoreDB: compares appends, pages and subscriptions through the event store port with the same
 * calls through the client library, in one run. The server is the tests' stand-in in a separate process, or the server
 * set by `EVENTSTOREDB_URL` or `EVENTSTOREDB_COMMAND`.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { EventStoreDBClient, jsonEvent, streamNameFilter } from '@eventstore/db-client';
import type { NewEvent } from '../../domain/event.ts';
import { openEventStoreDb } from '../../stores/event-store/eventstoredb/open.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import { leftoversOf, ownPrefix } from '../../test/servers/eventstoredb/leftovers.ts';
import { startEventStoreDb } from '../../test/servers/eventstoredb/started.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { perSecond, type Row } from '../tools/table.ts';

const ROUNDS = 3;
const ROUND_MS = 1_000;
const READ = 30_000;
const CREDENTIALS = { credentials: { username: 'admin', password: 'changeit' } };

/** Creates an event that is as large as the result of a check. */
const sample = (): NewEvent => ({
  id: randomUUID(),
  type: 'CheckRan',
  data: { check_id: 'h3k9s0d8f7g6', run_id: randomUUID(), status: 'ok', region: 'eu-west1', details: 'x'.repeat(400) },
  metadata: {
    $correlationId: randomUUID(),
    $causationId: randomUUID(),
    command_id: randomUUID(),
    actor: { kind: 'system', id: 'worker', role: null },
    organization_id: 'o1o2o3o4o5o6',
    recorded_at: '2026-11-20T15:04:05.123000',
    schema_version: 1,
  },
});

const samples = (count: number): NewEvent[] => Array.from({ length: count }, sample);

interface Figure {
  count: number;
  milliseconds: number;
}

type Append = (stream: string, events: readonly NewEvent[]) => Promise<unknown>;

/** Appends batches for a while, with several concurrent writers. Each writer uses its own stream. */
const appendFor = async (append: Append, writers: number, batch: number): Promise<Figure> => {
  const started = performance.now();
  let count = 0;
  const write = async (): Promise<void> => {
    const stream = `bench-${randomBytes(6).toString('hex')}`;
    for (; performance.now() - started < ROUND_MS; count += batch) await append(stream, samples(batch));
  };
  await Promise.all(Array.from({ length: writers }, write));
  return { count, milliseconds: performance.now() - started };
};

const timed = async (run: () => Promise<number>): Promise<Figure> => {
  const started = performance.now();
  return { count: await run(), milliseconds: performance.now() - started };
};

const sum = (figures: readonly Figure[]): Figure => ({
  count: figures.reduce((total, { count }) => total + count, 0),
  milliseconds: figures.reduce((total, { milliseconds }) => total + milliseconds, 0),
});

/** Measures both sides in alternating rounds, so that other load on the machine affects both. */
const compare = async (what: string, ours: () => Promise<Figure>, theirs: () => Promise<Figure>): Promise<Row> => {
  const [port, bare]: [Figure[], Figure[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    bare.push(await theirs());
    port.push(await ours());
  }
  const [one, other] = [sum(port), sum(bare)];
  return {
    what,
    figure: perSecond(one.count, one.milliseconds),
    peer: `bare client ${perSecond(other.count, other.milliseconds)}`,
    ratio: one.count / one.milliseconds / (other.count / other.milliseconds),
  };
};

const readPages = async (store: EventStore, after: bigint): Promise<number> => {
  let read = 0;
  for (let position = after; read < READ;) {
    const page = await store.readAll({ after: position });
    if (page.length === 0) break;
    read += page.length;
    position = page.at(-1)?.position ?? position;
  }
  return read;
};

const subscribeUntil = async (store: EventStore): Promise<number> => {
  const stopping = new AbortController();
  let read = 0;
  for await (const events of store.subscribe({ after: 0n, signal: stopping.signal })) {
    read += events.length;
    if (read >= READ) stopping.abort();
  }
  return read;
};

const measure = async (url: string, prefix: string): Promise<Row[]> => {
  const { main, close } = openEventStoreDb(url, { prefix });
  const client = EventStoreDBClient.connectionString(url);
  const filter = streamNameFilter({ prefixes: [prefix] });
  const port: Append = (stream, events) => main.append(stream, events, 'any');
  const bare: Append = (stream, events) =>
    client.appendToStream(
      `${prefix}${stream}`,
      events.map((event) => jsonEvent({ ...event, data: { ...event.data }, metadata: { ...event.metadata } })),
      CREDENTIALS,
    );
  const readBare = async (): Promise<number> => {
    let read = 0;
    for await (const { event } of client.readAll({ maxCount: READ })) if (event) read++;
    return read;
  };
  const subscribeBare = async (): Promise<number> => {
    let read = 0;
    const subscription = client.subscribeToAll({ filter });
    for await (const { event } of subscription) if (event && ++read >= READ) break;
    await subscription.unsubscribe();
    return read;
  };
  const appends = async (what: string, writers: number, batch: number): Promise<Row> =>
    compare(
      what,
      () => appendFor(port, writers, batch),
      () => appendFor(bare, writers, batch),
    );
  try {
    await appendFor(port, 8, 10);
    const rows = [
      await appends('EventStoreDB: appends, one at a time', 1, 1),
      await appends('EventStoreDB: appends, 64 concurrent', 64, 1),
      await appends('EventStoreDB: events, 100 per append, 8 concurrent', 8, 100),
    ];
    for (let stored = 0; stored < READ; stored += 500) await port('bench-read', samples(500));
    return [
      ...rows,
      await compare(
        'EventStoreDB: events read in pages, filtered',
        () => timed(() => readPages(main, 0n)),
        () => timed(readBare),
      ),
      await compare(
        'EventStoreDB: events of a subscription',
        () => timed(() => subscribeUntil(main)),
        () => timed(subscribeBare),
      ),
    ];
  } finally {
    await client.dispose();
    await close();
  }
};

export const bench = async (): Promise<Row[]> => {
  const prefix = ownPrefix();
  const directory = mkdtempSync(join(tmpdir(), 'uptrail-bench-'));
  const { url, own, stop } = await startEventStoreDb(directory);
  const leftovers = own ? null : await leftoversOf(url, prefix);
  try {
    return await measure(url, prefix);
  } finally {
    await leftovers?.remove();
    await stop();
    rmSync(directory, { recursive: true, force: true });
  }
};
