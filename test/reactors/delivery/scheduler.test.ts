import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { AttemptSignal } from '../../../reactors/delivery/target-state.ts';
import { DeliveryScheduler, REFILL_SIZE, type QueuedMessage } from '../../../reactors/delivery/scheduler.ts';
import { eventually } from '../../waiting.ts';

const test = suite('the fair scheduling of messages');

const NOW = Date.UTC(2026, 10, 20, 15);
const LIMITS = { perSecond: 1_000_000, concurrency: 256, concurrencyPerTarget: 10 };

let count = 0;
const message = (fields: Partial<QueuedMessage> = {}): QueuedMessage => ({
  id: `m${(++count).toString().padStart(6, '0')}`,
  due_at: '2026-11-20T15:00:00.000000',
  notifier: 'webhook',
  target: 'one',
  priority: 'page',
  organization_id: 'acme',
  ...fields,
});

const lanesWith = (messages: readonly QueuedMessage[], limits = LIMITS): DeliveryScheduler<QueuedMessage> => {
  const lanes = new DeliveryScheduler<QueuedMessage>(limits);
  for (const one of messages) lanes.add(one);
  return lanes;
};

const times = (number: number, fields: (index: number) => Partial<QueuedMessage>): QueuedMessage[] =>
  Array.from({ length: number }, (_, index) => message(fields(index)));

/** Takes all messages that may start now. */
const takeAll = (lanes: DeliveryScheduler<QueuedMessage>, now = NOW): QueuedMessage[] => {
  const taken: QueuedMessage[] = [];
  for (let item = lanes.takeNext(now); item; item = lanes.takeNext(now)) taken.push(item);
  return taken;
};

const leaveAll = (
  lanes: DeliveryScheduler<QueuedMessage>,
  items: readonly QueuedMessage[],
  sign: AttemptSignal,
  now = NOW,
): void => {
  for (const item of items) lanes.release(item, sign, now);
};

test('ten messages go to one target concurrently, however many wait, and other targets are not delayed', () => {
  const lanes = lanesWith([...times(50, () => ({})), ...times(5, (index) => ({ target: `other ${index}` }))]);
  const taken = takeAll(lanes);
  assert.is(taken.filter(({ target }) => target === 'one').length, 10);
  assert.is(taken.length, 15);
  leaveAll(lanes, taken.slice(0, 1), 'answered');
  assert.is(takeAll(lanes).length, 1);
});

test('account messages precede alerts, and alerts precede page messages, whatever their order of arrival', () => {
  const limits = { ...LIMITS, concurrencyPerTarget: 1 };
  const messages = (['page', 'page', 'alert', 'account'] as const).map((priority) => message({ priority }));
  const lanes = lanesWith(messages, limits);
  const order: string[] = [];
  for (let item = lanes.takeNext(NOW); item; item = lanes.takeNext(NOW)) {
    order.push(item.priority);
    lanes.release(item, 'answered', NOW);
  }
  assert.equal(order, ['account', 'alert', 'page', 'page']);
});

test('organizations take turns at one target', () => {
  const lanes = lanesWith([...times(90, () => ({})), ...times(3, () => ({ organization_id: 'beta' }))], {
    ...LIMITS,
    concurrencyPerTarget: 1,
  });
  const order: string[] = [];
  for (let turn = 0; turn < 6; turn++) {
    const item = lanes.takeNext(NOW);
    if (!item) throw new Error('No message may start.');
    order.push(item.organization_id);
    lanes.release(item, 'answered', NOW);
  }
  assert.equal(order, ['acme', 'beta', 'acme', 'beta', 'acme', 'beta']);
});

test('an organization with messages to very many targets leaves slots for other organizations', () => {
  const lanes = lanesWith(times(5_000, (index) => ({ target: `host ${index}` })));
  assert.is(takeAll(lanes).length, 128);
  const late = message({ organization_id: 'beta', target: 'beta' });
  lanes.add(late);
  assert.equal(takeAll(lanes), [late]);
  // Account messages need no free slots.
  const account = message({ priority: 'account', target: 'account' });
  lanes.add(account);
  assert.equal(takeAll(lanes), [account]);
});

test('alerts to very many targets leave slots for alerts of other organizations, and page messages leave slots for alerts', () => {
  const many = (priority: 'alert' | 'page') => times(5_000, (index) => ({ priority, target: `${priority} ${index}` }));
  const lanes = lanesWith(many('page'));
  assert.is(takeAll(lanes).length, 128);
  for (const one of many('alert')) lanes.add(one);
  assert.is(takeAll(lanes).length, 64);
  for (const priority of ['alert', 'page'] as const) {
    const late = message({ priority, organization_id: 'beta', target: `beta ${priority}` });
    lanes.add(late);
    assert.equal(takeAll(lanes), [late]);
  }
});

