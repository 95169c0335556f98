import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { SendOutcome } from '../../../notifiers/notifier.ts';
import { shortPause } from '../reactor-harness.ts';
import { hangingLog, received, refused, silentLog, stage, START } from './stage.ts';
import { eventually } from '../../waiting.ts';

const test = suite('the scheduling of deliveries');

type Stage = Awaited<ReturnType<typeof stage>>;

const unavailable: SendOutcome = {
  status: 'unavailable',
  notBefore: null,
  reason: 'connect',
  error_message: 'The relay refuses connections.',
  response_code: null,
};

const becauses = async ({ deliveries }: Stage): Promise<(string | undefined)[]> =>
  (await deliveries()).map(({ status, given_up }) => given_up?.because ?? status).sort();

/** Advances the clock in steps until a condition holds. */
const passUntil = async (at: Stage, step: number, holds: () => boolean | Promise<boolean>): Promise<void> => {
  await eventually(async () => {
    if (await holds()) return true;
    at.pass(step);
    return false;
  });
};

test('messages wait while a relay is unavailable, without further requests to the relay, and this is logged once', async () => {
  const at = await stage();
  at.inviting(30);
  at.state.receivers = at.state.receivers.map((receiver) => ({ ...receiver, target: 'relay' }));
  let requests = 0;
  let works = false;
  const { stop } = await at.start({ send: async () => (works ? received : (requests++, unavailable)) });
  at.happens('one');
  await eventually(() => requests > 0);
  await shortPause();
  // Ten messages are tried, and then none until the pause of the relay is over.
  assert.is(requests, 10);
  at.pass(29_999);
  await shortPause();
  assert.is(requests, 10);
  at.pass(1);
  await eventually(() => requests === 11);
  await shortPause();
  assert.is(requests, 11);
  works = true;
  await passUntil(at, 30_000, () => at.inbox.length === 30);
  await eventually(async () => (await at.deliveries('delivered')).length === 30);
  assert.ok((await at.deliveries()).every(({ attempt_count }) => attempt_count === 1));
  assert.is(at.logged.filter((line) => line.includes('is unavailable')).length, 1);
  assert.is(at.logged.filter((line) => line.includes('is available again')).length, 1);
  await stop();
  await at.close();
});

test('a message fails permanently if its relay has not accepted it within a day after the cause', async () => {
  const at = await stage();
  at.inviting(2);
  const { stop } = await at.start({ send: async () => unavailable });
  at.happens('one');
  await eventually(async () => (await at.deliveries()).length === 2);
  at.pass(24 * 3_600_000);
  await passUntil(at, 60_000, async () => (await at.deliveries('given_up')).length === 2);
  assert.equal(await becauses(at), ['expired', 'expired']);
  await stop();
  await at.close();
});

test('a waiting message is superseded when a newer one of its series is planned, and the newer one is sent', async () => {
  const at = await stage();
  at.inviting(3);
  let works = false;
  const { stop } = await at.start({ send: async () => (works ? received : refused(false, 500)) });
  at.happens('one', { series: 'incident' });
  at.happens('else', { series: 'another' });
  await eventually(async () => (await at.deliveries()).filter(({ attempt_count }) => attempt_count === 1).length === 6);
  works = true;
  at.happens('two', { series: 'incident' });
  await eventually(() => at.inbox.length === 3);
  await eventually(async () => (await at.deliveries('delivered')).length === 3);
  assert.equal(await becauses(at), [
    ...Array.from({ length: 3 }, () => 'delivered'),
    ...Array.from({ length: 3 }, () => 'planned'),
    ...Array.from({ length: 3 }, () => 'superseded'),
  ]);
  await passUntil(at, 1_000, () => at.inbox.length === 6);
  assert.is(new Set(at.inbox.map(({ id }) => id)).size, 6);
  await stop();
  await at.close();
});

for (const [ending, answer, because] of [
  ['is received', received, 'delivered'],
  ['fails', refused(false, 500), 'superseded'],
  ['finds the relay unavailable', unavailable, 'superseded'],
] as const) {
  test(`a newer message waits for the message of its series that is being sent, which then ${ending}`, async () => {
    const at = await stage();
    at.inviting(1);
    const sent: string[] = [];
    let end: (() => void) | null = null;
    const { stop } = await at.start({
      send: async (_, { subject }) => {
        sent.push(subject);
        if (subject !== 'one') return received;
        await new Promise<void>((resolve) => (end = resolve));
        return answer;
      },
    });
    at.happens('one', { series: 'incident' });
    await eventually(() => end !== null);
    at.happens('two', { series: 'incident' });
    at.happens('three', { series: 'incident' });
    await passUntil(at, 100, async () => (await becauses(at)).includes('superseded'));
    await shortPause();
    assert.equal(sent, ['one']);
    (end as (() => void) | null)?.();
    await passUntil(at, 1_000, async () => !(await becauses(at)).includes('planned'));
    assert.equal(sent, ['one', 'three']);
    assert.equal(await becauses(at), ['delivered', because, 'superseded'].sort());
    await stop();
    await at.close();
  });
}

