import * as assert from 'uvu/assert';
import type { RecordedEvent } from '../../../domain/event.ts';
import { event, events, harbourEvent, logEnd, ids, newStream, takeEvents } from './events.ts';
import type { ContractTest } from './opened.ts';
import { realPause } from '../../waiting.ts';

const WAITS = 'no signal shows that a subscription is waiting for more';

/** The part of the event store contract about subscriptions: each event once and in order, until the signal aborts. */
export const subscriptionContract = (test: ContractTest): void => {
  test('a subscription delivers stored events from the start of the log', async ({ store }) => {
    const batch = events(5);
    const { position } = await store.append(newStream(), batch, 'no_stream');
    const ending = new AbortController();
    const seen: RecordedEvent[] = [];
    for await (const page of store.subscribe({ after: 0n, signal: ending.signal })) {
      seen.push(...page);
      if (seen.some((each) => each.position >= position)) ending.abort();
    }
    assert.equal(ids(seen.filter((each) => each.position <= position)).slice(-5), ids(batch));
  });

  test('a subscription delivers stored events after a position, in arrays of at most a thousand', async ({ store }) => {
    const stream = newStream();
    const before = await logEnd(store);
    const batch = events(1_500);
    await store.append(stream, batch.slice(0, 700), 'any');
    await store.append(stream, batch.slice(700), 'any');
    const sizes: number[] = [];
    const onPage = async (page: readonly RecordedEvent[]): Promise<void> => {
      sizes.push(page.length);
    };
    assert.equal(ids(await takeEvents(store, 1_500, { after: before, onPage })), ids(batch));
    assert.ok(sizes.every((size) => size > 0 && size <= 1_000));
    const middle = (await store.readStream(stream, { from: 749n, limit: 1 }))[0]?.position ?? 0n;
    assert.equal(ids(await takeEvents(store, 750, { after: middle })), ids(batch.slice(750)));
  });

  test('a subscription delivers events appended after it reached the end of the log', async ({ store }) => {
    const after = await logEnd(store);
    const taking = takeEvents(store, 3, { after });
    const batch = events(3);
    for (const each of batch) {
      await realPause(5, WAITS);
      await store.append(newStream(), [each], 'no_stream');
    }
    assert.equal(ids(await taking), ids(batch));
  });

  test('a subscription delivers an event appended during its catch-up exactly once', async ({ store }) => {
    const after = await logEnd(store);
    const stream = newStream();
    await store.append(stream, events(1_200), 'no_stream');
    let appending: Promise<unknown> = Promise.resolve();
    let chain = Promise.resolve();
    let last = 1_199n;
    // Each delivered array triggers more appends, so that there are appends before, during and after the switch from
    // stored events to new events.
    const onPage = async (): Promise<void> => {
      if (last > 1_230n) return;
      const more = Array.from({ length: 4 }, () => store.append(newStream(), [event()], 'no_stream'));
      const expected = last;
      last += 8n;
      // The appends are sequential, because concurrent appends can swap places even if they were sent in order.
      chain = chain.then(async () => {
        await store.append(stream, events(8), expected);
      });
      appending = Promise.all([appending, ...more, chain]);
      await new Promise(setImmediate);
    };
    const seen = await takeEvents(store, 1_200 + 4 * (8 + 4), { after, onPage });
    await appending;
    assert.is(seen.length, 1_200 + 4 * (8 + 4));
    assert.is(new Set(ids(seen)).size, seen.length);
    seen.forEach(({ position }, index) => {
      assert.ok(position > (seen[index - 1]?.position ?? after));
    });
    assert.equal(
      seen.filter((each) => each.stream === stream).map(({ revision }) => revision),
      Array.from({ length: 1_232 }, (_, index) => BigInt(index)),
    );
  });

  test('a subscription delivers only the requested categories, both of stored and of later events', async ({
    store,
  }) => {
    const after = await logEnd(store);
    const harbours = [harbourEvent(1), harbourEvent(2), harbourEvent(3)];
    const open = async (index: number): Promise<void> => {
      await store.append(newStream(), events(3), 'no_stream');
      await store.append(newStream('harbour'), harbours.slice(index, index + 1), 'no_stream');
    };
    await open(0);
    const taking = takeEvents(store, 3, { after, categories: ['harbour'] });
    await open(1);
    await realPause(5, WAITS);
    await open(2);
    assert.equal(ids(await taking), ids(harbours));
  });

  test('several subscribers, one of them slow, each get every event', async ({ store }) => {
    const after = await logEnd(store);
    const batch = events(40);
    const slowly = (): Promise<void> => realPause(2, 'a slow subscriber');
    const subscribers = [
      takeEvents(store, 40, { after }),
      takeEvents(store, 40, { after, onPage: slowly }),
      takeEvents(store, 40, { after, categories: ['ship'] }),
    ];
    for (const each of batch) await store.append(newStream(), [each], 'no_stream');
    for (const received of await Promise.all(subscribers)) assert.equal(ids(received), ids(batch));
  });

  test('a waiting subscription ends when its signal aborts, and a subscription does not begin if its signal has already aborted', async ({
    store,
  }) => {
    const after = await logEnd(store);
    const ending = new AbortController();
    const seen: RecordedEvent[] = [];
    const waiting = (async () => {
      for await (const page of store.subscribe({ after, signal: ending.signal })) seen.push(...page);
    })();
    await realPause(5, WAITS);
    ending.abort();
    await waiting;
    for await (const page of store.subscribe({ after: 0n, signal: ending.signal })) seen.push(...page);
    assert.equal(seen, []);
  });

  test.alone('closing a log ends its subscriptions', async ({ store }) => {
    const after = await logEnd(store);
    const waiting = (async () => {
      for await (const page of store.subscribe({ after, signal: new AbortController().signal })) {
        assert.unreachable(`got ${page.length} events`);
      }
    })();
    await realPause(5, WAITS);
    await store.close();
    await waiting;
  });
};
