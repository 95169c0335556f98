import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { computeHead } from '../../../cli/audit/heads.ts';
import { jsonLine } from '../../../cli/replay/replay.ts';
import { createHandle } from '../../../commands/engine/handle.ts';
import type { RecordedEvent } from '../../../domain/event.ts';
import { IllegalState } from '../../../domain/errors.ts';
import { derivedUuid } from '../../../domain/identity.ts';
import { recordedPartsOf } from '../../../domain/replaced-events.ts';
import { projectionKey, type AnyProjection, type Collections } from '../../../projections/engine/fold/define.ts';
import { Folding } from '../../../projections/engine/fold/folding.ts';
import { describeEvent } from '../../../queries/history/describe.ts';
import { createCheckedStore } from '../../../stores/event-store/checked.ts';
import { createMemoryEventStore } from '../../../stores/event-store/memory.ts';
import { InvalidEvent, type EventStore } from '../../../stores/event-store/port.ts';
import { createValidation } from '../../../stores/event-store/validation.ts';
import { createMemoryKeys } from '../../../stores/keys/memory.ts';
import { createMemoryReadStore } from '../../../stores/read-store/memory.ts';
import type { Document } from '../../../stores/read-store/port.ts';
import { aContext } from '../../commands/simulated-processes.ts';
import { specification } from '../../domain/specification.ts';
import { inProject } from '../../project.ts';
import { freezeProjection } from '../../projections/frozen-projection.ts';
import { rejects } from '../../rejects.ts';
import { entriesOf, nameOf, type CatalogueEntry } from '../catalogue-text.ts';
import { goldenEventsIn } from '../golden.ts';
import { releaseViolations, replacementViolations } from '../released.ts';
import { shipEvents } from './events.ts';
import { logbook, SHIP_CATALOGUE, ships } from './projections.ts';
import { sail, shipDecider } from './ship.ts';
import { shipUpcasters } from './upcasters.ts';

const SHIP = 'a1b2c3d4e5f6';
const golden = goldenEventsIn(inProject('test/golden/example/events'));
const released = JSON.parse(
  readFileSync(inProject('test/golden/example/released.json'), 'utf8'),
) as readonly CatalogueEntry[];

/** What the first release appended. */
const FIRST_RELEASE = ['ShipRegistered@1', 'CargoLoaded@1', 'ShipTracked@1', 'ShipSailed@1'];
/** What the second release appends for the same facts. */
const SECOND_RELEASE = ['ShipRegistered@2', 'CargoLoaded@2', 'PassengersBoarded@1', 'ShipDeparted@1'];

/** A log with these golden events, as it is stored. */
const storedLog = async (names: readonly string[]): Promise<EventStore> => {
  const log = createMemoryEventStore('main');
  for (const [index, name] of names.entries()) {
    const event = golden.get(name);
    assert.ok(event, name);
    const { stream, ...stored } = event;
    // The same event can occur twice in the list, but a log stores each id only once.
    await log.append(stream, [{ ...stored, id: derivedUuid(`${stored.id}/${index}`) }], 'any');
  }
  return log;
};

/** The log as the second release reads it. */
const checked = (log: EventStore): EventStore =>
  createCheckedStore(log, {
    catalogue: SHIP_CATALOGUE,
    definitionOf: (type) => (type in shipEvents ? shipEvents[type as keyof typeof shipEvents] : undefined),
    upcasters: shipUpcasters,
  });

const eventsOf = async (names: readonly string[]): Promise<RecordedEvent[]> =>
  checked(await storedLog(names)).readAll({ after: 0n });

/** Returns the documents that a projection folds. A new engine folds and commits each batch, as after a restart. */
const folded = async (projection: AnyProjection, events: readonly RecordedEvent[], batch = events.length) => {
  const readStore = createMemoryReadStore();
  const generation = { projection: projectionKey(projection), number: 1 };
  await readStore.open(generation, projection.collections as Collections);
  for (let first = 0; first < events.length; first += batch) {
    const folding = new Folding({
      projection: freezeProjection(projection),
      generation,
      readStore,
      checkpoint: (await readStore.checkpoint(generation)) ?? { log_id: 'log', position: 0n, event_id: null },
      retainedFrom: null,
      recentDocuments: 10,
      catalogue: SHIP_CATALOGUE,
    });
    // As after an interruption, the engine also gets the events before its checkpoint again.
    await folding.fold(events.slice(0, first + batch));
    await folding.commit();
  }
  const [collection = ''] = Object.keys(projection.collections as Collections);
  return readStore.find(generation, collection, {});
};

const stateOf = async (names: readonly string[]) => {
  const handle = createHandle({ store: checked(await storedLog(names)), clock: () => 0 });
  return handle.load(SHIP, shipDecider, aContext({ organizationId: 'o1o2o3o4o5o6' }));
};

const test = suite('an example of each kind of event change');

test('every released version has its golden event, and no released schema has changed', () => {
  assert.equal([...golden.keys()].sort(), released.map(nameOf).sort());
  assert.equal(releaseViolations(released, entriesOf(SHIP_CATALOGUE), shipUpcasters), []);
  assert.equal(replacementViolations(SHIP_CATALOGUE), []);
});