test('an older message of a series is not sent after a newer message, even if the process is killed between the two', async () => {
  const at = await stage();
  at.inviting(1);
  const log = hangingLog((events) => events.some(({ type }) => type === 'DeliveryGivenUp'), false);
  const first = await at.start({ send: async () => refused(false, 500), append: log.append });
  at.happens('one', { series: 'incident' });
  await eventually(async () => (await at.deliveries())[0]?.attempt_count === 1);
  at.happens('two', { series: 'incident' });
  await eventually(log.hangs);
  first.kill();
  const sent: string[] = [];
  const { stop } = await at.start({
    send: async (_, { subject }) => {
      sent.push(subject);
      return received;
    },
  });
  await passUntil(at, 1_000, async () => !(await becauses(at)).includes('planned'));
  assert.equal(await becauses(at), ['delivered', 'superseded']);
  assert.equal(sent, ['two']);
  await stop();
  await at.close();
});

test('an older message of a series has an outcome before a newer one is sent, even if the log does not respond', async () => {
  for (const stores of [true, false]) {
    const at = await stage();
    at.inviting(1);
    const log = silentLog((events) => events.some(({ type }) => type === 'DeliveryGivenUp'), stores);
    const sent: string[] = [];
    const { stop } = await at.start({
      append: log.append,
      send: async (_, { subject }) => {
        sent.push(subject);
        return subject === 'one' ? refused(false, 500) : received;
      },
    });
    at.happens('one', { series: 'incident' });
    await eventually(async () => (await at.deliveries())[0]?.attempt_count === 1);
    at.happens('two', { series: 'incident' });
    await eventually(log.failed);
    await passUntil(at, 100, async () => !(await becauses(at)).includes('planned'));
    assert.equal(await becauses(at), ['delivered', 'superseded']);
    assert.equal(sent, ['one', 'two']);
    await stop();
    await at.close();
  }
});

test('the single message of one organization is sent although another organization has thousands of waiting messages', async () => {
  const at = await stage();
  at.inviting(3_000);
  const { stop } = await at.start({ perSecond: 200 });
  at.happens('many');
  await eventually(() => at.inbox.length > 0);
  at.inviting(1);
  at.happens('one', { organization_id: 'org000000002' });
  const isDelivered = (id: string) => async () =>
    (await at.deliveries('delivered')).some(({ cause }) => cause.id === id);
  await eventually(isDelivered('one'));
  assert.ok((await at.deliveries('delivered')).length < 2_900);
  await stop();
  await at.close();
});

test('planning pauses for an organization with ten thousand waiting deliveries, and resumes when they are sent', async () => {
  const at = await stage();
  at.inviting(12_000);
  let works = false;
  const { stop } = await at.start({
    send: async (_, __, signal) => {
      await eventually(() => works || signal.aborted);
      return received;
    },
  });
  at.happens('many');
  await passUntil(at, 100, async () => ((await at.fanOut('many'))?.planned ?? 0) >= 10_000);
  at.pass(5_000);
  await shortPause();
  assert.is((await at.fanOut('many'))?.planned, 10_000);
  at.inviting(1);
  at.happens('one', { organization_id: 'org000000002' });
  await eventually(async () => (await at.fanOut('one'))?.complete === true);
  at.inviting(12_000);
  works = true;
  await passUntil(at, 1_000, async () => (await at.fanOut('many'))?.complete === true);
  await stop();
  await at.close();
});

test('other receivers are notified immediately while a relay is down for three hours, and no waiting message is lost', async () => {
  const at = await stage();
  const MAILS = 2_000;
  const OTHERS = 100;
  const towards = (count: number, prefix: string, target: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => ({
      id: `${prefix}${index.toString().padStart(6, '0')}`,
      notifier: 'test',
      target: target(index),
    }));
  const mails = towards(MAILS, 'a', () => 'relay');
  const others = towards(OTHERS, 'z', (index) => `host ${index}`);
  at.state.receivers = [...mails, ...others];
  let works = false;
  let requests = 0;
  const toOthers = (): number => at.inbox.filter(({ to }) => to.startsWith('z')).length;
  const { stop } = await at.start({
    send: async (to) => {
      if (works || to.startsWith('z')) return received;
      requests++;
      return unavailable;
    },
  });
  at.happens('many');
  await passUntil(at, 100, () => toOthers() === OTHERS);
  at.state.receivers = others;
  for (let round = 1; round <= 9; round++) {
    at.pass(20 * 60_000);
    at.happens(`round ${round}`);
    // The messages to other receivers are sent although the clock stands still.
    await eventually(() => toOthers() === OTHERS * (round + 1));
  }
  assert.ok(at.time.now >= START + 3 * 3_600_000);
  assert.ok(requests < 100, `The relay received ${requests} requests.`);
  works = true;
  await passUntil(at, 1_000, () => at.inbox.length === MAILS + 10 * OTHERS);
  await eventually(async () => (await at.reading().deliveries.count({ status: 'delivered' })) === MAILS + 10 * OTHERS);
  assert.is(new Set(at.inbox.map(({ id }) => id)).size, at.inbox.length);
  await stop();
  await at.close();
});

test('a message whose due time was set by a clock that was ahead does not wait for that time', async () => {
  const at = await stage();
  at.inviting(150);
  at.state.receivers = at.state.receivers.map((receiver) => ({ ...receiver, target: 'one' }));
  const { stop } = await at.start();
  at.pass(30 * 86_400_000);
  let failing = true;
  await stop();
  const next = await at.start({ send: async () => (failing ? refused(false, 500) : received) });
  at.happens('one', { not_after: '2027-11-20T15:00:00.000000' });
  await eventually(
    async () => (await at.deliveries()).filter(({ attempt_count }) => attempt_count === 1).length === 150,
  );
  failing = false;
  at.pass(-30 * 86_400_000);
  await passUntil(at, 1_000, () => at.inbox.length === 150);
  await next.stop();
  await at.close();
});

test.run();