test('a target that failed three times in a row is paused with backoff; a single success ends the pause', () => {
  const lanes = lanesWith(times(50, () => ({})));
  const [first, ...others] = takeAll(lanes);
  if (!first) throw new Error('No message may start.');
  leaveAll(lanes, [first, ...others.slice(0, 1)], 'failed');
  const next = takeAll(lanes);
  assert.is(next.length, 2);
  leaveAll(lanes, others.slice(1, 2), 'failed');
  assert.is(takeAll(lanes).length, 0);
  assert.is(lanes.nextStart(NOW), NOW + 1_000);
  leaveAll(lanes, [...others.slice(2), ...next], 'nothing');
  const [probe, ...more] = takeAll(lanes, NOW + 1_000);
  if (!probe) throw new Error('No message may start.');
  assert.is(more.length, 0);
  lanes.release(probe, 'failed', NOW + 1_000);
  assert.is(lanes.nextStart(NOW + 1_000), NOW + 3_000);
  const [again] = takeAll(lanes, NOW + 3_000);
  if (!again) throw new Error('No message may start.');
  lanes.release(again, 'answered', NOW + 3_000);
  assert.is(takeAll(lanes, NOW + 3_000).length, 10);
});

test('an unavailable relay is paused immediately, and only messages to this relay wait', () => {
  const lanes = lanesWith([...times(20, () => ({})), message({ target: 'other' })]);
  const taken = takeAll(lanes);
  const [first] = taken;
  if (!first) throw new Error('No message may start.');
  const until = NOW + 30_000;
  assert.is(lanes.release(first, { unavailableUntil: until }, NOW), 'unavailable');
  leaveAll(lanes, taken.slice(1), 'nothing');
  lanes.add(message({ target: 'other' }));
  assert.is(takeAll(lanes, until - 1).length, 1);
  const [probe] = takeAll(lanes, until);
  if (!probe) throw new Error('No message may start.');
  assert.is(lanes.release(probe, 'answered', until), 'available');
});

test('a clock that was set back ends pauses', () => {
  const lanes = lanesWith(times(20, () => ({})));
  const [first, ...others] = takeAll(lanes);
  if (!first) throw new Error('No message may start.');
  lanes.release(first, { unavailableUntil: NOW + 30_000 }, NOW);
  leaveAll(lanes, others, 'nothing');
  lanes.endPauses();
  assert.is(takeAll(lanes, NOW - 86_400_000).length, 1);
});

test('the queue of a target has up to a hundred messages in memory, and is refilled when few are left', () => {
  const messages = times(50_000, () => ({}));
  const lanes = new DeliveryScheduler<QueuedMessage>(LIMITS);
  assert.is(messages.filter((one) => lanes.add(one)).length, 100);
  assert.equal([...lanes.queuesToRefill(NOW)], []);
  for (let taken = takeAll(lanes); [...lanes.queuesToRefill(NOW)].length === 0; taken = takeAll(lanes)) {
    leaveAll(lanes, taken, 'answered');
  }
  const [queue] = lanes.queuesToRefill(NOW);
  if (!queue) throw new Error('No queue needs a refill.');
  const after = lanes.beginRefill(queue);
  assert.equal(after, { due_at: messages[0]?.due_at, id: '' });
  const rest = messages.slice(100, 100 + REFILL_SIZE);
  assert.ok(rest.every((one) => lanes.add(one)));
  const last = rest.at(-1);
  lanes.endRefill(queue, last ? { due_at: last.due_at, id: last.id } : null);
  assert.not.ok(lanes.add(message()));
});

test('a queue from which all messages were removed applies its limits to the next messages that are added', () => {
  const lanes = new DeliveryScheduler<QueuedMessage>(LIMITS);
  for (let round = 0; round < 3; round++) {
    const gone = times(5, () => ({}));
    for (const one of gone) lanes.add(one);
    for (const one of gone) lanes.remove(one);
    const staying = times(15, () => ({}));
    for (const one of staying) lanes.add(one);
    const taken = takeAll(lanes);
    assert.is(taken.length, 10);
    assert.is(takeAll(lanes).length, 0);
    for (const one of staying.slice(10)) lanes.remove(one);
    leaveAll(lanes, taken, 'answered');
    assert.is(lanes.takeNext(NOW), null);
  }
});

test('slow and paused targets with a large backlog are reported', () => {
  const lanes = lanesWith([
    ...times(200, () => ({ target: 'dead' })),
    ...times(200, () => ({ target: 'slow' })),
    ...times(200, () => ({ target: 'good' })),
    message({ target: 'other' }),
  ]);
  const taken = takeAll(lanes);
  for (const item of taken) {
    if (item.target.startsWith('dead')) lanes.release(item, { unavailableUntil: NOW + 30_000 }, NOW, 10);
    else lanes.release(item, 'answered', NOW, item.target === 'slow' ? 9_000 : 50);
  }
  assert.equal(lanes.backloggedTargets(NOW), ['dead', 'slow']);
});

test('a notifier starts a limited number of messages per second, spread over the second', async () => {
  const lanes = lanesWith(
    times(60, (index) => ({ target: `host ${index}` })),
    { ...LIMITS, perSecond: 100 },
  );
  const taken = takeAll(lanes);
  assert.ok(taken.length >= 10 && taken.length < 60);
  const next = lanes.nextStart(NOW);
  assert.ok(next !== null && next > NOW && next <= NOW + 20);
  await eventually(() => lanes.nextStart(NOW) === NOW);
  assert.ok(takeAll(lanes).length > 0);
  // Another notifier has a separate limit.
  lanes.add(message({ notifier: 'email' }));
  assert.is(takeAll(lanes).filter(({ notifier }) => notifier === 'email').length, 1);
});

test.run();
