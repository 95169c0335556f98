import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { NO_EVENTS, headText, nextHead } from '../../../domain/log/head.ts';
import { definitionOf } from '../../../domain/event-types.ts';
import type { NewEvent } from '../../../domain/event.ts';
import { createPastEvents } from '../../../projections/past/past-events.ts';
import { createPageHistories } from '../../../projections/past/page-history.ts';
import { createPastFolds } from '../../../projections/past/past-folds.ts';
import { components } from '../../../projections/components/projection.ts';
import { createCheckedStore } from '../../../stores/event-store/checked.ts';
import { createMemoryEventStore } from '../../../stores/event-store/memory.ts';
import { createSharedMemoryReadStore } from '../../../stores/read-store/memory.ts';
import { componentAdded, PAGE, pageCreated } from '../../domain/page/examples.ts';
import { recorded, type Fact } from '../history.ts';

const test = suite('the history of a page');

const ORGANIZATION = 'org000000001';

/** A log with these facts, as they are stored. */
const logOf = async (facts: readonly Fact[]) => {
  const raw = createMemoryEventStore('main');
  for (const { stream, ...event } of recorded(facts)) {
    const { id, type, data, metadata } = event satisfies NewEvent;
    await raw.append(stream, [{ id, type, data, metadata }], 'any');
  }
  const source = createPastEvents(createCheckedStore(raw));
  return { raw, history: createPageHistories(source, createPastFolds(createSharedMemoryReadStore)) };
};

const version = (schema_version: number) => ({ metadata: { schema_version } });

const FACTS: Fact[] = [
  { ...pageCreated(), ...version(2) },
  { ...componentAdded('api'), ...version(1) },
  { ...componentAdded('web'), ...version(4) },
];

test('the head is computed over events as they are stored, without upcasting', async () => {
  const { raw, history } = await logOf(FACTS);
  const { events, headAfter } = await history(ORGANIZATION, PAGE);
  assert.equal(
    events.map(({ metadata }) => metadata.schema_version),
    events.map(({ type }) => definitionOf(type)?.version),
  );
  const stored = await raw.readAll({ after: 0n, limit: 10 });
  for (const count of [3, 1, 2, 3, 0]) {
    const expected = stored.slice(0, count).reduce(nextHead, NO_EVENTS);
    assert.is(headText(await headAfter(count)), headText(expected), `${count}`);
  }
});

test('read models are folded from the first events of the page', async () => {
  const { history } = await logOf(FACTS);
  const { readAfter } = await history(ORGANIZATION, PAGE);
  for (const [count, ids] of [
    [3, ['api', 'web']],
    [2, ['api']],
    [1, []],
  ] as const) {
    const found = await readAfter(count)(components).components.find({ where: { page_id: PAGE }, sort: { id: 1 } });
    assert.equal(
      found.map(({ id }) => id),
      ids,
    );
  }
});

test('another organization has no history of the page', async () => {
  const { history } = await logOf(FACTS);
  assert.equal((await history('org000000002', PAGE)).events, []);
});

test('events that were appended later are read by the next call', async () => {
  const { raw, history } = await logOf(FACTS);
  const before = await history(ORGANIZATION, PAGE);
  const [, , , added] = recorded([...FACTS, { ...componentAdded('db'), ...version(4) }]);
  if (added) await raw.append(added.stream, [{ ...added }], 'any');
  const after = await history(ORGANIZATION, PAGE);
  assert.equal([before.events.length, after.events.length], [3, 4]);
  assert.ok(after.end > before.end);
});

test.run();
