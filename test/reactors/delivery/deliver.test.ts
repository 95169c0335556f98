import { setMaxListeners } from 'node:events';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { restartDelivery } from '../../../commands/alerts/deliveries.ts';
import type { EventStore } from '../../../stores/event-store/port.ts';
import type { SendOutcome } from '../../../notifiers/notifier.ts';
import { shortPause } from '../reactor-harness.ts';
import { hangingLog, received, refused, silentLog, stage } from './stage.ts';
import { eventually } from '../../waiting.ts';

const test = suite('the delivery reactor');

type Stage = Awaited<ReturnType<typeof stage>>;
type Append = EventStore['append'];

const isOutcome = (events: Parameters<Append>[1]): boolean =>
  events.some(({ type }) => ['DeliverySucceeded', 'DeliveryAttemptFailed', 'DeliveryGivenUp'].includes(type));

/** Creates a stage with one receiver, for one cause. */
const one = async (): Promise<Stage> => {
  const at = await stage();
  at.inviting(1);
  return at;
};

const statusOf = async ({ deliveries }: Stage): Promise<string | undefined> => (await deliveries())[0]?.status;

test('a failed message is retried when due, and fails permanently after the sixth attempt', async () => {
  const at = await one();
  let tries = 0;
  const { stop } = await at.start({
    send: async () => {
      tries++;
      return refused(false, 500);
    },
  });
  at.happens('one');
  const pauses = [5_000, 30_000, 120_000, 600_000, 3_600_000];
  for (const [index, pause] of pauses.entries()) {
    await eventually(async () => (await at.deliveries())[0]?.attempt_count === index + 1);
    at.pass(pause - 1);
    await shortPause();
    assert.is(tries, index + 1);
    at.pass(1);
  }
  await eventually(async () => (await statusOf(at)) === 'given_up');
  const [delivery] = await at.deliveries();
  assert.equal([delivery?.given_up?.because, delivery?.attempts.length, tries], ['exhausted', 6, 6]);
  assert.equal(await at.counts(), {
    planned: 1,
    FanOutAdvanced: 1,
    DeliveryAttemptFailed: 5,
    DeliveryGivenUp: 1,
  });
  await stop();
  await at.close();
});

test('a message that the target rejects permanently is not retried until an operator asks for it', async () => {
  const at = await one();
  let tries = 0;
  const { stop } = await at.start({ send: async () => (++tries === 1 ? refused(true, 410) : received) });
  at.happens('one');
  await eventually(async () => (await statusOf(at)) === 'given_up');
  const [delivery] = await at.deliveries();
  if (!delivery) throw new Error('There is no delivery.');
  const retryRequest = { by: 'cli', now: at.now() };
  const retry = restartDelivery({ results: at.stores.results });
  await retry(delivery, retryRequest);
  // A repeated request causes no second retry.
  await retry(delivery, retryRequest);
  await eventually(async () => (await statusOf(at)) === 'delivered');
  assert.is(tries, 2);
  const [after] = await at.deliveries();
  assert.equal(
    after?.attempts.map(({ number, outcome }) => [number, outcome]),
    [
      [1, 'failed'],
      [2, 'delivered'],
    ],
  );
  await stop();
  await at.close();
});

for (const [when, stores, sent] of [
  ['after the target has accepted it, before that was stored', false, 2],
  ['after the outcome was stored, before the append returned', true, 1],
] as const) {
  test(`a message reaches its target ${sent === 1 ? 'once' : 'again, under the same id,'} if its process is killed ${when}`, async () => {
    const at = await one();
    const log = hangingLog(isOutcome, stores);
    const first = await at.start({ append: log.append });
    at.happens('one');
    await eventually(log.hangs);
    first.kill();
    const { stop } = await at.start();
    await eventually(async () => (await statusOf(at)) === 'delivered' && at.inbox.length >= sent);
    await shortPause();
    assert.is(at.inbox.length, sent);
    assert.is(new Set(at.inbox.map(({ id }) => id)).size, 1);
    assert.equal(await at.counts(), { planned: 1, FanOutAdvanced: 1, DeliverySucceeded: 1 });
    await stop();
    await at.close();
  });
}

