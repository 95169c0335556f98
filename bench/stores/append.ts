/**
 * Compares appends through the event store port with the same rows written directly with the SQLite driver, in one run.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NewEvent } from '../../domain/event.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import { openSqliteEventStore } from '../../stores/event-store/sqlite/open.ts';
import { openForWriting } from '../../stores/event-store/sqlite/schema.ts';
import { uuidBytes } from '../../stores/event-store/sqlite/uuid.ts';
import { perSecond, type Row } from '../tools/table.ts';

const WRITERS = 64;
const ROUNDS = 5;
const ROUND_MS = 400;

/** Creates an event that is as large as that of an opened incident. */
const sample = (): NewEvent => ({
  id: randomUUID(),
  type: 'IncidentOpened',
  data: {
    incident_id: 'h3k9s0d8f7g6',
    page_id: 'a1b2c3d4e5f6',
    name: 'Checkout is slow in some regions',
    status: 'investigating',
    impact: 'minor',
    body: 'We see slow answers from the checkout and are looking for the cause.',
    components: { q1w2e3r4t5y6: 'degraded_performance', z9x8c7v6b5n4: 'partial_outage' },
    created_at: '2026-11-20T15:04:05.123000',
  },
  metadata: {
    $correlationId: randomUUID(),
    $causationId: randomUUID(),
    command_id: randomUUID(),
    actor: { kind: 'api_key', id: 'k1k2k3k4k5k6', role: 'editor' },
    organization_id: 'o1o2o3o4o5o6',
    recorded_at: '2026-11-20T15:04:05.123000',
    schema_version: 1,
  },
});

interface Figure {
  appends: number;
  milliseconds: number;
}

/** Appends events one by one for a while. Each writer uses its own stream. */
const throughPort = async (store: EventStore, writers: number): Promise<Figure> => {
  const started = performance.now();
  let appends = 0;
  const write = async (): Promise<void> => {
    const stream = `incident-${randomBytes(6).toString('hex')}`;
    for (let revision: bigint | 'no_stream' = 'no_stream'; performance.now() - started < ROUND_MS; appends++) {
      ({ revision } = await store.append(stream, [sample()], revision));
    }
  };
  await Promise.all(Array.from({ length: writers }, write));
  return { appends, milliseconds: performance.now() - started };
};

/** Inserts the same rows into the same tables directly, `group` rows per transaction. */
const bare = (file: string) => {
  const connection = openForWriting(file);
  connection.pragma('wal_autocheckpoint = 1000');
  const addStream = connection.prepare('INSERT INTO streams (name) VALUES (?)');
  const add = connection.prepare(
    'INSERT INTO events (stream, revision, kind, encoding, id, data, metadata) VALUES (?, ?, 1, 0, ?, ?, ?)',
  );
  const { id, data, metadata } = sample();
  const row = [uuidBytes(id), JSON.stringify(data), JSON.stringify(metadata)] as const;
  return {
    write: (group: number): Figure => {
      const started = performance.now();
      const streams = Array.from({ length: group }, () => addStream.run(randomUUID()).lastInsertRowid);
      let revision = 0;
      const commit = connection.transaction(() => {
        for (const stream of streams) add.run(stream, revision, ...row);
        revision++;
      });
      while (performance.now() - started < ROUND_MS) commit();
      return { appends: revision * group, milliseconds: performance.now() - started };
    },
    close: () => connection.close(),
  };
};

const sum = (figures: readonly Figure[]): Figure => ({
  appends: figures.reduce((total, { appends }) => total + appends, 0),
  milliseconds: figures.reduce((total, { milliseconds }) => total + milliseconds, 0),
});

const rate = ({ appends, milliseconds }: Figure): number => appends / milliseconds;

/** Measures both sides in alternating rounds, so that other load on the machine affects both. */
const compare = async (store: EventStore, ceiling: ReturnType<typeof bare>, writers: number): Promise<Row> => {
  const [port, raw]: [Figure[], Figure[]] = [[], []];
  await throughPort(store, writers);
  for (let round = 0; round < ROUNDS; round++) {
    raw.push(ceiling.write(writers));
    port.push(await throughPort(store, writers));
  }
  const [ours, theirs] = [sum(port), sum(raw)];
  return {
    what: writers === 1 ? 'appends, one at a time' : `appends, ${writers} writers, group commit`,
    figure: perSecond(ours.appends, ours.milliseconds),
    peer: `bare SQLite driver ${perSecond(theirs.appends, theirs.milliseconds)}`,
    ratio: rate(ours) / rate(theirs),
    ...(writers > 1 && { aim: '≥ 0.7' }),
  };
};

export const bench = async (): Promise<Row[]> => {
  const directory = mkdtempSync(join(tmpdir(), 'uptrail-bench-'));
  const store = await openSqliteEventStore({ file: join(directory, 'events.db'), name: 'main', mode: 'service' });
  const ceiling = bare(join(directory, 'bare.db'));
  try {
    return [await compare(store, ceiling, 1), await compare(store, ceiling, WRITERS)];
  } finally {
    ceiling.close();
    await store.close();
    rmSync(directory, { recursive: true, force: true });
  }
};
