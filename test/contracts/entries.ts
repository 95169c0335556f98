import * as assert from 'uvu/assert';
import { SUMMARIZED_KINDS } from '../../stores/coordination/entries.ts';
import type { Coordination, Entry, StoredEntry } from '../../stores/coordination/port.ts';

interface Given {
  first: Coordination;
  second: Coordination;
  own: (name: string) => string;
}

/**
 * The part of the coordination contract about entries. The tests pass the current time to each call: `now` is 0 unless
 * a test needs another time.
 */
export const entriesContract = (test: (sentence: string, run: (given: Given) => Promise<void>) => void): void => {
  const entry = (id: string, changes: Partial<Entry> = {}): Entry => ({
    id,
    value: '{"tries":1}',
    owner: null,
    expires_at: 1_000,
    ...changes,
  });
  const withoutVersion = ({ id, value, owner, expires_at }: StoredEntry): Entry => ({ id, value, owner, expires_at });
  const idsOf = (entries: readonly StoredEntry[]): string[] => entries.map(({ id }) => id);

  test('every instance of the store reads an entry as it was written', async ({ first, second, own }) => {
    const odd = entry(own('odd'), {
      value: JSON.stringify({ text: 'żółć 😀 Ѐ "quoted" \u0000 \ud800', deep: { list: [1, null] } }),
      owner: own('ówner 😀'),
      expires_at: Date.UTC(2100, 0, 1),
    });
    assert.is(await first.entries.get('challenge', odd.id, 0), null);
    const version = await first.entries.put('challenge', odd, null, 0);
    assert.type(version, 'number');
    for (const { entries } of [first, second]) {
      assert.equal(await entries.get('challenge', odd.id, 0), { ...odd, version });
      assert.equal(await entries.listOfOwner('challenge', own('ówner 😀'), 0), [{ ...odd, version }]);
    }
  });

  test('entries of different kinds are independent', async ({ first, own }) => {
    const id = own('same');
    await first.entries.put('session', entry(id, { owner: own('user') }), null, 0);
    assert.is(await first.entries.get('session_token', id, 0), null);
    assert.equal(await first.entries.listOfOwner('session_token', own('user'), 0), []);
    assert.type(await first.entries.put('session_token', entry(id, { value: '2' }), null, 0), 'number');
    assert.is(await first.entries.remove('session_token', id), true);
    assert.is((await first.entries.get('session', id, 0))?.value, '{"tries":1}');
  });

  test('exactly one of several concurrent creations of an entry succeeds', async ({ first, second, own }) => {
    const put = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 ? first : second).entries.put('challenge', entry(own('id'), { value: `${index}` }), null, 0),
      ),
    );
    assert.is(put.filter((version) => version !== null).length, 1);
    const winner = put.findIndex((version) => version !== null);
    assert.equal(await first.entries.get('challenge', own('id'), 0), {
      ...entry(own('id'), { value: `${winner}` }),
      version: put[winner],
    });
  });

  test('exactly one of several concurrent changes of the same version of an entry succeeds, so that retried increments are not lost', async ({
    first,
    second,
    own,
  }) => {
    const id = own('counter');
    await first.entries.put('allowance', entry(id, { value: '0' }), null, 0);
    const add = async ({ entries }: Coordination): Promise<number> => {
      for (let lost = 0; ; lost++) {
        const existing = await entries.get('allowance', id, 0);
        const value = (Number(existing?.value) + 1).toString();
        if ((await entries.put('allowance', entry(id, { value }), existing?.version ?? null, 0)) !== null) return lost;
      }
    };
    await Promise.all(Array.from({ length: 12 }, (_, index) => add(index % 2 ? first : second)));
    assert.is((await second.entries.get('allowance', id, 0))?.value, '12');
  });

  test('a change of an outdated version of an entry changes nothing, even after the entry was removed and created again', async ({
    first,
    second,
    own,
  }) => {
    const id = own('id');
    const old = await first.entries.put('session', entry(id, { value: '1' }), null, 0);
    const next = await second.entries.put('session', entry(id, { value: '2' }), old, 0);
    assert.ok(next !== null && next !== old);
    assert.is(await first.entries.put('session', entry(id, { value: 'late' }), old, 0), null);
    assert.is(await first.entries.put('session', entry(id, { value: 'late' }), null, 0), null);
    assert.is(await first.entries.remove('session', id, old ?? 0), false);
    assert.is(await second.entries.remove('session', id, next), true);
    assert.is(await first.entries.put('session', entry(id, { value: 'late' }), next, 0), null);
    const again = await second.entries.put('session', entry(id, { value: '3' }), null, 0);
    assert.ok(again !== null && again !== next && again !== old);
    assert.is(await first.entries.put('session', entry(id, { value: 'late' }), next, 0), null);
    assert.is((await first.entries.get('session', id, 0))?.value, '3');
  });

  test('a removed entry is absent for every instance of the store, and only one removal succeeds', async ({
    first,
    second,
    own,
  }) => {
    const id = own('id');
    await first.entries.put('session_token', entry(id, { owner: own('user') }), null, 0);
    const removed = await Promise.all([
      first.entries.remove('session_token', id),
      second.entries.remove('session_token', id),
    ]);
    assert.is(removed.filter(Boolean).length, 1);
    for (const { entries } of [first, second]) {
      assert.is(await entries.get('session_token', id, 0), null);
      assert.equal(await entries.listOfOwner('session_token', own('user'), 0), []);
    }
    assert.is(await first.entries.remove('session_token', own('never there')), false);
  });

  test('an expired entry is absent, and another entry can replace it', async ({ first, second, own }) => {
    const id = own('id');
    const { entries } = first;
    const version = await entries.put('session', entry(id, { owner: own('user'), expires_at: 100 }), null, 0);
    assert.is((await second.entries.get('session', id, 99))?.id, id);
    assert.is(await second.entries.get('session', id, 100), null);
    assert.equal(await entries.listOfOwner('session', own('user'), 100), []);
    assert.equal(await entries.find('session', [id], 100), []);
    assert.is(await entries.put('session', entry(id, { value: 'late' }), version, 100), null);
    const put = await Promise.all(
      [first, second, first].map((one) => one.entries.put('session', entry(id, { value: 'new' }), null, 100)),
    );
    assert.is(put.filter((one) => one !== null).length, 1);
    assert.equal((await entries.get('session', id, 100))?.value, 'new');
    assert.equal(await entries.listOfOwner('session', own('user'), 100), []);
  });

  test('the list of all entries of a kind that belong to an owner is ordered by id and contains no other entries', async ({
    first,
    second,
    own,
  }) => {
    for (const id of ['b', 'c', 'ä', 'a', '😀', '�']) {
      await first.entries.put('session', entry(own(id), { owner: own('user') }), null, 0);
    }
    await first.entries.put('session', entry(own('other'), { owner: own('user2') }), null, 0);
    await first.entries.put('session', entry(own('nobody')), null, 0);
    const sorted = ['a', 'b', 'c', 'ä', '�', '😀'].map(own);
    assert.equal(idsOf(await second.entries.listOfOwner('session', own('user'), 0)), sorted);
    const moved = await first.entries.get('session', own('a'), 0);
    await first.entries.put('session', entry(own('a'), { owner: own('user2') }), moved?.version ?? null, 0);
    assert.equal(idsOf(await second.entries.listOfOwner('session', own('user2'), 0)), [own('a'), own('other')]);
  });

  test('several entries can be written together without a version, and are found by id', async ({
    first,
    second,
    own,
  }) => {
    await first.entries.put('last_use', entry(own('b'), { value: 'old' }), null, 0);
    const before = await first.entries.get('last_use', own('b'), 0);
    await Promise.all([
      first.entries.putAll(
        'last_use',
        ['a', 'b', 'c'].map((id) => entry(own(id), { value: 'new', owner: own('organization') })),
      ),
      second.entries.putAll('last_use', [entry(own('c'), { value: 'new', owner: own('organization') })]),
    ]);
    const found = await second.entries.find('last_use', [own('c'), own('b'), own('absent')], 0);
    assert.equal(
      found.map(withoutVersion).sort((one, other) => (one.id < other.id ? -1 : 1)),
      ['b', 'c'].map((id) => entry(own(id), { value: 'new', owner: own('organization') })),
    );
    assert.ok(found.every(({ version }) => version !== before?.version));
    assert.is((await second.entries.listOfOwner('last_use', own('organization'), 0)).length, 3);
    await first.entries.putAll('last_use', []);
    assert.equal(await first.entries.find('last_use', [], 0), []);
  });

  test('expired entries can be summarized before they are removed', async ({ first, second, own }) => {
    await first.entries.clear('sign_in');
    for (const [id, end] of [
      ['third', 30],
      ['first', 10],
      ['second', 20],
      ['later', 41],
    ] as const) {
      await first.entries.put('sign_in', entry(own(id), { expires_at: end }), null, 0);
    }
    await first.entries.expire(40, ['sign_in']);
    const ended = await second.entries.listExpired('sign_in', 40, 2);
    assert.equal(idsOf(ended), [own('first'), own('second')]);
    for (const { id, version } of ended) assert.is(await second.entries.remove('sign_in', id, version), true);
    assert.equal(idsOf(await first.entries.listExpired('sign_in', 40, 10)), [own('third')]);
    await first.entries.expire(40, []);
    assert.equal(await first.entries.listExpired('sign_in', 40, 10), []);
    assert.is((await first.entries.get('sign_in', own('later'), 0))?.id, own('later'));
  });

  test('expired sessions and failed sign-ins stay until they are summarized', async ({ first, second, own }) => {
    for (const kind of ['session', 'sign_in', 'session_token'] as const) {
      await first.entries.put(kind, entry(own('ended'), { expires_at: 0 }), null, -1);
    }
    await first.entries.expire(1_000_000, SUMMARIZED_KINDS);
    for (const kind of ['session', 'sign_in'] as const) {
      const left = (await second.entries.listExpired(kind, 1_000_000, 1_000)).find(({ id }) => id === own('ended'));
      assert.is(await second.entries.remove(kind, own('ended'), left?.version ?? 0), true, kind);
    }
    assert.is(await second.entries.remove('session_token', own('ended')), false);
  });

  test('expiry removes all expired entries, however many there are, and no others', async ({ first, second, own }) => {
    const many = Array.from({ length: 1_200 }, (_, index) => entry(own(`old_${index}`), { expires_at: 50 }));
    for (const kind of ['allowance', 'challenge'] as const) await first.entries.putAll(kind, many);
    await first.entries.put('challenge', entry(own('young'), { expires_at: 51 }), null, 0);
    await second.entries.expire(50, ['allowance']);
    assert.equal(await first.entries.listExpired('challenge', 50, 10), []);
    assert.is((await first.entries.get('challenge', own('young'), 50))?.id, own('young'));
    assert.ok((await first.entries.listExpired('allowance', 50, 1_300)).length >= 1_200);
  });

  test('all entries of a kind can be removed', async ({ first, second, own }) => {
    await first.entries.put('session', entry(own('one'), { owner: own('user') }), null, 0);
    await first.entries.put('totp_step', entry(own('one')), null, 0);
    await second.entries.clear('session');
    assert.is(await first.entries.get('session', own('one'), 0), null);
    assert.equal(await first.entries.listOfOwner('session', own('user'), 0), []);
    assert.is((await first.entries.get('totp_step', own('one'), 0))?.id, own('one'));
  });

  test('changes to a returned entry do not affect the stored entry', async ({ first, own }) => {
    const put = entry(own('id'));
    await first.entries.put('session', put, null, 0);
    put.value = 'changed';
    const read = await first.entries.get('session', own('id'), 0);
    if (read) read.value = 'changed';
    assert.is((await first.entries.get('session', own('id'), 0))?.value, '{"tries":1}');
  });
};