test('a message is not sent again if a log does not respond, whether or not the log has stored the outcome', async () => {
  for (const stores of [true, false]) {
    const at = await one();
    const log = silentLog(isOutcome, stores);
    const { stop } = await at.start({ append: log.append });
    at.happens('one');
    await eventually(log.failed);
    await eventually(async () => {
      at.pass(1_000);
      return (await statusOf(at)) === 'delivered';
    });
    await shortPause();
    assert.is(at.inbox.length, 1);
    assert.is((await at.counts())['DeliverySucceeded'], 1);
    await stop();
    await at.close();
  }
});

test('a target that does not respond does not delay messages to other targets', async () => {
  const at = await stage();
  at.inviting(300);
  const dead = new Set(at.state.receivers.slice(0, 200).map(({ id }) => id));
  at.state.receivers = at.state.receivers.map((receiver) =>
    dead.has(receiver.id) ? { ...receiver, target: 'dead' } : receiver,
  );
  let hanging = 0;
  let most = 0;
  const { stop } = await at.start({
    send: async (to, _, signal) => {
      if (!dead.has(to)) return received;
      setMaxListeners(0, signal);
      most = Math.max(most, ++hanging);
      await new Promise((resolve) => {
        signal.addEventListener('abort', resolve);
      });
      throw signal.reason as Error;
    },
  });
  at.happens('one');
  await eventually(() => at.inbox.length === 100);
  assert.is(most, 10);
  await stop();
  assert.is((await at.counts())['DeliveryAttemptFailed'], undefined);
  await at.close();
});

test('a message that is being sent at a shutdown is sent by the next process', async () => {
  const at = await one();
  let begun = false;
  const first = await at.start({
    send: async (_, __, signal) => {
      begun = true;
      await new Promise((resolve) => {
        signal.addEventListener('abort', resolve);
      });
      throw signal.reason as Error;
    },
  });
  at.happens('one');
  await eventually(() => begun);
  await first.stop();
  assert.equal(await at.counts(), { planned: 1, FanOutAdvanced: 1 });
  const { stop } = await at.start();
  await eventually(async () => (await statusOf(at)) === 'delivered');
  assert.is(at.inbox.length, 1);
  await stop();
  await at.close();
});

test('an expired message and one without a receiver are not sent', async () => {
  const at = await stage();
  at.inviting(2);
  at.state.withdrawn.add('r000001');
  const attempted: string[] = [];
  const { stop } = await at.start({
    send: async (to): Promise<SendOutcome> => {
      attempted.push(to);
      return refused(false, 500);
    },
  });
  at.happens('one', { not_after: '2026-11-20T15:00:30.000000' });
  await eventually(async () => {
    const [failed, withdrawn] = await at.deliveries();
    return failed?.attempt_count === 1 && withdrawn?.status === 'given_up';
  });
  const [, withdrawn] = await at.deliveries();
  assert.is(withdrawn?.given_up?.because, 'withdrawn');
  at.pass(5_000);
  await eventually(async () => (await at.deliveries('given_up')).length === 2);
  const [expired] = await at.deliveries();
  // The delivery expires after two attempts, because the third attempt would be after `not_after`.
  assert.equal([expired?.given_up?.because, expired?.attempt_count], ['expired', 2]);
  assert.equal(attempted, ['r000000', 'r000000']);
  at.happens('two', { not_after: '2026-11-20T15:00:01.000000' });
  await eventually(async () => (await at.deliveries('given_up')).length === 4);
  assert.is(attempted.length, 2);
  await stop();
  await at.close();
});

test('a message waits for a release that knows its notifier', async () => {
  const at = await one();
  at.state.receivers = at.state.receivers.map((receiver) => ({ ...receiver, notifier: 'pigeon' }));
  const { stop } = await at.start();
  at.happens('one');
  await eventually(() =>
    at.logged.some((line) => line.includes('This release does not deliver announcement by pigeon.')),
  );
  // Other messages would have failed permanently after two hours.
  for (let minutes = 0; minutes < 120; minutes += 5) {
    at.pass(5 * 60_000);
    await shortPause();
  }
  assert.is(await statusOf(at), 'planned');
  assert.not.ok(at.logged.some((line) => line.includes('gave up')));
  await stop();
  await at.close();
});

test.run();
