import * as assert from 'uvu/assert';
import { WrongExpectedRevision, type EventStore } from '../../../stores/event-store/port.ts';
import { rejects } from '../../rejects.ts';
import { event, events, everythingAfter, logEnd, ids, newStream, takeEvents } from './events.ts';
import type { ContractTest, OpenedEventStore } from './opened.ts';

/** The part of the event store contract about several instances of one log, concurrent or one after another. */
export const openingContract = (test: ContractTest): void => {
  test('two instances of a log read each other’s events', async (opened) => {
    const [one, other] = await two(opened);
    const after = await logEnd(one);
    const stream = newStream();
    const batch = events(4);
    const taking = [takeEvents(one, 4, { after }), takeEvents(other, 4, { after })];
    await one.append(stream, batch.slice(0, 2), 'no_stream');
    assert.equal(ids(await other.readStream(stream)), ids(batch.slice(0, 2)));
    await other.append(stream, batch.slice(2), 1n);
    assert.equal(ids(await one.readStream(stream)), ids(batch));
    for (const received of await Promise.all(taking)) assert.equal(ids(received), ids(batch));
  });

  test('two instances of a log conflict with each other, and recognize repeats of each other’s appends', async (opened) => {
    const [one, other] = await two(opened);
    const stream = newStream();
    const [first, second] = [event(1), event(2)];
    const appended = await one.append(stream, [first], 'no_stream');
    await rejects(other.append(stream, [second], 'no_stream'), WrongExpectedRevision);
    assert.equal(await other.append(stream, [first], 'no_stream'), appended);
    const later = await other.append(stream, [second], 0n);
    await rejects(one.append(stream, [event()], 0n), WrongExpectedRevision);
    assert.equal(await one.append(stream, [second], 0n), later);
  });

  test('concurrent writes by two instances of a log lose no event', async (opened) => {
    const [one, other] = await two(opened);
    const after = await logEnd(one);
    const stream = newStream();
    const write = async (store: EventStore): Promise<void> => {
      for (let index = 0; index < 20; index++) await store.append(stream, [event(index)], 'any');
    };
    await Promise.all([write(one), write(other)]);
    const stored = await everythingAfter(one, after);
    assert.is(stored.length, 40);
    assert.equal(await everythingAfter(other, after), stored);
    assert.equal(
      stored.map(({ revision }) => revision),
      stored.map((_, index) => BigInt(index)),
    );
  });

  test.alone('a restart preserves all events, and recognizes a repeated append', async ({ store, again }) => {
    assert.ok(again);
    const stream = newStream();
    const batch = events(3);
    const appended = await store.append(stream, batch, 'no_stream');
    const stored = await store.readStream(stream);
    await store.close();
    const reopened = await again();
    assert.equal(await reopened.readStream(stream), stored);
    assert.equal(await reopened.append(stream, batch, 'no_stream'), appended);
    const next = await reopened.append(stream, [event()], 2n);
    assert.is(next.revision, 3n);
    assert.ok(next.position > appended.position);
  });
};

const two = async ({ store, again }: OpenedEventStore): Promise<[EventStore, EventStore]> => {
  assert.ok(again);
  return [store, await again()];
};
