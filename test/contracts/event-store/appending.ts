import * as assert from 'uvu/assert';
import {
  AppendTooLarge,
  MAX_APPEND_BYTES,
  StoreUnavailable,
  WrongExpectedRevision,
} from '../../../stores/event-store/port.ts';
import { rejects } from '../../rejects.ts';
import { event, events, everythingAfter, logEnd, ids, newStream } from './events.ts';
import type { ContractTest } from './opened.ts';

/** The part of the event store contract about appends. */
export const appendContract = (test: ContractTest): void => {
  test('an append that expects no stream starts the stream', async ({ store }) => {
    const stream = newStream();
    assert.is((await store.append(stream, [event()], 'no_stream')).revision, 0n);
    const error = await refusal(store.append(stream, [event()], 'no_stream'));
    assert.equal([error.stream, error.expected, error.actual], [stream, 'no_stream', 0n]);
    assert.is((await store.readStream(stream)).length, 1);
  });

  test('an append at the expected revision succeeds', async ({ store }) => {
    const stream = newStream();
    await store.append(stream, events(3), 'no_stream');
    assert.is((await store.append(stream, events(2), 2n)).revision, 4n);
    assert.is((await store.append(stream, [event()], 4n)).revision, 5n);
  });

  test('an append at an outdated revision is refused, and nothing is stored', async ({ store }) => {
    const stream = newStream();
    const stored = events(3);
    await store.append(stream, stored, 'no_stream');
    const before = await logEnd(store);
    const error = await refusal(store.append(stream, events(2), 1n));
    assert.equal([error.stream, error.expected, error.actual], [stream, 1n, 2n]);
    assert.equal(ids(await store.readStream(stream)), ids(stored));
    assert.equal(await everythingAfter(store, before), []);
  });

  test('an append at a revision that the stream has not reached is refused', async ({ store }) => {
    const stream = newStream();
    await store.append(stream, events(2), 'no_stream');
    assert.is((await refusal(store.append(stream, [event()], 2n))).actual, 1n);
  });

  test('an append at a revision of an absent stream is refused, and the error says that there is no stream', async ({
    store,
  }) => {
    const stream = newStream();
    assert.is((await refusal(store.append(stream, [event()], 0n))).actual, 'no_stream');
    assert.equal(await store.readStream(stream), []);
  });

  test('an append that expects a stream succeeds only if the stream exists', async ({ store }) => {
    const stream = newStream();
    assert.is((await refusal(store.append(stream, [event()], 'stream_exists'))).actual, 'no_stream');
    await store.append(stream, [event()], 'no_stream');
    assert.is((await store.append(stream, [event()], 'stream_exists')).revision, 1n);
  });

  test('an append that expects any revision succeeds on absent and on existing streams', async ({ store }) => {
    const stream = newStream();
    assert.is((await store.append(stream, events(2), 'any')).revision, 1n);
    assert.is((await store.append(stream, events(2), 'any')).revision, 3n);
  });

  test('each event of an append gets the next revision and a higher position, and the append returns the revision and the position of the last event', async ({
    store,
  }) => {
    const stream = newStream();
    const before = await logEnd(store);
    const appended = await store.append(stream, events(5), 'no_stream');
    const stored = await store.readStream(stream);
    assert.equal(
      stored.map(({ revision }) => revision),
      [0n, 1n, 2n, 3n, 4n],
    );
    stored.forEach(({ position }, index) => {
      assert.ok(position > (stored[index - 1]?.position ?? before));
    });
    assert.equal([stored.at(-1)?.revision, stored.at(-1)?.position], [appended.revision, appended.position]);
  });

  for (const expected of ['no_stream', 1n, 'any', 'stream_exists'] as const) {
    test(`a repeated append with the same event ids and the expected revision ${String(expected)} returns the result of the first append`, async ({
      store,
    }) => {
      const stream = newStream();
      if (expected !== 'no_stream') await store.append(stream, events(2), 'no_stream');
      const batch = events(3);
      const first = await store.append(stream, batch, expected);
      assert.equal(await store.append(stream, batch, expected), first);
      await store.append(stream, events(2), first.revision);
      assert.equal(await store.append(stream, batch, expected), first);
      assert.is((await store.readStream(stream)).length, Number(first.revision) + 3);
    });
  }

  test('an append is refused if it repeats event ids of an earlier append at another revision, or repeats only some of them', async ({
    store,
  }) => {
    const stream = newStream();
    const [first, second, third] = [event(1), event(2), event(3)];
    await store.append(stream, [first, second], 'no_stream');
    await refusal(store.append(stream, [second], 'no_stream'));
    await refusal(store.append(stream, [first, second, third], 'no_stream'));
    await refusal(store.append(stream, [first, third], 'no_stream'));
    await refusal(store.append(stream, [first, third], 'any'));
    assert.equal(ids(await store.readStream(stream)), ids([first, second]));
  });

  test('exactly one of many appends at the same revision succeeds', async ({ store }) => {
    const stream = newStream();
    await store.append(stream, [event()], 'no_stream');
    const outcomes = await Promise.allSettled(events(20).map((one) => store.append(stream, [one], 0n)));
    assert.is(outcomes.filter(({ status }) => status === 'fulfilled').length, 1);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') assert.instance(outcome.reason, WrongExpectedRevision);
    }
    assert.is((await store.readStream(stream)).length, 2);
  });

  test('a conflict does not affect concurrent appends', async ({ store }) => {
    const taken = newStream();
    await store.append(taken, [event()], 'no_stream');
    const streams = Array.from({ length: 30 }, (_, index) => (index % 3 === 1 ? taken : newStream()));
    const outcomes = await Promise.allSettled(streams.map((stream) => store.append(stream, events(2), 'no_stream')));
    outcomes.forEach(({ status }, index) => {
      assert.is(status, streams[index] === taken ? 'rejected' : 'fulfilled');
    });
    for (const stream of streams) assert.is((await store.readStream(stream)).length, stream === taken ? 1 : 2);
  });

  test('an append with more than 1 MiB in total is refused, and nothing is stored', async ({ store }) => {
    const stream = newStream();
    const half = 'ü'.repeat(MAX_APPEND_BYTES / 4);
    await rejects(store.append(stream, [event(1, { half }), event(2, { half })], 'no_stream'), AppendTooLarge);
    assert.equal(await store.readStream(stream), []);
    const fitting = half.slice(0, -1_024);
    const appended = await store.append(stream, [event(1, { fitting }), event(2, { fitting })], 'no_stream');
    assert.is(appended.revision, 1n);
  });

  test('an append without events or with ids that are not UUIDs is refused', async ({ store }) => {
    await rejects(store.append(newStream(), [], 'any'), RangeError);
    await rejects(store.append(newStream(), [{ ...event(), id: 'first' }], 'any'), TypeError);
  });

  test('the health of an open log says that appends succeed', async ({ store }) => {
    await store.append(newStream(), [event()], 'no_stream');
    assert.equal(await store.health(), { writable: true, message: null });
  });

  test.alone('closing a log waits for pending appends, and refuses later appends', async ({ store }) => {
    const stream = newStream();
    const pending = store.append(stream, [event()], 'no_stream');
    await store.close();
    assert.is((await pending).revision, 0n);
    await rejects(store.append(stream, [event()], 0n), StoreUnavailable);
  });
};

const refusal = async (append: Promise<unknown>): Promise<WrongExpectedRevision> => {
  try {
    await append;
  } catch (error) {
    if (error instanceof WrongExpectedRevision) return error;
    throw error;
  }
  throw new Error('the append was not refused');
};
