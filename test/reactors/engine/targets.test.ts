import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createDueWork } from '../../../reactors/engine/due.ts';
import { createChangeWork } from '../../../reactors/engine/changes.ts';
import { done, type ItemResult } from '../../../reactors/engine/item-result.ts';
import { ReadModelLate } from '../../../projections/readers.ts';
import { CoordinationUnavailable } from '../../../stores/coordination/port.ts';
import { shortPause, createReactorHarness } from '../reactor-harness.ts';
import { createList } from './in-memory-list.ts';
import { eventually } from '../../waiting.ts';
import { MINUTE_MS } from '../../../domain/time.ts';

const test = suite('items with targets');

const targetOf = (id: string): string => id.split('/')[0] ?? id;

/** Creates a reactor that sends messages. After a message was sent, its item is removed from the list. */
const start = (atOnce = 16, perTarget = 2) => {
  const office = createReactorHarness();
  const listed = createList(office);
  /** targets that accept nothing */
  const dead = new Set<string>();
  /** items that cannot be sent, although their target accepts others */
  const poisoned = new Set<string>();
  /** items that wait for something that does not exist yet */
  const late = new Set<string>();
  const tried: string[] = [];
  const sent: string[] = [];
  const underWay = new Map<string, number>();
  const most = new Map<string, number>();
  let each: Promise<void> = Promise.resolve();
  const send = async (id: string): Promise<ItemResult> => {
    const target = targetOf(id);
    tried.push(id);
    const now = (underWay.get(target) ?? 0) + 1;
    underWay.set(target, now);
    most.set(target, Math.max(now, most.get(target) ?? 0));
    await each;
    underWay.set(target, (underWay.get(target) ?? 1) - 1);
    if (late.has(id)) throw new ReadModelLate('test');
    if (dead.has(target) || poisoned.has(id)) throw new Error('Connection refused.');
    sent.push(id);
    return done();
  };
  const targets = { of: ({ id }: { id: string }) => targetOf(id), atOnce: perTarget };
  return {
    office,
    ...listed,
    dead,
    poisoned,
    late,
    tried,
    sent,
    most,
    triedFor: (target: string): number => tried.filter((id) => targetOf(id) === target).length,
    hold: (): (() => void) => {
      let go: () => void = () => undefined;
      each = new Promise((resolve) => (go = resolve));
      return go;
    },
    onDue: () =>
      office.start(
        createDueWork(
          'test',
          office.todo,
          () => listed.list,
          async ({ id }) => {
            const ending = await send(id);
            listed.take(id);
            return ending;
          },
          { atOnce, targets, longest: 86_400_000 },
        ),
      ),
    onChanges: () =>
      office.start(createChangeWork('test', office.todo, listed.list, ({ id }) => send(id), { atOnce, targets })),
    pass: async (milliseconds: number): Promise<void> => {
      office.now += milliseconds;
      office.move();
      await shortPause();
    },
    failures: () => office.coordination.failedItems.page('test', { after: null, limit: 10_000 }),
  };
};

for (const kind of ['onDue', 'onChanges'] as const) {
  test(`items of one target use no more than their share of the concurrent slots (${kind})`, async () => {
    const { office, put, sent, most, hold, failures, ...given } = start();
    for (let index = 0; index < 200; index++) put(`slow/${index}`, -1);
    for (let index = 0; index < 20; index++) put(`other${index}/1`);
    const go = hold();
    given[kind]();
    await eventually(() => most.size > 14);
    assert.is(most.get('slow'), 2);
    go();
    await eventually(() => sent.length === 220);
    await shortPause();
    assert.is(most.get('slow'), 2);
    assert.is(new Set(sent).size, 220);
    assert.equal(await failures(), []);
    await office.close();
  });

  test(`failing items pause their target with backoff, while others continue (${kind})`, async () => {
    const { office, put, dead, sent, triedFor, pass, failures, ...given } = start();
    dead.add('dead');
    for (let index = 0; index < 300; index++) put(`dead/${index}`);
    for (let index = 0; index < 100; index++) put(`works/${index}`);
    given[kind]();
    await eventually(() => sent.length === 100);
    await shortPause();
    const atFirst = triedFor('dead');
    assert.ok(atFirst <= 2, `${atFirst} were tried at first`);
    for (let minutes = 0; minutes < 30; minutes++) await pass(MINUTE_MS);
    const later = triedFor('dead');
    assert.ok(later <= 2 + 20, `${later} were tried within half an hour`);
    assert.ok(office.lines.length <= 2);
    put('works/new');
    office.move();
    await eventually(() => sent.includes('works/new'));
    dead.clear();
    for (let minutes = 0; minutes < 6; minutes++) await pass(MINUTE_MS);
    await eventually(() => {
      office.now += 1_000;
      office.move();
      return sent.length === 401;
    });
    assert.is(new Set(sent).size, 401);
    await shortPause();
    assert.equal(await failures(), []);
    await office.close();
  });
}

