import { Type } from '@sinclair/typebox';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { definitionOf, RESULT_CATEGORIES } from '../../../domain/event-types.ts';
import { categoryOf } from '../../../domain/decider.ts';
import type { NewEvent, RecordedEvent } from '../../../domain/event.ts';
import { createCheckedStore, type KnownEvents } from '../../../stores/event-store/checked.ts';
import { createMemoryEventStore } from '../../../stores/event-store/memory.ts';
import { InvalidEvent, UnknownEvent, type EventStore } from '../../../stores/event-store/port.ts';
import { event, ids } from '../../contracts/event-store/events.ts';
import { goldenEvents } from '../../golden/golden.ts';
import { rejects } from '../../rejects.ts';

const loaded = {
  version: 3,
  data: Type.Object({
    tons: Type.Integer({ minimum: 1 }),
    harbour: Type.Object({ name: Type.String(), opened_on: Type.Optional(Type.String({ format: 'date' })) }),
  }),
};
const known: KnownEvents = {
  catalogue: { ship: { ShipLoaded: loaded }, harbour: {}, check_results: { ShipLoaded: loaded } },
  definitionOf: (type) => (type === 'ShipLoaded' ? loaded : undefined),
  upcasters: {
    ShipLoaded: {
      1: ({ number, ...data }: { number?: number }) => ({ ...data, tons: number }),
      2: (data) => ({ ...data, harbour: { name: 'unknown' } }),
    },
  },
};

const version = (schema_version: number, data: object, type = 'ShipLoaded'): NewEvent => {
  const made = event(0, {}, type);
  return { ...made, data, metadata: { ...made.metadata, schema_version } };
};
const current = (tons = 5): NewEvent => version(3, { tons, harbour: { name: 'Tallinn' } });

const test = suite<{ raw: EventStore; store: EventStore }>('a checked store');

test.before.each((context) => {
  context.raw = createMemoryEventStore('main');
  context.store = createCheckedStore(context.raw, known);
});

test('a checked store refuses an event that breaks its schema, naming type and fields, and appends nothing', async ({
  store,
  raw,
}) => {
  const broken = version(3, { tons: 0, harbour: { opened_on: '2026-02-30' } });
  await rejects(
    store.append('ship-1', [current(), broken], 'no_stream'),
    InvalidEvent,
    "ShipLoaded can't be appended: tons must be >= 1; harbour must have required property 'name'; " +
      'harbour.opened_on must match format "date".',
  );
  assert.equal(await raw.readAll({ after: 0n }), []);
});

test('a checked store refuses an event of another category, another log or an earlier version', async ({
  store,
  raw,
}) => {
  const refused = (stream: string, one: NewEvent, why: string): Promise<void> =>
    rejects(store.append(stream, [one], 'any'), InvalidEvent, `${one.type} can't be appended: ${why}.`);
  await refused('harbour-1', current(), "streams of the category harbour can't hold it");
  await refused('ship-1', version(1, {}, 'ShipSank'), "streams of the category ship can't hold it");
  await refused('check_results-x', current(), 'it belongs in the log results');
  await refused('ship-1', version(2, { tons: 1 }), 'its version is 3, not 2');
  const results = createCheckedStore(createMemoryEventStore('results'), known);
  await rejects(results.append('ship-1', [current()], 'any'), InvalidEvent, /it belongs in the log main/);
  assert.is((await results.append('check_results-x', [current()], 'any')).revision, 0n);
  assert.equal(await raw.readAll({ after: 0n }), []);
});

test('a checked store upcasts events of earlier versions in every kind of read', async ({ store, raw }) => {
  await raw.append('ship-1', [version(1, { number: 7 }), version(2, { tons: 8 }), current(9)], 'no_stream');
  const read = await store.readStream('ship-1');
  assert.equal(
    read.map(({ data }) => data),
    [
      { tons: 7, harbour: { name: 'unknown' } },
      { tons: 8, harbour: { name: 'unknown' } },
      { tons: 9, harbour: { name: 'Tallinn' } },
    ],
  );
  assert.ok(read.every(({ metadata }) => metadata.schema_version === 3));
  assert.equal(await store.readAll({ after: 0n }), read);
  assert.equal(await subscribed(store), read);
  assert.is((await raw.readStream('ship-1'))[0]?.metadata.schema_version, 1);
});

for (const [what, unknown] of [
  ['an unknown type', version(1, {}, 'ShipSank')],
  ['an unknown version', version(4, {})],
  ['a version without an upcaster', version(0, {})],
] as const) {
  test(`a checked store stops exactly before an event of ${what}`, async ({ store, raw }) => {
    const before = [current(1), current(2)];
    await raw.append('ship-1', before, 'no_stream');
    const { position } = await raw.append('ship-2', [unknown], 'no_stream');
    await raw.append('ship-1', [current(3)], 1n);

    const page = await store.readAll({ after: 0n });
    assert.equal(ids(page), ids(before));
    const stopped = await unknownOf(store.readAll({ after: page.at(-1)?.position ?? 0n }));
    assert.equal(
      [stopped.stream, stopped.position, stopped.type, stopped.version],
      ['ship-2', position, unknown.type, unknown.metadata.schema_version],
    );
    assert.match(
      stopped.message,
      /^The event ShipSank|ShipLoaded, version \d, of stream ship-2 at position \d+ is unknown/,
    );

    const seen: RecordedEvent[] = [];
    await unknownOf(subscribed(store, seen));
    assert.equal(ids(seen), ids(before));

    await unknownOf(store.readStream('ship-2'));
    assert.is((await store.readStream('ship-1')).length, 3);
    assert.is((await raw.readAll({ after: 0n })).length, 4);
  });
}

test('a checked store knows every event of the domain', async () => {
  const logs = {
    main: createCheckedStore(createMemoryEventStore('main')),
    results: createCheckedStore(createMemoryEventStore('results')),
  };
  for (const [, { stream, ...golden }] of goldenEvents()) {
    // Events of earlier versions are read, but never appended.
    if (golden.metadata.schema_version !== definitionOf(golden.type)?.version) continue;
    const log = RESULT_CATEGORIES.includes(categoryOf(stream)) ? 'results' : 'main';
    await logs[log].append(stream, [golden], 'any');
  }
  assert.ok((await logs.main.readAll({ after: 0n })).length > 20);
  assert.ok((await logs.results.readAll({ after: 0n })).length > 0);
});

/** Returns the events of a subscription up to the end of the log. */
const subscribed = async (store: EventStore, seen: RecordedEvent[] = []): Promise<RecordedEvent[]> => {
  const ending = new AbortController();
  for await (const page of store.subscribe({ after: 0n, signal: ending.signal })) {
    seen.push(...page);
    setImmediate(() => {
      ending.abort();
    });
  }
  return seen;
};

const unknownOf = async (read: Promise<unknown>): Promise<UnknownEvent> => {
  try {
    await read;
  } catch (error) {
    if (error instanceof UnknownEvent) return error;
    throw error;
  }
  throw new Error('the unknown event was skipped');
};

test.run();
