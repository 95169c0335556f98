import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { EventStore } from '../../../stores/event-store/port.ts';
import { hangingLog, silentLog, stage } from './stage.ts';
import { eventually } from '../../waiting.ts';

const test = suite('the planning of deliveries');

type Stage = Awaited<ReturnType<typeof stage>>;
type Append = EventStore['append'];

/** Returns whether the events of an append are a page of deliveries. */
const isPage = (events: Parameters<Append>[1]): boolean => events.some(({ type }) => type === 'FanOutAdvanced');

const planned = async ({ fanOut }: Stage, id = 'one'): Promise<void> => {
  await eventually(async () => (await fanOut(id))?.complete === true);
};

/**
 * Waits until `count` receivers have a message, and asserts that no receiver got two different messages.
 *
 * @param again whether a process was killed, so that the messages it was sending may arrive twice under the same id
 */
const assertReceived = async ({ inbox }: Stage, count: number, again = false): Promise<void> => {
  await eventually(() => new Set(inbox.map(({ to }) => to)).size >= count);
  if (!again) assert.is(inbox.length, count);
  assert.is(new Set(inbox.map(({ to }) => to)).size, count);
  assert.is(new Set(inbox.map(({ id }) => id)).size, count);
};

const EACH_ONCE = { planned: 1_000, FanOutAdvanced: 3, DeliverySucceeded: 1_000 };

const eachOnce = async (at: Stage, again = false): Promise<void> => {
  await planned(at);
  await assertReceived(at, 1_000, again);
  await eventually(async () => (await at.deliveries('delivered')).length === 1_000);
  assert.equal(await at.counts(), EACH_ONCE);
};

test('deliveries are planned in pages, and each receiver gets one message', async () => {
  const at = await stage();
  at.inviting(1_000);
  const { stop } = await at.start();
  at.happens('one');
  await eachOnce(at);
  assert.equal((await at.fanOut('one'))?.page, 3);
  await stop();
  await at.close();
});

test('a cause without receivers appends no event, unless its kind requires an event', async () => {
  const at = await stage();
  const { stop } = await at.start();
  at.happens('nobody');
  at.happens('remembered');
  await planned(at, 'remembered');
  const fanOut = await at.fanOut('remembered');
  assert.equal([fanOut?.page, fanOut?.planned, fanOut?.after], [1, 0, null]);
  at.inviting(1);
  at.happens('one');
  await planned(at);
  await assertReceived(at, 1);
  await stop();
  assert.is(await at.fanOut('nobody'), null);
  assert.equal(await at.counts(), { planned: 1, FanOutAdvanced: 2, DeliverySucceeded: 1 });
  await at.close();
});

test('if the planned deliveries fill the last page exactly, planning ends with an empty page', async () => {
  const at = await stage();
  at.inviting(500);
  const { stop } = await at.start();
  at.happens('one');
  await planned(at);
  assert.equal([(await at.fanOut('one'))?.page, (await at.fanOut('one'))?.planned], [2, 500]);
  await stop();
  await at.close();
});

for (const [when, stores] of [
  ['before a page is stored', false],
  ['after a page was stored, before the append returned', true],
] as const) {
  for (const page of [1, 2, 3]) {
    test(`planning resumes where it stopped when its process was killed ${when} (page ${page})`, async () => {
      const at = await stage();
      at.inviting(1_000);
      let pages = 0;
      const log = hangingLog((events) => isPage(events) && ++pages >= page, stores);
      const first = await at.start({ append: log.append });
      at.happens('one');
      await eventually(log.hangs);
      first.kill();
      const { stop } = await at.start();
      await eachOnce(at, true);
      await stop();
      await at.close();
    });
  }
}

test('planning resumes after the log did not respond to an append, whether or not the log has stored the page', async () => {
  for (const stores of [true, false]) {
    const at = await stage();
    at.inviting(1_000);
    const log = silentLog(isPage, stores);
    const { stop } = await at.start({ append: log.append });
    at.happens('one');
    await eventually(log.failed);
    await eventually(async () => {
      at.pass(1_000);
      return (await at.fanOut('one'))?.complete === true && at.inbox.length >= 1_000;
    });
    await eachOnce(at);
    await stop();
    await at.close();
  }
});

test('causes from before the first activation produce no messages', async () => {
  const at = await stage();
  at.inviting(3);
  at.happens('before');
  const { stop } = await at.start();
  at.happens('one');
  await planned(at);
  await assertReceived(at, 3);
  assert.is(await at.fanOut('before'), null);
  await stop();
  await at.close();
});

test('receivers that are added while deliveries are planned are included, and no receiver is planned twice', async () => {
  const at = await stage();
  at.inviting(800);
  let pages = 0;
  const { stop } = await at.start({
    append: (append) => async (stream, events, expected) => {
      const stored = await append(stream, events, expected);
      if (isPage(events) && ++pages === 1)
        at.state.receivers = [
          { id: 'a', notifier: 'test', target: 'a' },
          ...at.state.receivers,
          { id: 's', notifier: 'test', target: 's' },
        ];
      return stored;
    },
  });
  at.happens('one');
  await planned(at);
  assert.is((await at.fanOut('one'))?.planned, 801);
  await assertReceived(at, 801);
  await stop();
  await at.close();
});

test.run();
