import type { Db } from 'mongodb';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openMongoReadStore } from '../../../../stores/read-store/mongodb/open.ts';
import {
  GenerationMissing,
  StaleWriter,
  type Checkpoint,
  type Document,
  type Generation,
  type ReadStore,
  type Write,
  type Writes,
  type WriterLease,
} from '../../../../stores/read-store/port.ts';
import { skippedWithoutMongoDb } from '../../../servers/mongodb/server.ts';
import { openForSuite } from '../../../servers/mongodb/suite.ts';
import { createGate, everyInterleaving, gated, type Gate } from './stepping.ts';

/** An event of a small log. It increments some counters and deletes others. */
interface LogEvent {
  position: bigint;
  counts: readonly string[];
  deletes?: readonly string[];
}

type Counter = Document & { count: number };

const SLOTS = 8;
const LEASE = 'projection:counters@1';
const COLLECTIONS = { counters: { indexes: [] }, copies: { indexes: [] } };
const at = (position: bigint): Checkpoint => ({ log_id: 'log', position, event_id: position.toString() });

type Name = keyof typeof COLLECTIONS;

/** Folds events as an engine does: reads the affected documents, counts the events, and commits. */
const fold = async (
  store: ReadStore,
  generation: Generation,
  events: readonly LogEvent[],
  names: readonly Name[] = ['counters'],
): Promise<void> => {
  const touched = [...new Set(events.flatMap(({ counts, deletes = [] }) => [...counts, ...deletes]))];
  const read = await readAll(store, generation, touched, names);
  await store.commit(generation, allWritesOf(read, events), at(events.at(-1)?.position ?? 0n));
};

const readAll = async (
  store: ReadStore,
  generation: Generation,
  ids: readonly string[],
  names: readonly Name[],
): Promise<[Name, Counter[]][]> =>
  Promise.all(
    names.map(async (name) => [name, (await store.get(generation, name, ids, { toCommit: true })) as Counter[]]),
  );

const allWritesOf = (read: readonly [Name, readonly Counter[]][], events: readonly LogEvent[]): Writes =>
  Object.fromEntries(read.map(([name, counters]) => [name, writesOf(counters, events)]));

const writesOf = (read: readonly Counter[], events: readonly LogEvent[]): Write[] => {
  const counts = new Map<string, number | null>(read.map(({ id, count }) => [id, count]));
  for (const { counts: counted, deletes = [] } of events) {
    for (const id of counted) counts.set(id, (counts.get(id) ?? 0) + 1);
    for (const id of deletes) counts.set(id, null);
  }
  return [...counts].map(([id, count]) => (count === null ? { delete: id } : { put: { id, count } }));
};

const after = (log: readonly LogEvent[], position: bigint): LogEvent[] =>
  log.filter((event) => event.position > position);

interface Scenario {
  log: readonly LogEvent[];
  /** position that is committed before the two holders begin */
  before: bigint;
  /** position up to which the first holder commits; the second holder folds everything */
  first: bigint;
  /** collections into which each counter is written; default: only `counters` */
  names?: readonly Name[];
}

const SCENARIOS: Record<string, Scenario> = {
  'a counter is increased and another is created': {
    log: [
      { position: 1n, counts: ['x'] },
      { position: 2n, counts: ['x'] },
      { position: 3n, counts: ['x', 'y'] },
      { position: 4n, counts: ['x', 'y'] },
      { position: 5n, counts: ['x'] },
      { position: 6n, counts: ['x', 'y'] },
    ],
    before: 2n,
    first: 4n,
  },
  'a counter is deleted and created again': {
    log: [
      { position: 1n, counts: ['z'] },
      { position: 2n, counts: [], deletes: ['z'] },
      { position: 3n, counts: ['z'] },
    ],
    before: 1n,
    first: 2n,
  },
  'a counter is created and deleted': {
    log: [
      { position: 1n, counts: ['x'] },
      { position: 2n, counts: ['z'] },
      { position: 3n, counts: [], deletes: ['z'] },
    ],
    before: 1n,
    first: 2n,
  },
  'a counter is in two collections, which are written concurrently': {
    log: [
      { position: 1n, counts: ['x'] },
      { position: 2n, counts: ['x'] },
      { position: 3n, counts: ['x'] },
    ],
    before: 1n,
    first: 2n,
    names: ['counters', 'copies'],
  },
};

