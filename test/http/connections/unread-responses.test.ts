import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { STREAMED_BYTES, watchUnread, type UnreadLimits } from '../../../http/connections/unread-responses.ts';
import { fakeClock } from '../../network/fake-clock.ts';
import { createPendingResponse, type PendingResponse } from './pending-response.ts';

const test = suite('unread responses');

const LIMITS: UnreadLimits = { exchange: 120_000, stalled: 30_000, unread: 1_000_000 };

const stage = (limits: Partial<UnreadLimits> = {}) => {
  const clock = fakeClock(0);
  const unread = watchUnread({ ...LIMITS, ...limits }, clock);
  const watch = (): PendingResponse => {
    const one = createPendingResponse();
    unread.watch(one.response);
    return one;
  };
  return { clock, unread, watch };
};

test('a completely read response leaves no state behind', () => {
  const { clock, unread, watch } = stage();
  const one = watch();
  one.end(1_000);
  assert.is(unread.bytes(), 1_000);
  one.take();
  assert.is(unread.bytes(), 0);
  assert.is(clock.pending(), 0);
});

test('a client that reads no byte for 30 seconds is disconnected', async () => {
  const { clock, unread, watch } = stage();
  const one = watch();
  one.end(1_000);
  await clock.advance(20_000);
  assert.not(one.socket.destroyed);
  await clock.advance(10_000);
  assert.ok(one.socket.destroyed);
  assert.is(unread.bytes(), 0);
  assert.is(clock.pending(), 0);
});

test('a client that reads a few bytes at a time is not stalled within the time of an exchange', async () => {
  const { clock, watch } = stage();
  const one = watch();
  one.end(1_000);
  for (let seconds = 0; seconds < 110; seconds += 10) {
    one.take(1);
    await clock.advance(10_000);
  }
  assert.not(one.socket.destroyed);
  one.take(1);
  await clock.advance(10_000);
  assert.ok(one.socket.destroyed);
});

test('bytes of one large chunk count as they are read', async () => {
  const { clock, watch } = stage();
  const one = watch();
  one.socket._handle.writeQueueSize = 1_000;
  one.end(1_000);
  for (let seconds = 0; seconds < 100; seconds += 10) {
    one.socket._handle.writeQueueSize -= 1;
    await clock.advance(10_000);
  }
  assert.not(one.socket.destroyed);
  await clock.advance(30_000);
  assert.ok(one.socket.destroyed);
});

test('a request without a response yet is not stalled', async () => {
  const { clock, watch } = stage();
  const one = watch();
  await clock.advance(100_000);
  one.end();
  one.take();
  assert.not(one.socket.destroyed);
});

test('a stream may be silent and last as long as its client reads it', async () => {
  const { clock, watch } = stage();
  const one = watch();
  one.write(100);
  one.take();
  await clock.advance(500_000);
  assert.not(one.socket.destroyed);
  for (let minutes = 0; minutes < 10; minutes++) {
    one.write(STREAMED_BYTES);
    one.take(STREAMED_BYTES - 1);
    await clock.advance(20_000);
    one.take(1);
    await clock.advance(40_000);
  }
  assert.not(one.socket.destroyed);
  one.write(1);
  await clock.advance(40_000);
  assert.ok(one.socket.destroyed);
});

test('a stream that is read too slowly is closed', async () => {
  const { clock, watch } = stage();
  const one = watch();
  one.write(1_000_000);
  for (let seconds = 0; seconds < 120; seconds += 10) {
    one.take(10);
    await clock.advance(10_000);
  }
  assert.ok(one.socket.destroyed);
});

test('the total of unread bytes is limited, and clients without progress for longest are disconnected first', async () => {
  const { clock, unread, watch } = stage();
  const stalled = watch();
  stalled.end(400_000);
  const reading = watch();
  reading.end(400_000);
  await clock.advance(10_000);
  reading.take(1);
  await clock.advance(10_000);
  const newest = watch();
  newest.end(300_000);
  assert.equal(
    [stalled, reading, newest].map(({ socket }) => socket.destroyed),
    [true, false, false],
  );
  assert.is(unread.bytes(), 699_999);
});

test('many connections together do not exceed the limit of unread bytes', () => {
  const { unread, watch } = stage();
  const all = Array.from({ length: 1_000 }, watch);
  let most = 0;
  for (const one of all) {
    one.end(100_000);
    most = Math.max(most, unread.bytes());
  }
  assert.ok(most <= LIMITS.unread);
  assert.not(all.at(-1)?.socket.destroyed);
});

test('a single response may exceed the limit of unread bytes', () => {
  const { watch } = stage();
  const one = watch();
  one.end(5_000_000);
  assert.not(one.socket.destroyed);
});

test('streams count towards the limit of unread bytes once they are checked', async () => {
  const { clock, unread, watch } = stage();
  const all = Array.from({ length: 20 }, watch);
  for (const one of all) one.write(100_000);
  await clock.advance(10_000);
  assert.ok(unread.bytes() <= LIMITS.unread);
  assert.ok(all.some(({ socket }) => !socket.destroyed));
});

test.run();
