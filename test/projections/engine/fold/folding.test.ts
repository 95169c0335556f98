import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { collection, defineProjection, type AnyProjection } from '../../../../projections/engine/fold/define.ts';
import { Folding } from '../../../../projections/engine/fold/folding.ts';
import { PoisonousEvent } from '../../../../projections/engine/fold/poison.ts';
import type { ReadStore } from '../../../../stores/read-store/port.ts';
import { createMemoryReadStore } from '../../../../stores/read-store/memory.ts';
import { rejects } from '../../../rejects.ts';
import { recorded } from '../../history.ts';
import { projection, projectionRules } from '../../specification.ts';
import { counters, logMarked, type Counter } from '../samples.ts';

const GENERATION = { projection: 'sample@1', number: 1 };

const start = async (sample: AnyProjection, readStore: ReadStore = createMemoryReadStore()) => {
  await readStore.open(GENERATION, sample.collections as typeof counters.collections);
  const folding = new Folding({
    projection: sample,
    generation: GENERATION,
    readStore,
    checkpoint: { log_id: 'log', position: 0n, event_id: null },
    retainedFrom: '2026-11-20T00:00:00.000000',
    recentDocuments: 2,
  });
  return { folding, readStore };
};

projectionRules(counters, [
  logMarked('a'),
  logMarked('b'),
  logMarked('a'),
  logMarked('c'),
  logMarked('a'),
  logMarked('b'),
]);

const test = suite('the folding of events');

test('the events of a batch are applied in order, and each event sees the changes of the previous events', () =>
  projection(counters)
    .given(logMarked('a'), logMarked('b'), logMarked('a'))
    .then('counters', [
      { id: 'a', count: 2 },
      { id: 'b', count: 1 },
    ]));

test('the documents of a batch are read once, and not again as long as they are cached', async () => {
  const reads: string[][] = [];
  const readStore = createMemoryReadStore();
  const { folding } = await start(counters, {
    ...readStore,
    get: (generation, name, ids) => {
      reads.push([...ids]);
      return readStore.get(generation, name, ids);
    },
  });
  const events = recorded(['a', 'b', 'a', 'b', 'a', 'c'].map(logMarked));
  await folding.fold(events.slice(0, 3));
  await folding.commit();
  await folding.fold(events.slice(3));
  await folding.commit();
  assert.equal(reads, [['a', 'b'], ['c']]);
});

test('events that were already applied are skipped', async () => {
  const { folding, readStore } = await start(counters);
  const events = recorded([logMarked('a'), logMarked('a'), logMarked('a')]);
  await folding.fold(events.slice(0, 2));
  await folding.fold(events);
  await folding.commit();
  assert.equal(await readStore.get(GENERATION, 'counters', ['a']), [{ id: 'a', count: 3 }]);
});

test('documents and checkpoint are stored in one commit', async () => {
  const { folding, readStore } = await start(counters);
  const events = recorded([logMarked('a'), logMarked('b')]);
  await folding.fold(events);
  assert.is(await readStore.checkpoint(GENERATION), null);
  await folding.commit();
  assert.equal(await readStore.checkpoint(GENERATION), { log_id: 'log', position: 20n, event_id: events[1]?.id });
});

/**
 * Contains the marks that have occurred an odd number of times. Also deletes documents from `cleared`, which is always
 * empty.
 */
const clearing = defineProjection({
  name: 'clearing',
  version: 1,
  log: 'main',
  collections: {
    counters: collection<Counter>({ indexes: [] }),
    cleared: collection<Counter>({ indexes: [] }),
  },
  documents: ({ data }) => ({ counters: [data.mark], cleared: [data.mark] }),
  on: {
    LogMarked: ({ data }, models) => {
      if (models.counters.get(data.mark)) models.counters.delete(data.mark);
      else models.counters.put({ id: data.mark, count: 1 });
      models.cleared.delete(data.mark);
    },
  },
});

