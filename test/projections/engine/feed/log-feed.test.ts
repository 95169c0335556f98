import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LogFeed } from '../../../../projections/engine/feed/log-feed.ts';
import type { EngineLogLine } from '../../../../projections/engine/status/protocol.ts';
import { createMemoryEventStore } from '../../../../stores/event-store/memory.ts';
import type { EventStore } from '../../../../stores/event-store/port.ts';
import { append } from '../engine.ts';
import { logMarked } from '../samples.ts';

const test = suite('the feed of a log');

const many = (count: number) => Array.from({ length: count }, (_, index) => logMarked(index.toString()));

const start = (wrap: (store: EventStore) => EventStore = (store) => store) => {
  const store = createMemoryEventStore('main');
  const reads: bigint[] = [];
  const subscriptions: bigint[] = [];
  const counted: EventStore = wrap({
    ...store,
    readAll: (options) => {
      reads.push(options.after);
      return store.readAll(options);
    },
    subscribe: (options) => {
      subscriptions.push(options.after);
      return store.subscribe(options);
    },
  });
  const stop = new AbortController();
  const logged: EngineLogLine[] = [];
  const log = (line: EngineLogLine) => logged.push(line);
  const feed = new LogFeed({ store: counted, mark: 0n, log, retry: 1, signal: stop.signal });
  /** Returns the next page after a position. */
  const next = async (position: bigint, wait = true) => {
    const page = await feed.after(position, { wait, signal: stop.signal });
    assert.ok(page);
    return { ...page, last: page.events.at(-1)?.position ?? position };
  };
  return { store, feed, next, reads, subscriptions, stop, logged };
};

test('the feed returns pages of stored events, and whether a page is the last one', async () => {
  const { store, next, stop } = start();
  await append(store, ...many(1_500));
  const first = await next(0n);
  assert.equal([first.events.length, first.atEnd], [1_000, false]);
  const second = await next(first.last);
  assert.equal([second.events.length, second.atEnd], [500, true]);
  const third = await next(second.last, false);
  assert.equal([third.events, third.atEnd], [[], true]);
  stop.abort();
});

test('the feed reads a page once for projections that are built concurrently', async () => {
  const { store, next, reads, stop } = start();
  await append(store, ...many(2_000));
  for (let position = 0n, turn = 0; turn < 2; turn++) {
    const pages = await Promise.all([next(position), next(position), next(position)]);
    position = pages[0].last;
  }
  assert.is(reads.length, 2);
  stop.abort();
});

test('the feed serves all readers at the head from one subscription', async () => {
  const { store, next, reads, subscriptions, stop } = start();
  let { last } = await append(store, ...many(3)).then((position) => ({ last: position }));
  assert.is((await next(0n)).last, last);
  for (let turn = 0; turn < 3; turn++) {
    const waiting = [next(last), next(last), next(last)];
    const position = await append(store, logMarked('x'));
    for (const page of await Promise.all(waiting)) assert.equal([page.last, page.events.length], [position, 1]);
    last = position;
  }
  assert.is(subscriptions.length, 1);
  assert.is(reads.length, 1);
  stop.abort();
});

test('a reader of the feed that is too far behind for the subscription gets its events from the store, and misses nothing', async () => {
  const { store, next, reads, stop } = start();
  const begun = await append(store, logMarked('first'));
  let ahead = (await next(0n)).last;
  for (let turn = 0; turn < 6; turn++) {
    const position = await append(store, ...many(1_000));
    while (ahead < position) ahead = (await next(ahead)).last;
  }
  const before = reads.length;
  let seen = 0;
  for (let position = begun; position < ahead;) {
    const page = await next(position);
    seen += page.events.length;
    position = page.last;
  }
  assert.is(seen, 6_000);
  assert.ok(reads.length > before);
  stop.abort();
});

test('a reader of the feed that starts to wait at the moment when an event arrives gets that event', async () => {
  // The subscription delivers the event before the page arrives, although the page was requested earlier.
  let release: () => void = () => undefined;
  const arrived = new Promise<void>((resolve) => (release = resolve));
  let slow = false;
  const { store, next, stop } = start((counted) => ({
    ...counted,
    readAll: async (options) => {
      const events = await counted.readAll(options);
      if (slow) await arrived;
      return events;
    },
  }));
  const last = await append(store, logMarked('a'));
  await next(0n);
  slow = true;
  const late = next(0n);
  const position = await append(store, logMarked('b'));
  await next(last);
  release();
  assert.is((await late).last, last);
  slow = false;
  assert.is((await next(last)).last, position);
  stop.abort();
});

test('the feed continues when the subscription fails', async () => {
  let failures = 2;
  const { store, next, stop, logged } = start((counted) => ({
    ...counted,
    subscribe: (options) => {
      if (failures-- > 0) throw new Error('The connection is lost.');
      return counted.subscribe(options);
    },
  }));
  let last = await append(store, logMarked('a'));
  assert.is((await next(0n)).last, last);
  for (let turn = 0; turn < 3; turn++) {
    const waiting = next(last);
    last = await append(store, logMarked('b'));
    assert.is((await waiting).last, last);
  }
  assert.ok(logged.length >= 1);
  assert.ok(logged.every(({ message }) => message === 'The subscription to the log main failed.'));
  stop.abort();
});

test('a wait for the feed ends when its signal aborts', async () => {
  const { store, feed, stop } = start();
  const last = await append(store, logMarked('a'));
  const own = new AbortController();
  const waiting = feed.after(last, { wait: true, signal: own.signal });
  own.abort();
  assert.is(await waiting, null);
  stop.abort();
});

test.run();