for (const name of golden.keys()) {
  test(`${name} is read in its current version, and the events that projections fold for it satisfy the current schemas`, async () => {
    const validate = createValidation();
    const [read] = await eventsOf([name]);
    assert.ok(read);
    for (const event of [read, ...recordedPartsOf(read, shipEvents)]) {
      const definition = shipEvents[event.type as keyof typeof shipEvents];
      assert.is(event.metadata.schema_version, definition.version);
      assert.equal(validate(definition, event.data), []);
    }
  });
}

test('a registration of a ship from a release without call signs has the call sign null', async () => {
  const [read] = await eventsOf(['ShipRegistered@1']);
  assert.equal(read?.data, { ship_id: SHIP, name: 'Ada', call_sign: null });
});

test('a field that was renamed is read by its new name', async () => {
  const [read] = await eventsOf(['CargoLoaded@1']);
  assert.equal(read?.data, { ship_id: SHIP, tons: 40 });
});

test('the history of the first release folds into the same documents as the history of the second release', async () => {
  const [first] = await folded(ships, await eventsOf(FIRST_RELEASE));
  const [second] = await folded(ships, await eventsOf(SECOND_RELEASE));
  const ship = { id: SHIP, name: 'Ada', tons: 40, passengers: 12, bound_for: 'Helsinki', departures: 1 };
  assert.equal(first, { ...ship, call_sign: null });
  assert.equal(second, { ...ship, call_sign: 'ES2026' });
});

test('any batch size gives the same documents, so an event that was split is never folded in part or twice', async () => {
  const events = await eventsOf([...FIRST_RELEASE, 'ShipSailed@1', 'PassengersBoarded@1']);
  const atOnce = await folded(ships, events);
  const ship = { id: SHIP, name: 'Ada', call_sign: null, tons: 40, bound_for: 'Helsinki' };
  assert.equal(atOnce, [{ ...ship, passengers: 36, departures: 2 }]);
  for (const batch of [1, 2, 3, 5]) assert.equal(await folded(ships, events, batch), atOnce);
});

test('a command sees the same state after the history of the first release as after the history of the second release', async () => {
  const first = await stateOf(FIRST_RELEASE);
  const second = await stateOf(SECOND_RELEASE);
  const ship = { status: 'at_sea', id: SHIP, tons: 40, passengers: 12, boundFor: 'Helsinki' };
  assert.equal(first, { ...ship, callSign: null });
  assert.equal(second, { ...ship, callSign: 'ES2026' });
  assert.throws(
    () => sail(first, { passengers: 1, boundFor: 'Turku' }),
    (error: unknown) => error instanceof IllegalState,
  );
});

test('a ship that sails with passengers appends the two events that replace the split event', () => {
  const registered = { type: 'ShipRegistered' as const, data: { ship_id: SHIP, name: 'Ada', call_sign: null } };
  const departed = { type: 'ShipDeparted' as const, data: { ship_id: SHIP, bound_for: 'Turku' } };
  const given = specification(shipDecider).given(registered);
  const boarded = { type: 'PassengersBoarded' as const, data: { ship_id: SHIP, passengers: 3 } };
  given.when((ship) => sail(ship, { passengers: 3, boundFor: 'Turku' })).then(boarded, departed);
  given.when((ship) => sail(ship, { passengers: 0, boundFor: 'Turku' })).then(departed);
});

test('events that were split or withdrawn are not appended any more', async () => {
  const log = checked(createMemoryEventStore('main'));
  for (const name of ['ShipSailed@1', 'ShipTracked@1']) {
    const event = golden.get(name);
    assert.ok(event);
    const why = `${event.type} can't be appended: it is only read since it was replaced.`;
    await rejects(log.append(event.stream, [event], 'any'), InvalidEvent, why);
  }
});

test('the log, its history, an export and the computed head still contain events that were split or withdrawn', async () => {
  const stored = await storedLog(FIRST_RELEASE);
  const read = await checked(stored).readStream(`ship-${SHIP}`);
  assert.equal(
    read.map(({ type, revision }) => `${type} ${revision}`),
    ['ShipRegistered 0', 'CargoLoaded 1', 'ShipTracked 2', 'ShipSailed 3'],
  );
  const tracked = read[2];
  assert.ok(tracked);
  const { type, changes } = await describeEvent(tracked, createMemoryKeys(), new Map());
  assert.is(type, 'ShipTracked');
  assert.equal(changes, {}, 'data is shown only for types that the audit log or the list of measurements has');
  assert.match(jsonLine(tracked), '"type":"ShipTracked","data":{"ship_id":"a1b2c3d4e5f6","latitude":59.5');
  assert.is((await computeHead({ log: stored, signal: new AbortController().signal })).events, 4);
});

test('a projection that handles split and withdrawn types itself gets each event as it was stored', async () => {
  const entries = await folded(logbook, await eventsOf([...FIRST_RELEASE, 'ShipDeparted@1']));
  assert.equal(entries.map((document) => (document as Document & { entry: string }).entry).sort(), [
    'departed for Helsinki',
    'sailed for Helsinki',
    'tracked at 59.5, 24.7',
  ]);
});

test.run();
