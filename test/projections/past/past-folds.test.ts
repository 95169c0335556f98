import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { RecordedEvent } from '../../../domain/event.ts';
import { components } from '../../../projections/components/projection.ts';
import { createPastFolds } from '../../../projections/past/past-folds.ts';
import { createSharedMemoryReadStore } from '../../../stores/read-store/memory.ts';
import { componentAdded, pageCreated } from '../../domain/page/examples.ts';
import { recorded } from '../history.ts';

const test = suite('folds of past states');

const ids = Array.from({ length: 40 }, (_, index) => `component${index}`);
const EVENTS = recorded([pageCreated(), ...ids.map((id) => componentAdded(id))]);

/** Returns the projection of components, with a function that is called for each event that is folded. */
const observed = (onEvent: (event: RecordedEvent) => void): typeof components => ({
  ...components,
  documents: (event) => {
    onEvent(event);
    return components.documents(event);
  },
});

const work = (milliseconds: number): void => {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
};

test('many short folds at the same time share the turns of the event loop with other work', async () => {
  const folds = createPastFolds(createSharedMemoryReadStore);
  let turn = 0;
  let isOver = false;
  const count = (): void => {
    turn += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const workByTurn = new Map<number, number>();
  const projection = observed(() => {
    work(2);
    workByTurn.set(turn, (workByTurn.get(turn) ?? 0) + 2);
  });
  const requests = Array.from({ length: 24 }, (_, index) =>
    folds.stateOf(`page ${index % 3}`, projection, { all: EVENTS.slice(0, 3), count: 1 + (index % 3), further: [] }),
  );
  await Promise.all(requests);
  isOver = true;
  const longest = Math.max(...workByTurn.values());
  assert.ok(longest <= 25, `${longest} ms in one turn`);
});

test('a state is folded from the nearest state before it, and later folds do not change it', async () => {
  let folded = 0;
  const projection = observed(() => (folded += 1));
  const folds = createPastFolds(createSharedMemoryReadStore);
  const countOf = async (count: number): Promise<number> => {
    const { store, generation } = await folds.stateOf('page', projection, { all: EVENTS, count, further: [] });
    return store.count(generation, 'components');
  };
  assert.equal([await countOf(11), await countOf(31), await countOf(11), await countOf(31)], [10, 30, 10, 30]);
  const before = folded;
  assert.equal([await countOf(31), await countOf(11)], [30, 10]);
  assert.is(folded, before);
});

test('the latest states of an owner are cached, even if all its states together are too large for the cache', async () => {
  let folded = 0;
  const projection = observed(() => (folded += 1));
  const folds = createPastFolds(createSharedMemoryReadStore, 150);
  for (const count of [36, 37, 38, 39, 40])
    await folds.stateOf('page', projection, { all: EVENTS, count, further: [] });
  const before = folded;
  await folds.stateOf('page', projection, { all: EVENTS, count: 40, further: [] });
  assert.is(folded, before);
});

test.run();