if (!skippedWithoutMongoDb()) {
  const test = suite('two holders of a lease');
  const mongo = openForSuite(test);

  /** Creates a process whose operations pass a gate after `begin` was called. */
  const participant = () => {
    const gate = createGate();
    let gating = false;
    const db: Db = gated(mongo().db, (operation) => (gating ? gate.pass(operation) : operation()));
    const store = openMongoReadStore({ ...mongo(), db }, { bulk: 1 });
    const begin = (action: () => Promise<unknown>): Gate => {
      gating = true;
      gate.run(action);
      return gate;
    };
    return { store, begin };
  };

  /**
   * Runs a scenario in every interleaving, and calls `see` with the outcome of each.
   *
   * @returns the number of interleavings
   */
  const race = async (
    { log, before, first, names = ['counters'] }: Scenario,
    leases: { first: WriterLease; second: WriterLease },
    see: (outcome: { counters: Document[][]; position: bigint | undefined; failures: unknown[]; how: string }) => void,
  ): Promise<number> =>
    everyInterleaving(async (slot, interleave) => {
      const generation = { projection: 'counters@1', number: slot + 1 };
      await mongo()
        .db.collection<{ _id: string }>('generations')
        .updateOne(
          { _id: `counters@1.${generation.number}` },
          {
            $set: { writer: null, checkpoint: null, journal: null },
          },
        );
      for (const name of names) {
        await mongo().db.collection(`counters@1.${name}.${generation.number}`).deleteMany({});
      }
      const [old, next] = [participant(), participant()];
      await old.store.open(generation, COLLECTIONS, { lease: leases.first });
      await fold(
        old.store,
        generation,
        log.filter(({ position }) => position <= before),
        names,
      );
      const due = after(log, before).filter(({ position }) => position <= first);
      const read = await readAll(old.store, generation, ['x', 'y', 'z'], names);
      const gates = {
        first: old.begin(() => old.store.commit(generation, allWritesOf(read, due), at(first))),
        second: next.begin(async () => {
          await next.store.open(generation, COLLECTIONS, { lease: leases.second });
          const reached = await next.store.checkpoint(generation);
          await fold(next.store, generation, after(log, reached?.position ?? 0n), names);
        }),
      };
      const how = (await interleave(gates)).join(' ');
      const seen = openMongoReadStore(mongo());
      see({
        counters: await Promise.all(names.map((name) => seen.find(generation, name, {}))),
        position: (await seen.checkpoint(generation))?.position,
        failures: [gates.first.failure(), gates.second.failure()],
        how,
      });
    }, SLOTS);

  for (const [what, scenario] of Object.entries(SCENARIOS)) {
    test(`two holders of a lease count every event once in every interleaving if ${what}`, async () => {
      const expected = writesOf([], scenario.log)
        .flatMap((write) => ('put' in write ? [write.put] : []))
        .sort((a, b) => (a.id < b.id ? -1 : 1));
      const ends = { finished: 0, stale: 0 };
      const leases = { first: { name: LEASE, token: 1n }, second: { name: LEASE, token: 2n } };
      const count = await race(scenario, leases, ({ counters, position, failures: [first, second], how }) => {
        for (const stored of counters) assert.equal(stored, expected, how);
        assert.is(position, scenario.log.at(-1)?.position, how);
        assert.is(second, null, how);
        assert.ok(first === null || first instanceof StaleWriter, `${how}: ${String(first)}`);
        ends[first === null ? 'finished' : 'stale']++;
      });
      assert.ok(count > 40, count.toString());
      assert.ok(ends.finished > 0 && ends.stale > 0, JSON.stringify(ends));
    });
  }

  test('two processes agree on whether a generation exists, in every interleaving of a drop with an opening', async () => {
    const ends = { dropped: 0, stale: 0 };
    let number = 0;
    const count = await everyInterleaving(async (_, interleave) => {
      const generation = { projection: 'dropped@1', number: ++number };
      const [old, next] = [participant(), participant()];
      await old.store.open(generation, COLLECTIONS, { lease: { name: LEASE, token: 1n } });
      await fold(old.store, generation, [{ position: 1n, counts: ['x'] }]);
      const lease = { name: LEASE, token: 2n };
      const gates = {
        first: old.begin(() => old.store.drop(generation, { name: LEASE, token: 1n })),
        second: next.begin(async () => {
          await next.store.open(generation, COLLECTIONS, { lease });
          if (await next.store.checkpoint(generation)) {
            await fold(next.store, generation, [{ position: 2n, counts: ['x'] }]);
          } else {
            throw new GenerationMissing(generation);
          }
        }),
      };
      const how = (await interleave(gates)).join(' ');
      const [first, second] = [gates.first.failure(), gates.second.failure()];
      const seen = openMongoReadStore(mongo());
      if (first === null) {
        assert.instance(second, GenerationMissing, how);
        ends.dropped++;
      } else {
        assert.instance(first, StaleWriter, how);
        assert.is(second, null, how);
        assert.equal(await seen.find(generation, 'counters', {}), [{ id: 'x', count: 2 }], how);
        ends.stale++;
      }
      await seen.drop(generation, lease);
    }, 1);
    assert.ok(count > 15, count.toString());
    assert.ok(ends.dropped > 0 && ends.stale > 0, JSON.stringify(ends));
  });

  test('two holders of a lease with the same token miscount events, which shows that the interleavings would reveal such an error', async () => {
    const log = [1n, 2n, 3n].map((position) => ({ position, counts: ['x'] }));
    const lease = { name: LEASE, token: 1n };
    const wrong = new Set<string>();
    await race({ log, before: 1n, first: 2n }, { first: lease, second: lease }, ({ counters }) => {
      if (JSON.stringify(counters) !== '[[{"id":"x","count":3}]]') wrong.add(JSON.stringify(counters));
    });
    assert.ok(wrong.size > 0);
  });

  test.run();
}
