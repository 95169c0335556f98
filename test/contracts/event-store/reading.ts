import * as assert from 'uvu/assert';
import { createBatches } from '../../../stores/event-store/batches.ts';
import { StoreUnavailable, type Appended, type EventStore } from '../../../stores/event-store/port.ts';
import { rejects } from '../../rejects.ts';
import { LARGEST_METADATA } from '../largest-metadata.ts';
import { event, events, everythingAfter, harbourEvent, logEnd, ids, newStream } from './events.ts';
import type { ContractTest } from './opened.ts';

/** The part of the event store contract about reads of a stream and of the global order. */
export const readContract = (test: ContractTest): void => {
  test('an absent stream has no events', async ({ store }) => {
    assert.equal(await store.readStream(newStream()), []);
    assert.equal(await store.readStream(newStream(), { direction: 'backwards', limit: 1 }), []);
  });

  test.alone('the first event of a log can be read', async ({ store }) => {
    assert.is(await store.first(), null);
    const opened = event();
    await store.append(`log-${store.name}`, [opened], 'no_stream');
    await store.append(newStream(), events(3), 'no_stream');
    assert.is((await store.first())?.id, opened.id);
    assert.is((await store.readAll({ after: 0n })).length, 4);
    assert.equal(ids(await store.readAll({ after: 0n, limit: 1 })), [opened.id]);
  });

  test('a stream can be read from a revision, with a limit', async ({ store }) => {
    const stream = newStream();
    const batch = events(7);
    await store.append(stream, batch, 'no_stream');
    assert.equal(ids(await store.readStream(stream)), ids(batch));
    assert.equal(ids(await store.readStream(stream, { limit: 2 })), ids(batch.slice(0, 2)));
    assert.equal(ids(await store.readStream(stream, { from: 5n })), ids(batch.slice(5)));
    assert.equal(ids(await store.readStream(stream, { from: 2n, limit: 3 })), ids(batch.slice(2, 5)));
    assert.equal(await store.readStream(stream, { from: 7n }), []);
  });

  test('a stream can be read backwards, from its end or from a revision', async ({ store }) => {
    const stream = newStream();
    const batch = events(7);
    await store.append(stream, batch, 'no_stream');
    const backwards = ids(batch).reverse();
    assert.equal(ids(await store.readStream(stream, { direction: 'backwards' })), backwards);
    assert.equal(ids(await store.readStream(stream, { direction: 'backwards', limit: 2 })), backwards.slice(0, 2));
    assert.equal(ids(await store.readStream(stream, { direction: 'backwards', from: 2n })), backwards.slice(4));
    assert.equal(ids(await store.readStream(stream, { direction: 'backwards', from: 99n, limit: 1 })), [backwards[0]]);
  });

  test('events are read with the same content as they were appended with', async ({ store }) => {
    const stream = newStream();
    const payloads = [
      { nothing: null, empty: '', none: [], nested: { deep: [{ er: [null, true, false] }] } },
      { text: 'Überwachung 監視 наблюдение 👩🏽‍🚒 \u0000 \u2028 " \\ \ud800' },
      { numbers: [0, -1, 1.5e300, 5e-324, Number.MAX_SAFE_INTEGER] },
      { large: 'x'.repeat(300_000) },
    ];
    const batch = payloads.map((payload, index) => event(index, payload));
    await store.append(stream, batch, 'no_stream');
    const stored = await store.readStream(stream);
    const global = (await store.readAll({ after: stored[0]?.position ?? 0n, inclusive: true })).slice(0, batch.length);
    assert.equal(global, stored);
    stored.forEach((each, index) => {
      assert.equal(each, { ...batch[index], stream, revision: BigInt(index), position: each.position });
    });
  });

  test('the largest metadata of check results survives many concurrent appends', async ({ store }) => {
    const stream = newStream();
    const results = Array.from({ length: 5 }, () =>
      Object.values(LARGEST_METADATA).map((check_metadata, index) => event(index, { check_metadata })),
    ).flat();
    const after = (milliseconds: number, callback: () => void) => {
      const timer = setTimeout(callback, milliseconds);
      return () => {
        clearTimeout(timer);
      };
    };
    const batches = createBatches({ log: store, after });
    await Promise.all(results.map((result) => batches.store(stream, result)));
    const stored = new Map((await store.readStream(stream)).map((one) => [one.id, one.data]));
    assert.is(stored.size, results.length);
    for (const { id, data } of results) assert.equal(stored.get(id), data);
  });

  test('undefined fields of an event are not stored, and later changes by the caller do not affect a stored event', async ({
    store,
  }) => {
    const stream = newStream();
    const data = { number: 1, list: [1], gone: undefined };
    await store.append(stream, [{ ...event(), data }], 'no_stream');
    data.list.push(2);
    const [first] = await store.readStream(stream);
    assert.equal(first?.data, { number: 1, list: [1] });
    (first?.data as { number: number }).number = 9;
    assert.equal((await store.readStream(stream))[0]?.data, { number: 1, list: [1] });
  });

  test('the global order can be read in pages, after a position and to the end', async ({ store }) => {
    const after = await logEnd(store);
    const batch = events(25);
    const [one, other] = [newStream(), newStream('harbour')];
    for (const [index, each] of batch.entries()) {
      await (index % 2 === 0
        ? store.append(one, [each], 'any')
        : store.append(other, [{ ...each, type: 'HarbourOpened' }], 'any'));
    }
    assert.equal(ids(await store.readAll({ after, limit: 10 })), ids(batch.slice(0, 10)));
    assert.equal(ids(await everythingAfter(store, after, { limit: 7 })), ids(batch));
    const last = (await everythingAfter(store, after)).at(-1)?.position ?? 0n;
    assert.equal(await store.readAll({ after: last }), []);
    assert.equal(await store.readAll({ after: last + 1_000_000n }), []);
  });

  test('a page has a thousand events unless another limit is given', async ({ store }) => {
    const after = await logEnd(store);
    const batch = events(1_003);
    const stream = newStream();
    await store.append(stream, batch.slice(0, 600), 'any');
    await store.append(stream, batch.slice(600), 'any');
    assert.equal(ids(await store.readAll({ after })), ids(batch.slice(0, 1_000)));
    assert.equal(ids(await store.readAll({ after, limit: 1_002 })), ids(batch.slice(0, 1_002)));
  });

  test('the global order can be filtered by category', async ({ store }) => {
    const after = await logEnd(store);
    const harbours = [harbourEvent(1), harbourEvent(2), harbourEvent(3)];
    const ships = events(12);
    for (const harbour of harbours) {
      await store.append(newStream(), ships.slice(0, 4), 'any');
      ships.push(...ships.splice(0, 4));
      await store.append(newStream('harbour'), [harbour], 'any');
    }
    assert.equal(ids(await everythingAfter(store, after, { categories: ['harbour'], limit: 2 })), ids(harbours));
    assert.equal(ids(await store.readAll({ after, categories: ['ship'] })), ids(ships));
    assert.is((await store.readAll({ after, categories: ['ship', 'harbour'] })).length, 15);
    assert.equal(await store.readAll({ after, categories: ['lighthouse'] }), []);
  });

  test('a reader of the global order gets every event exactly once despite many concurrent writers', async ({
    store,
  }) => {
    const after = await logEnd(store);
    const appended: { id: string; at: Promise<Appended> }[] = [];
    const write = async (stream: string): Promise<void> => {
      for (let index = 0; index < 25; index++) {
        const one = event(index);
        const at = store.append(stream, [one], 'any');
        appended.push({ id: one.id, at });
        await at;
      }
    };
    const writers = Promise.all(Array.from({ length: 16 }, () => write(newStream())));
    const seen = await readUntil(store, after, 16 * 25);
    await writers;
    assert.is(new Set(ids(seen)).size, 16 * 25);
    const positions = new Map(seen.map(({ id, position }) => [id, position]));
    for (const { id, at } of appended) assert.is(positions.get(id), (await at).position);
    seen.forEach(({ position }, index) => {
      assert.ok(position > (seen[index - 1]?.position ?? after));
    });
  });

  test.alone('a closed log refuses reads', async ({ store }) => {
    await store.close();
    await rejects(store.readStream(newStream()), StoreUnavailable);
    await rejects(store.readAll({ after: 0n }), StoreUnavailable);
  });
};

/** Reads appended events until there are enough. */
const readUntil = async (store: EventStore, after: bigint, count: number) => {
  const seen = await store.readAll({ after, limit: 10 });
  while (seen.length < count) {
    seen.push(...(await store.readAll({ after: seen.at(-1)?.position ?? after, limit: 10 })));
    await new Promise(setImmediate);
  }
  return seen;
};
