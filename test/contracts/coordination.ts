import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  StaleLease,
  type Coordination,
  type FailedItem,
  type IdempotencyRecord,
} from '../../stores/coordination/port.ts';
import { rejects } from '../rejects.ts';
import { entriesContract } from './entries.ts';
import { HOUR_MS, SECOND_MS } from '../../domain/time.ts';

export interface OpenedCoordination {
  coordination: Coordination;
  /** opens the same coordination again; returns the same object if the adapter can't open one twice */
  again: () => Promise<Coordination>;
  dispose: () => Promise<void>;
}

const RESPONSE: NonNullable<IdempotencyRecord['answer']> = {
  status: 201,
  headers: { Location: '/v1/pages/abc', ETag: 'W/"1"' },
  body: '{"name":"żółć 😀"}',
};

/**
 * The contract of the port Coordination, for every adapter. The tests use only the port, and names that no other test
 * uses, so the store need not be empty. The tests pass the current time to each call, starting at 0.
 */
export const coordinationContract = (
  name: string,
  open: () => Promise<OpenedCoordination>,
  { durable }: { durable: boolean },
): void => {
  const contract = suite(`${name} fulfils the coordination contract`);
  let opened: OpenedCoordination | undefined;
  let tests = 0;
  contract.before(async () => {
    opened = await open();
  });
  contract.after(() => opened?.dispose());
  const test = (
    sentence: string,
    run: (given: { first: Coordination; second: Coordination; own: (name: string) => string }) => Promise<void>,
  ): void => {
    const number = (++tests).toString();
    contract(sentence, async () => {
      if (!opened) throw new Error('the coordination under test could not be opened');
      const second = await opened.again();
      try {
        await run({ first: opened.coordination, second, own: (thing) => `${thing}_${number}` });
      } finally {
        if (second !== opened.coordination) await second.close();
      }
    });
  };

  test('each holder of a lease gets a greater token than the previous one', async ({ first, second, own }) => {
    const { signal } = new AbortController();
    const tokens: bigint[] = [];
    for (const coordination of [first, second, first, second]) {
      const lease = await coordination.acquire(own('lease'), signal);
      assert.is(lease.name, own('lease'));
      assert.not(lease.lost.aborted);
      tokens.push(lease.token);
      await lease.release();
    }
    assert.ok(
      tokens.every((token, index) => index === 0 || token > (tokens[index - 1] ?? token)),
      tokens.join(),
    );
  });

  test('a caller whose signal has already aborted gets no lease', async ({ first, own }) => {
    await rejects(first.acquire(own('lease'), AbortSignal.abort(new Error('given up'))), Error, 'given up');
  });

  test('exactly one of several concurrent claims succeeds', async ({ first, second, own }) => {
    const claims = await Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 2 ? first : second).claim(own('key'), `body ${index}`, 5)),
    );
    assert.is(claims.filter((record) => record === null).length, 1);
    const winner = `body ${claims.indexOf(null)}`;
    for (const record of claims) {
      if (record) assert.equal(record, { id: own('key'), fingerprint: winner, answer: null, created_at: 5 });
    }
  });

  test('a repeated claim returns the stored response', async ({ first, second, own }) => {
    assert.is(await first.claim(own('key'), 'body', 100), null);
    await first.storeResponse(own('key'), RESPONSE);
    const record = { id: own('key'), fingerprint: 'body', answer: RESPONSE, created_at: 100 };
    assert.equal(await first.claim(own('key'), 'body', 100 + HOUR_MS), record);
    assert.equal(await second.claim(own('key'), 'another body', 100 + 24 * HOUR_MS), record);
  });

  test('a claim without a response is void after 30 s', async ({ first, second, own }) => {
    await first.claim(own('key'), 'first', 0);
    assert.is((await second.claim(own('key'), 'second', 30 * SECOND_MS))?.fingerprint, 'first');
    assert.is(await second.claim(own('key'), 'second', 30 * SECOND_MS + 1), null);
    const existing = await first.claim(own('key'), 'third', 31 * SECOND_MS);
    assert.equal(existing, { id: own('key'), fingerprint: 'second', answer: null, created_at: 30 * SECOND_MS + 1 });
  });

  test('a response is void after 24 h', async ({ first, own }) => {
    await first.claim(own('key'), 'first', 0);
    await first.storeResponse(own('key'), RESPONSE);
    assert.is((await first.claim(own('key'), 'second', 24 * HOUR_MS))?.fingerprint, 'first');
    assert.is(await first.claim(own('key'), 'second', 24 * HOUR_MS + 1), null);
    assert.is((await first.claim(own('key'), 'third', 24 * HOUR_MS + 2))?.answer, null);
  });

  test('an abandoned claim can be made again immediately, and a claim with a response can not', async ({
    first,
    second,
    own,
  }) => {
    await first.claim(own('key'), 'first', 0);
    await first.abandon(own('key'));
    assert.is(await second.claim(own('key'), 'second', 1), null);
    await second.storeResponse(own('key'), RESPONSE);
    await first.abandon(own('key'));
    assert.equal((await first.claim(own('key'), 'third', 2))?.answer, RESPONSE);
    await first.abandon(own('never claimed'));
  });

  test('expiry removes only records older than 24 h', async ({ first, second, own }) => {
    const many = Array.from({ length: 1_200 }, (_, index) => own(`old_${index}`));
    for (const id of many) await first.claim(id, 'old', 0);
    await first.claim(own('young'), 'young', 1);
    await first.storeResponse(own('young'), RESPONSE);
    await second.expire(24 * HOUR_MS + 1);
    assert.is((await first.claim(own('young'), 'again', 2))?.fingerprint, 'young');
    for (const id of many) assert.is(await first.claim(id, 'again', 2), null);
  });

  test('the catalogue of generations contains a projection as soon as its first generation has a number', async ({
    first,
    second,
    own,
  }) => {
    const entry = async (coordination: Coordination) =>
      (await coordination.catalogue()).find(({ projection }) => projection === own('pages@1'));
    assert.is(await entry(first), undefined);
    assert.is(await entry(second), undefined);
    assert.is(await first.nextGeneration(own('pages@1'), 1n), 1);
    assert.equal(await entry(second), { projection: own('pages@1'), live: null, last: 1 });
    assert.is(await second.nextGeneration(own('pages@1'), 1n), 2);
    assert.equal(await entry(first), { projection: own('pages@1'), live: null, last: 2 });
    await first.switchGeneration(own('pages@1'), 2, 1n);
    for (const coordination of [first, second]) {
      assert.equal(await entry(coordination), { projection: own('pages@1'), live: 2, last: 2 });
    }
  });

  test('changes to a returned catalogue of generations do not affect the stored catalogue', async ({ first, own }) => {
    await first.nextGeneration(own('pages@1'), 1n);
    const find = async () => (await first.catalogue()).find(({ projection }) => projection === own('pages@1'));
    Object.assign((await find()) ?? {}, { live: 9 });
    assert.is((await find())?.live, null);
  });

  test('the catalogue of generations is ordered by name', async ({ first, own }) => {
    for (const projection of ['c@1', 'a@2', 'b@1', 'a@1']) await first.nextGeneration(own(projection), 1n);
    const names = (await first.catalogue()).map(({ projection }) => projection);
    assert.equal(names, names.toSorted());
  });

  test('a projection version is removed from the catalogue by the holder of its latest lease only', async ({
    first,
    second,
    own,
  }) => {
    await first.nextGeneration(own('p@1'), 4n);
    await first.switchGeneration(own('p@1'), 1, 4n);
    await first.nextGeneration(own('p@2'), 4n);
    const names = async (coordination: Coordination) =>
      (await coordination.catalogue()).map(({ projection }) => projection);
    await rejects(second.removeFromCatalogue(own('p@1'), 3n), StaleLease);
    assert.ok((await names(first)).includes(own('p@1')));
    await second.removeFromCatalogue(own('p@1'), 5n);
    await second.removeFromCatalogue(own('p@1'), 5n);
    for (const coordination of [first, second]) {
      assert.not((await names(coordination)).includes(own('p@1')));
      assert.ok((await names(coordination)).includes(own('p@2')));
    }
    assert.is(await first.nextGeneration(own('p@1'), 6n), 1);
  });

  test('no generation number is issued twice, even to different callers', async ({ first, second, own }) => {
    const numbers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 ? first : second).nextGeneration(own('p@1'), BigInt(index % 3)),
      ),
    );
    assert.equal(
      numbers.toSorted((a, b) => a - b),
      Array.from({ length: 20 }, (_, index) => index + 1),
    );
  });

  test('the holder of an earlier lease can not make a generation live', async ({ first, second, own }) => {
    await first.nextGeneration(own('p@1'), 4n);
    await first.nextGeneration(own('p@1'), 4n);
    await second.switchGeneration(own('p@1'), 2, 5n);
    await rejects(first.switchGeneration(own('p@1'), 1, 4n), StaleLease);
    await second.switchGeneration(own('p@1'), 2, 5n);
    const entry = (await first.catalogue()).find(({ projection }) => projection === own('p@1'));
    assert.is(entry?.live, 2);
  });

  test('a small value is read as it was written most recently', async ({ first, second, own }) => {
    assert.is(await first.read(own('position')), null);
    await first.write(own('position'), '1');
    assert.is(await second.read(own('position')), '1');
    await second.write(own('position'), 'żółć 😀 \u0000 \'"');
    assert.is(await first.read(own('position')), 'żółć 😀 \u0000 \'"');
    await first.write(own('position'), '');
    assert.is(await second.read(own('position')), '');
  });

  test('of several writers of a write-once value, the first wins', async ({ first, second, own }) => {
    const given = Array.from({ length: 20 }, (_, index) => index.toString());
    const stored = await Promise.all(
      given.map((value, index) => (index % 2 === 0 ? first : second).writeOnce(own('once'), value)),
    );
    assert.is(new Set(stored).size, 1);
    assert.is(await first.read(own('once')), stored[0]);
    await second.write(own('once'), '');
    assert.is(await first.writeOnce(own('once'), 'later'), '');
  });

  test('small values are found by the prefix of their names', async ({ first, second, own }) => {
    const names = ['runner:b', 'runner:a%_', 'runne', 'runnes'].map((name) => `${own('of')} ${name}`);
    for (const name of names) await first.write(name, name);
    const under = async (prefix: string) =>
      (await second.readByPrefix(`${own('of')} ${prefix}`)).map(({ value }) => value);
    assert.equal(await under('runner:'), [names[1], names[0]]);
    assert.equal(await under('runner:a%'), [names[1]]);
    assert.equal(await under('runner:a_'), []);
  });

  const item = (id: string, fields: Partial<FailedItem> = {}): FailedItem => ({
    id,
    position: 7,
    state: 'retrying',
    tries: 1,
    again: 5_000,
    tried: 4_000,
    since: 3_000,
    reason: 'Connection refused. żółć 😀 %_\'"',
    ...fields,
  });
  const ALL = { after: null, limit: 100 };

  test('the most recently stored state of a failed item is read by id', async ({ first, second, own }) => {
    await first.failedItems.store(own('reactor'), 1n, [item('b'), item('a', { state: 'given_up' })]);
    await second.failedItems.store(own('reactor'), 1n, [item('b', { tries: 2, position: 9 }), item('c')]);
    await first.failedItems.store(own('other'), 1n, [item('z')]);
    await first.failedItems.store(own('other'), 1n, []);
    const items = [item('a', { state: 'given_up' }), item('b', { tries: 2, position: 9 }), item('c')];
    assert.equal(await first.failedItems.page(own('reactor'), ALL), items);
    assert.equal(await first.failedItems.page(own('reactor'), { after: 'a', limit: 1 }), [items[1]]);
    assert.equal(await second.failedItems.page(own('reactor'), { ...ALL, state: 'given_up' }), [items[0]]);
    assert.equal(
      await second.failedItems.page(own('reactor'), { after: 'a', limit: 9, state: 'retrying' }),
      items.slice(1),
    );
    const found = await second.failedItems.find(own('reactor'), ['c', 'nothing', 'a', 'z']);
    assert.equal(found.map(({ id }) => id).sort(), ['a', 'c']);
    assert.equal(await second.failedItems.find(own('reactor'), []), []);
  });

  test('a released item is removed from the failed items', async ({ first, second, own }) => {
    await first.failedItems.store(own('reactor'), 1n, [item('a'), item('b'), item('c')]);
    await second.failedItems.remove(own('reactor'), 1n, ['a', 'c', 'nothing']);
    await second.failedItems.remove(own('reactor'), 1n, []);
    assert.equal(await first.failedItems.page(own('reactor'), ALL), [item('b')]);
    await first.failedItems.clear(own('reactor'));
    assert.equal(await second.failedItems.page(own('reactor'), ALL), []);
  });

  test('a holder of an earlier lease does not change failed items that were written under a later lease', async ({
    first,
    second,
    own,
  }) => {
    await second.failedItems.store(own('reactor'), 2n, [item('a', { tries: 5 })]);
    await first.failedItems.store(own('reactor'), 1n, [item('a', { state: 'given_up' }), item('b')]);
    await first.failedItems.remove(own('reactor'), 1n, ['a']);
    assert.equal(await first.failedItems.page(own('reactor'), ALL), [item('a', { tries: 5 }), item('b')]);
    await second.failedItems.remove(own('reactor'), 3n, ['a', 'b']);
    assert.equal(await first.failedItems.page(own('reactor'), ALL), []);
  });

  test('failed items are counted by reactor', async ({ first, second, own }) => {
    const count = async (name: string) =>
      (await second.failedItems.counts()).find(({ reactor }) => reactor === own(name));
    assert.is(await count('reactor'), undefined);
    await first.failedItems.store(own('reactor'), 1n, [
      item('a', { since: 30 }),
      item('b', { since: 20 }),
      item('c', { since: 10, state: 'given_up' }),
    ]);
    await first.failedItems.store(own('other'), 1n, [item('d', { state: 'given_up' })]);
    assert.equal(await count('reactor'), { reactor: own('reactor'), retrying: 2, given_up: 1, retrying_since: 20 });
    assert.equal(await count('other'), { reactor: own('other'), retrying: 0, given_up: 1, retrying_since: null });
  });

  test('an operator can request a retry of one failed item or of all failed items of a reactor', async ({
    first,
    second,
    own,
  }) => {
    const given_up = item('a', { state: 'given_up', tries: 20 });
    await first.failedItems.store(own('reactor'), 1n, [given_up, item('b', { tries: 3 }), { ...given_up, id: 'c' }]);
    await first.failedItems.store(own('other'), 1n, [given_up]);
    const again = { state: 'retrying', tries: 0, again: 0 } as const;
    assert.is(await second.failedItems.retry(own('reactor'), 'a'), 1);
    assert.is(await second.failedItems.retry(own('reactor'), 'nothing'), 0);
    assert.equal(await first.failedItems.page(own('reactor'), { after: null, limit: 1 }), [item('a', again)]);
    assert.is(await second.failedItems.retry(own('reactor'), null), 3);
    const all = await first.failedItems.page(own('reactor'), ALL);
    assert.equal(all, [item('a', again), item('b', again), item('c', again)]);
    assert.equal(await first.failedItems.page(own('other'), ALL), [given_up]);
  });

  test('many failed items are stored, and read in pages', async ({ first, second, own }) => {
    const number = 2_000;
    const ids = Array.from({ length: number }, (_, index) => `item${index.toString().padStart(6, '0')}`);
    for (let from = 0; from < number; from += 200) {
      await first.failedItems.store(
        own('reactor'),
        1n,
        ids.slice(from, from + 200).map((id) => item(id)),
      );
    }
    const read: string[] = [];
    for (let after: string | null = null; ;) {
      const page: FailedItem[] = await second.failedItems.page(own('reactor'), { after, limit: 300 });
      read.push(...page.map(({ id }) => id));
      after = page.at(-1)?.id ?? null;
      if (after === null) break;
    }
    assert.equal(read, ids);
    await first.failedItems.clear(own('reactor'));
  });

  entriesContract(test);

  if (durable) {
    contract('all data of the coordination survives closing and opening', async () => {
      if (!opened) throw new Error('the coordination under test could not be opened');
      const { signal } = new AbortController();
      const before = await opened.again();
      const { token } = await before.acquire('kept', signal);
      await before.claim('kept', 'body', 0);
      await before.storeResponse('kept', RESPONSE);
      const generation = await before.nextGeneration('kept@1', token);
      await before.switchGeneration('kept@1', generation, token);
      await before.write('kept', 'value');
      await before.failedItems.store('kept', token, [item('kept')]);
      const entry = { id: 'kept', value: '{}', owner: 'somebody', expires_at: 1_000 };
      const version = await before.entries.put('session', entry, null, 0);
      await before.entries.put('session', { ...entry, id: 'ended' }, null, 0);
      await before.entries.remove('session', 'ended');
      await before.close();
      const after = await opened.again();
      assert.ok((await after.acquire('kept', signal)).token > token);
      assert.equal((await after.claim('kept', 'other', 1))?.answer, RESPONSE);
      assert.ok(
        (await after.catalogue()).some(({ projection, live }) => projection === 'kept@1' && live === generation),
      );
      assert.is(await after.nextGeneration('kept@1', token), generation + 1);
      assert.is(await after.read('kept'), 'value');
      assert.equal(await after.failedItems.page('kept', ALL), [item('kept')]);
      assert.equal(await after.entries.listOfOwner('session', 'somebody', 0), [{ ...entry, version }]);
      await after.close();
    });
  }

  contract.run();
};