test('items that wait for their target are handled after a restart', async () => {
  const { office, put, dead, sent, onChanges, pass } = start();
  dead.add('dead');
  for (let index = 0; index < 30; index++) put(`dead/${index}`);
  const stop = onChanges();
  await shortPause();
  await stop();
  assert.equal(JSON.parse((await office.coordination.read('reactor:test')) ?? ''), { activated: 0, handled: 30 });
  dead.clear();
  onChanges();
  for (let seconds = 0; seconds < 10; seconds++) await pass(1_000);
  await eventually(() => sent.length === 30);
  assert.is(new Set(sent).size, 30);
  await office.close();
});

test('items that change while they wait for their target are handled in their new state, even after a restart', async () => {
  const { office, put, dead, tried, sent, onChanges, pass, failures } = start();
  dead.add('dead');
  for (const id of ['dead/1', 'dead/2', 'dead/3']) put(id);
  const stop = onChanges();
  await shortPause();
  assert.ok(!tried.includes('dead/3'));
  put('dead/3');
  office.move();
  await shortPause();
  assert.equal((await failures()).find(({ id }) => id === 'dead/3')?.position, 4);
  await stop();
  dead.clear();
  onChanges();
  for (let seconds = 0; seconds < 4; seconds++) await pass(1_000);
  await eventually(() => sent.length === 3);
  assert.equal([...sent].sort(), ['dead/1', 'dead/2', 'dead/3']);
  await office.close();
});

test('the checkpoint does not advance while waiting items cannot be stored', async () => {
  const { office, put, dead, sent, onChanges, pass } = start();
  dead.add('dead');
  const store = office.coordination.failedItems.store.bind(office.coordination.failedItems);
  let full = true;
  office.coordination.failedItems.store = async (...parameters) => {
    if (full) throw new CoordinationUnavailable('The disk is full.');
    await store(...parameters);
  };
  for (let index = 0; index < 20; index++) put(`dead/${index}`);
  onChanges();
  await shortPause();
  const handled = async () =>
    (JSON.parse((await office.coordination.read('reactor:test')) ?? '') as { handled: number }).handled;
  assert.is(await handled(), 0);
  for (let seconds = 0; seconds < 4; seconds++) await pass(1_000);
  assert.is(await handled(), 0);
  full = false;
  for (let seconds = 0; seconds < 400; seconds++) await pass(1_000);
  assert.is(await handled(), 20);
  dead.clear();
  for (let minutes = 0; minutes < 10; minutes++) await pass(MINUTE_MS);
  await eventually(() => sent.length === 20);
  await office.close();
});

test('items that change while another item of their target is being handled do not stop the checkpoint', async () => {
  const { office, put, late, tried, sent, hold, onChanges, pass } = start(16, 1);
  late.add('slow/1');
  put('slow/1');
  onChanges();
  await eventually(() => tried.length === 1);
  await shortPause();
  const go = hold();
  put('slow/2');
  office.move();
  await eventually(() => tried.length === 2);
  put('slow/1');
  office.move();
  await shortPause();
  late.clear();
  go();
  for (let seconds = 0; seconds < 4; seconds++) await pass(1_000);
  assert.equal(sent, ['slow/2', 'slow/1']);
  assert.equal(JSON.parse((await office.coordination.read('reactor:test')) ?? ''), { activated: 0, handled: 3 });
  await office.close();
});

test('a hundred thousand items, most of them for an unreachable target, are all handled while the list grows', async () => {
  const { office, put, dead, sent, triedFor, onDue } = start(64, 4);
  dead.add('dead');
  for (let index = 0; index < 90_000; index++) put(`dead/${index}`, -1);
  for (let index = 0; index < 5_000; index++) put(`works${index % 50}/${index}`);
  const stop = onDue();
  await eventually(() => sent.length >= 2_500);
  for (let index = 0; index < 5_000; index++) put(`late${index % 50}/${index}`);
  office.move();
  await eventually(() => sent.length === 10_000);
  await shortPause();
  assert.is(new Set(sent).size, 10_000);
  assert.ok(triedFor('dead') <= 8, `${triedFor('dead')} were tried of the dead target`);
  await stop();
});

test('items that wait for a target precede an item of the target that always fails', async () => {
  const { office, put, tried, sent, onDue, pass, poisoned } = start(16, 1);
  poisoned.add('shared/poisonous');
  put('shared/poisonous', -1);
  for (let index = 0; index < 10; index++) put(`shared/${index}`);
  onDue();
  await eventually(() => tried.length > 0);
  for (let seconds = 0; seconds < 30; seconds++) await pass(1_000);
  assert.is(new Set(sent).size, 10);
  await office.close();
});

for (const kind of ['onDue', 'onChanges'] as const) {
  test(`items that always fail end as permanent failures even if they wait for each other in between (${kind})`, async () => {
    const { office, put, dead, pass, failures, ...given } = start(16, 1);
    dead.add('dead');
    for (let index = 0; index < 2; index++) put(`dead/${index}`);
    given[kind]();
    for (let tries = 0; tries < 2 * 20; tries++) await pass(5 * MINUTE_MS);
    assert.equal(
      (await failures()).map(({ state, tries }) => [state, tries]),
      [
        ['given_up', 20],
        ['given_up', 20],
      ],
    );
    await office.close();
  });
}

test.run();