test('the deletion of a missing document is not written', async () => {
  const readStore = createMemoryReadStore();
  const commits: string[] = [];
  const { folding } = await start(clearing, {
    ...readStore,
    commit: (generation, writes, checkpoint) => {
      commits.push(JSON.stringify(Object.entries(writes).filter(([, list]) => list.length > 0)));
      return readStore.commit(generation, writes, checkpoint);
    },
  });
  for (const event of recorded(['a', 'a'].map(logMarked))) {
    await folding.fold([event]);
    await folding.commit();
  }
  assert.equal(commits, ['[["counters",[{"put":{"id":"a","count":1}}]]]', '[["counters",[{"delete":"a"}]]]']);
  assert.equal(await readStore.get(GENERATION, 'counters', ['a']), []);
});

test('events that the projection does not handle only advance its position', async () => {
  const { folding } = await start(counters);
  await folding.fold(
    recorded([logMarked('a'), { type: 'OrganizationCreated', data: { organization_id: 'o', name: 'O' } }]),
  );
  assert.is(folding.position, 20n);
});

test('events past the retention are not shown to the projection', async () => {
  const { folding, readStore } = await start(counters);
  const old = { recorded_at: '2026-11-19T23:59:59.999999' };
  await folding.fold(recorded([{ ...logMarked('a'), metadata: old }, logMarked('a')]));
  await folding.commit();
  assert.equal(await readStore.get(GENERATION, 'counters', ['a']), [{ id: 'a', count: 1 }]);
});

/** Puts two documents for each mark, and fails after the first one at the mark `bad`. */
const fragile = defineProjection({
  name: 'fragile',
  version: 1,
  log: 'main',
  collections: { counters: collection<Counter>({ indexes: [] }) },
  documents: ({ data }) => ({ counters: [data.mark] }),
  on: {
    LogMarked: ({ data }, { counters }) => {
      counters.put({ id: 'latest', count: data.mark.length });
      if (data.mark === 'bad') throw new Error('No such luck.');
      counters.put({ id: data.mark, count: 1 });
    },
  },
});

test('the changes of all events before an event whose handler throws are stored, and nothing of that event', async () => {
  const { folding, readStore } = await start(fragile);
  const unhandled = { type: 'OrganizationCreated', data: { organization_id: 'o', name: 'O' } } as const;
  const events = recorded([logMarked('good'), unhandled, logMarked('bad'), logMarked('never')]);
  await rejects(folding.fold(events), PoisonousEvent, 'fragile cannot fold LogMarked at position 30: No such luck.');
  assert.is(folding.position, 20n);
  await folding.commit();
  assert.equal(await readStore.find(GENERATION, 'counters', {}), [
    { id: 'good', count: 1 },
    { id: 'latest', count: 4 },
  ]);
});

test('an event type that this release does not know is refused, whether or not the projection handles it', async () => {
  const { folding } = await start(counters);
  const [known, unknown] = recorded([logMarked('a'), logMarked('b')]);
  await rejects(
    folding.fold([known, { ...unknown, type: 'CoffeeBrewed' }] as never),
    PoisonousEvent,
    'counters cannot fold CoffeeBrewed at position 20: This release does not know this event type.',
  );
  assert.is(folding.position, 10n);
});

test('an event version that this release does not know is refused', async () => {
  const { folding } = await start(counters);
  const events = recorded([{ ...logMarked('a'), metadata: { schema_version: 2 } }]);
  await rejects(folding.fold(events), PoisonousEvent, /knows it up to version 1, not version 2/);
  assert.is(folding.position, 0n);
});

test('a document that the event does not declare is refused', async () => {
  const careless = { ...counters, documents: () => ({ counters: ['other'] }) };
  const { folding } = await start(careless);
  await rejects(folding.fold(recorded([logMarked('a')])), PoisonousEvent, /The document a of counters is not declared/);
});

/** At the mark `reset`, deletes the documents that its search has found. */
const searching = defineProjection({
  name: 'searching',
  version: 1,
  log: 'main',
  collections: { counters: collection<Counter>({ indexes: [{ count: 1 }] }) },
  documents: ({ data }) => ({ counters: [data.mark] }),
  searches: {
    LogMarked: ({ data }) => (data.mark === 'reset' ? { counters: { where: { count: { $gt: 1 } } } } : {}),
  },
  on: {
    LogMarked: ({ data }, { counters }) => {
      for (const { id } of counters.found) counters.delete(id);
      counters.put({ id: data.mark, count: (counters.get(data.mark)?.count ?? 0) + 1 });
    },
  },
});

