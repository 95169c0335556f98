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

test('a response that was read completely leaves no state behind', () => {
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

test('a client that reads a few bytes at a time is disconnected only after the time limit of an exchange', async () => {
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

test('a client that reads part of a large chunk counts as reading', async () => {
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

test('a client that waits for the response to its request is not disconnected', async () => {
  const { clock, watch } = stage();
  const one = watch();
  await clock.advance(100_000);
  one.end();
  one.take();
  assert.not(one.socket.destroyed);
});

test('a stream can be silent, and can last as long as its client reads it', async () => {
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

test('the total of unread bytes is limited, and the clients that have not read for the longest time are disconnected first', async () => {
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

test('the unread bytes of many connections together do not exceed the limit', () => {
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

test('streams count towards the limit of unread bytes at the next periodic check', async () => {
  const { clock, unread, watch } = stage();
  const all = Array.from({ length: 20 }, watch);
  for (const one of all) one.write(100_000);
  await clock.advance(10_000);
  assert.ok(unread.bytes() <= LIMITS.unread);
  assert.ok(all.some(({ socket }) => !socket.destroyed));
});

test.run();