const searched = ['a', 'a', 'b', 'reset', 'b', 'b', 'reset', 'a'].map(logMarked);
projectionRules(searching, searched);

test('earlier events are committed before an event that searches, so that the search finds their documents', () =>
  projection(searching)
    .given(...searched)
    .then('counters', [
      { id: 'a', count: 1 },
      { id: 'reset', count: 2 },
    ]));

test('a commit before a search is made only if the event really searches', async () => {
  const readStore = createMemoryReadStore();
  const committed: bigint[] = [];
  const { folding } = await start(searching, {
    ...readStore,
    commit: (generation, writes, checkpoint) => {
      committed.push(checkpoint.position);
      return readStore.commit(generation, writes, checkpoint);
    },
  });
  await folding.fold(recorded(searched));
  assert.equal(committed, [30n, 60n]);
});

/**
 * The mark `a x` adds the member `x` to the list `a`. The mark `a` deletes the list `a` and its members, whose ids only
 * the document of the list contains.
 */
const lists = defineProjection({
  name: 'lists',
  version: 1,
  log: 'main',
  collections: {
    lists: collection<{ id: string; members: string[] }>({ indexes: [] }),
    members: collection<{ id: string }>({ indexes: [] }),
  },
  documents: ({ data }) => ({ lists: [data.mark.split(' ')[0] ?? ''] }),
  further: {
    LogMarked: ({ data }, { lists }) => {
      const [id = '', member] = data.mark.split(' ');
      if (member === 'nobody') throw new Error('Nobody is no member.');
      return { members: member === undefined ? (lists.get(id)?.members ?? []) : [member] };
    },
  },
  on: {
    LogMarked: ({ data }, { lists, members }) => {
      const [id = '', member] = data.mark.split(' ');
      const before = lists.get(id)?.members ?? [];
      if (member === undefined) {
        for (const each of before) if (members.get(each)) members.delete(each);
        lists.delete(id);
        return;
      }
      lists.put({ id, members: [...before, member] });
      members.put({ id: member });
    },
  },
});

projectionRules(lists, ['a x', 'a y', 'b z', 'a', 'a v', 'b', 'a'].map(logMarked));

test('the `further` functions of a projection get the documents of an event in their state just before the event', async () => {
  const given = projection(lists).given(...['a x', 'b z', 'a y', 'a', 'a v'].map(logMarked));
  await given.then('members', [{ id: 'v' }, { id: 'z' }]);
  await given.then('lists', [
    { id: 'a', members: ['v'] },
    { id: 'b', members: ['z'] },
  ]);
});

test('the documents whose ids the `further` functions of a projection return are read together for all events of a batch', async () => {
  const readStore = createMemoryReadStore();
  const first = await start(lists, readStore);
  await first.folding.fold(recorded(['a x', 'a y', 'b z'].map(logMarked)));
  await first.folding.commit();
  const reads: string[] = [];
  const { folding } = await start(lists, {
    ...readStore,
    open: async () => undefined,
    get: (generation, name, ids) => {
      reads.push(`${name}: ${ids.join(' ')}`);
      return readStore.get(generation, name, ids);
    },
  });
  await folding.fold(recorded(['a', 'b', 'c x', 'c'].map(logMarked)));
  assert.equal(reads, ['lists: a b c', 'members: x y z']);
});

test('folding stops at an event for which a `further` function of the projection throws an error', async () => {
  const { folding, readStore } = await start(lists);
  const events = recorded(['a x', 'a nobody', 'a y'].map(logMarked));
  await rejects(folding.fold(events), PoisonousEvent);
  await folding.commit();
  assert.equal(await readStore.get(GENERATION, 'lists', ['a']), [{ id: 'a', members: ['x'] }]);
  assert.is(folding.position, events[0]?.position);
});

test('an unavailable store is distinguished from an event that cannot be folded', async () => {
  const { folding } = await start(counters, {
    ...createMemoryReadStore(),
    get: () => Promise.reject(new RangeError('The disk is gone.')),
  });
  await rejects(folding.fold(recorded([logMarked('a')])), RangeError, 'The disk is gone.');
});

test.run();
