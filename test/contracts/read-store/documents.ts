import * as assert from 'uvu/assert';
import { DocumentsRefused, MAX_DOCUMENT_BYTES, type Generation, type Query } from '../../../stores/read-store/port.ts';
import { rejects } from '../../rejects.ts';
import { LARGEST_METADATA } from '../largest-metadata.ts';
import { at, commitThings, HOLDER, idsOf, openThings, type ContractTest, type Fields } from './opened.ts';

export const documentContract = (test: ContractTest): void => {
  test('a document is read with the same content as it was written with', async ({ store, generation }) => {
    const document: Fields = {
      id: 'a1',
      text: 'żółć 😀 \u0000 "\'\\ \u2028',
      number: 0.1 + 0.2,
      large: 2 ** 53,
      yes: true,
      no: false,
      nothing: null,
      list: [1, 'two', null, { three: [3] }],
      nested: { deep: { er: 'x' }, empty: {} },
    };
    await openThings(store, generation, [document]);
    assert.equal(await store.get(generation, 'things', ['a1']), [document]);
    assert.equal(await store.find(generation, 'things', {}), [document]);
  });

  test('a query with field names returns only these fields, and null for missing ones', async ({
    store,
    generation,
  }) => {
    const given = [
      { id: 'a1', text: 'żółć "', number: 0.5, rest: [1], flag: true },
      { id: 'b1', text: null, number: -3, rest: {} },
      { id: 'c1', rest: 'x' },
    ];
    await openThings(store, generation, given, { indexes: [{ text: 1, number: 1 }] });
    const find = (query: Query) => store.find(generation, 'things', { fields: ['text', 'number'], ...query });
    assert.equal(await find({ sort: { id: 1 } }), [
      { text: 'żółć "', number: 0.5 },
      { text: null, number: -3 },
      { text: null, number: null },
    ]);
    assert.equal(await find({ where: { text: 'żółć "' } }), [{ text: 'żółć "', number: 0.5 }]);
    assert.equal(await find({ where: { text: 'none' } }), []);
    assert.equal(await find({ fields: ['id', 'number'], where: { text: 'żółć "' } }), [{ id: 'a1', number: 0.5 }]);
    assert.equal(await find({ fields: ['id'], where: { number: { $lt: 0 } } }), [{ id: 'b1' }]);
    await rejects(store.find(generation, 'things', { fields: ['rest.deeper'] }), TypeError);
    await rejects(store.find(generation, 'things', { fields: ["a'b"] }), TypeError);
  });

  test('requested fields are read as they were written, whatever their values', async ({ store, generation }) => {
    const given = [
      { id: 'a1', yes: true, no: false, list: ['x', { y: [1] }], object: { deep: [] }, text: '[1]', real: 0.1 + 0.2 },
      { id: 'b1', yes: false, no: true, list: [], object: {}, text: 'true', real: 2 ** 53 },
    ];
    await openThings(store, generation, given, { indexes: [{ yes: 1, no: 1 }] });
    const fields = Object.keys(given[0] ?? {});
    assert.equal(await store.find(generation, 'things', { fields, sort: { id: 1 } }), given);
    assert.equal(await store.find(generation, 'things', { fields, where: { id: { $in: ['a1', 'b1'] } } }), given);
    assert.equal(await store.find(generation, 'things', { fields: ['yes', 'no'], where: { yes: true } }), [
      { yes: true, no: false },
    ]);
  });

  test('a large document is read completely', async ({ store, generation }) => {
    const document: Fields = { id: 'a1', text: 'é'.repeat(1_000_000) };
    await openThings(store, generation, [document]);
    const [found] = (await store.get(generation, 'things', ['a1'])) as Fields[];
    assert.ok(found?.['text'] === document['text']);
  });

  test('the largest allowed document is read completely, with the characters that take most room', async ({
    store,
    generation,
  }) => {
    const room = MAX_DOCUMENT_BYTES - Buffer.byteLength(JSON.stringify({ id: 'a1', text: '' }));
    const given: Fields[] = [
      { id: 'a1', text: '\u0001'.repeat(Math.floor(room / 6)) },
      { id: 'a2', text: '漢'.repeat(Math.floor(room / 3)) },
    ];
    await openThings(store, generation, given);
    const found = (await store.get(generation, 'things', ['a1', 'a2'])) as Fields[];
    assert.ok(found.length === 2 && found.every(({ text }, index) => text === given[index]?.['text']));
  });

  test('documents that can not be stored are named in the error, and nothing of their commit is written', async ({
    store,
    generation,
  }) => {
    await openThings(store, generation, [{ id: 'a', text: 'x' }], { indexes: [{ text: 1 }] });
    const writes = [
      { put: { id: 'a', text: 'y' } },
      { put: { id: 'large', text: 'z', more: '漢'.repeat(MAX_DOCUMENT_BYTES / 3) } },
      { put: { id: 'list', text: ['y'] } },
    ];
    const error = await commitThings(store, generation, writes).catch((thrown: unknown) => thrown);
    assert.instance(error, DocumentsRefused);
    const { documents: refused } = error as DocumentsRefused;
    assert.equal(
      refused.map(({ collection, id }) => [collection, id]),
      [
        ['things', 'large'],
        ['things', 'list'],
      ],
    );
    assert.match(refused[0]?.reason ?? '', /^It has \d+ bytes; at most 12582912 are possible\.$/);
    assert.equal(await store.find(generation, 'things', {}), [{ id: 'a', text: 'x' }]);
    assert.is((await store.checkpoint(generation))?.position, 1n);
    await commitThings(store, generation, [{ put: { id: 'b', text: null } as Fields }]);
    assert.is(await store.count(generation, 'things'), 2);
  });

  test('the largest metadata of a check result is read as it was written', async ({ store, generation }) => {
    const given = Object.entries(LARGEST_METADATA).map(([id, check_metadata]) => ({ id, check_metadata }));
    await openThings(store, generation, given);
    assert.equal(
      await store.get(
        generation,
        'things',
        given.map(({ id }) => id),
      ),
      given,
    );
  });

  test('changes to a document after it was written or read do not affect the store', async ({ store, generation }) => {
    const document: Fields = { id: 'a1', list: [1] };
    await openThings(store, generation, [document]);
    (document['list'] as number[]).push(2);
    const [read] = (await store.get(generation, 'things', ['a1'])) as Fields[];
    (read?.['list'] as number[]).push(3);
    const [found] = (await store.find(generation, 'things', {})) as Fields[];
    (found?.['list'] as number[]).push(4);
    assert.equal(await store.get(generation, 'things', ['a1']), [{ id: 'a1', list: [1] }]);
  });

  test('a lone surrogate is stored as U+FFFD, and a query with U+FFFD finds it', async ({ store, generation }) => {
    const indexed = { indexes: [{ text: 1 as const }] };
    await openThings(store, generation, [{ id: 'a1', text: 'x\ud800y', loose: '\\ud800 \udc00' }], indexed);
    const stored = [{ id: 'a1', text: 'x\ufffdy', loose: '\\ud800 \ufffd' }];
    assert.equal(await store.get(generation, 'things', ['a1']), stored);
    for (const where of [{ text: 'x\ud800y' }, { text: 'x\ufffdy' }, { loose: { $contains: ' \udfff' } }]) {
      assert.equal(await store.find(generation, 'things', { where }), stored, JSON.stringify(where));
    }
  });

  test('get keeps the order of the ids and leaves out absent documents', async ({ store, generation }) => {
    await openThings(store, generation, [{ id: 'a' }, { id: 'b' }, { id: 'c' }]);
    assert.equal(idsOf(await store.get(generation, 'things', ['c', 'x', 'a'])), ['c', 'a']);
    assert.equal(await store.get(generation, 'things', []), []);
  });

  test('a document that is written again replaces the earlier one completely', async ({ store, generation }) => {
    await openThings(store, generation, [{ id: 'a', first: 1 }]);
    await commitThings(store, generation, [{ put: { id: 'a', second: 2 } as Fields }]);
    assert.equal(await store.find(generation, 'things', {}), [{ id: 'a', second: 2 }]);
  });

  test('writes of one commit are applied in order', async ({ store, generation }) => {
    await openThings(store, generation, [{ id: 'a' }]);
    await commitThings(store, generation, [
      { delete: 'a' },
      { put: { id: 'b' } },
      { put: { id: 'c' } },
      { delete: 'c' },
      { delete: 'never' },
      { put: { id: 'a', again: true } as Fields },
    ]);
    assert.equal(await store.find(generation, 'things', {}), [{ id: 'a', again: true }, { id: 'b' }]);
  });

  test('a commit can write to several collections, and the same id in different collections names different documents', async ({
    store,
    generation,
  }) => {
    await store.open(generation, { things: { indexes: [] }, others: { indexes: [] } });
    const writes = { things: [{ put: { id: 'a', of: 'things' } }], others: [{ put: { id: 'a', of: 'others' } }] };
    await store.commit(generation, writes, at(1n));
    assert.equal(await store.get(generation, 'things', ['a']), [{ id: 'a', of: 'things' }]);
    assert.equal(await store.get(generation, 'others', ['a']), [{ id: 'a', of: 'others' }]);
  });

  test('the checkpoint is null before the first commit, and afterwards that of the newest commit', async ({
    store,
    generation,
  }) => {
    await store.open(generation, { things: { indexes: [] } });
    assert.is(await store.checkpoint(generation), null);
    await store.commit(generation, {}, { log_id: 'log-1', position: 0n, event_id: null });
    assert.equal(await store.checkpoint(generation), { log_id: 'log-1', position: 0n, event_id: null });
    const last = { log_id: 'log-2', position: 9_223_372_036_854_775_807n, event_id: 'e' };
    await store.commit(generation, { things: [{ put: { id: 'a' } }] }, last);
    assert.equal(await store.checkpoint(generation), last);
  });

  test('checkpoints of several generations are returned in the order of the request, with null for missing ones', async ({
    store,
    generation,
  }) => {
    const [committed, opened, absent, dropped] = [1, 2, 3, 4].map((number) => ({ ...generation, number }));
    if (!committed || !opened || !absent || !dropped) throw new Error('There are four.');
    for (const each of [committed, opened, dropped]) await store.open(each, { things: { indexes: [] } });
    const last = { log_id: 'log', position: 9_223_372_036_854_775_807n, event_id: 'e' };
    for (const each of [committed, dropped]) await store.commit(each, {}, last);
    await store.drop(dropped, HOLDER);
    const checkpoints = async (wanted: Generation[]) =>
      (await store.checkpoints(wanted)).map(
        (found) => found && { log_id: found.log_id, position: found.position, event_id: found.event_id },
      );
    assert.equal(await checkpoints([absent, opened, committed, dropped]), [null, null, last, null]);
    assert.equal(await checkpoints([committed, committed]), [last, last]);
    assert.equal(await store.checkpoints([]), []);
  });

  test('checkpoints name the written collections if several processes share the store', async ({
    store,
    generation,
  }) => {
    await store.open(generation, { things: { indexes: [], expires: { field: 'until' } }, others: { indexes: [] } });
    const written = async () => (await store.checkpoints([generation]))[0]?.written;
    await store.commit(generation, {}, at(1n));
    if (!(await written())) return;
    assert.equal(await written(), {});
    await store.commit(generation, { things: [{ put: { id: 'a', until: '2026' } as Fields }], others: [] }, at(2n));
    const first = (await written()) ?? {};
    assert.equal(Object.keys(first), ['things']);
    await store.commit(generation, { others: [{ put: { id: 'a' } }] }, at(3n));
    const second = await written();
    assert.equal(Object.keys(second ?? {}), ['things', 'others']);
    assert.is(second?.['things'], first['things']);
    await store.commit(generation, {}, at(4n));
    assert.equal(await written(), second);
    await store.sweep(generation, 'things', '2025', 10);
    assert.equal(await written(), second);
    await store.sweep(generation, 'things', '2027', 10);
    assert.is.not((await written())?.['things'], first['things']);
    assert.is((await written())?.['others'], second?.['others']);
  });

  test('a repeated commit changes nothing', async ({ store, generation }) => {
    await openThings(store, generation, [{ id: 'a' }]);
    for (let times = 0; times < 2; times++) {
      await commitThings(store, generation, [{ delete: 'a' }, { put: { id: 'b' } }]);
    }
    assert.equal(await store.find(generation, 'things', {}), [{ id: 'b' }]);
    assert.equal(await store.checkpoint(generation), at(2n));
  });

  test('a refused commit writes neither documents nor checkpoint', async ({ store, generation }) => {
    await openThings(store, generation, [{ id: 'a', key: 1 }], { indexes: [{ key: 1 }], expires: { field: 'until' } });
    for (const fields of [{ key: [1] }, { key: { of: 1 } }, { until: ['2026'] }]) {
      const writes = [{ put: { id: 'b' } }, { delete: 'a' }, { put: { id: 'c', ...fields } }];
      await rejects(commitThings(store, generation, writes), TypeError);
    }
    const unknown = store.commit(generation, { things: [{ delete: 'a' }], unheard: [{ put: { id: 'x' } }] }, at(3n));
    await rejects(unknown, TypeError);
    assert.equal(await store.find(generation, 'things', {}), [{ id: 'a', key: 1 }]);
    assert.equal(await store.checkpoint(generation), at(1n));
  });

  test('an indexed field may be missing, and then equals null', async ({ store, generation }) => {
    await openThings(store, generation, [{ id: 'a' }, { id: 'b', key: null }, { id: 'c', key: 1 }], {
      indexes: [{ key: 1 }],
    });
    assert.equal(idsOf(await store.find(generation, 'things', { where: { key: null } })), ['a', 'b']);
  });

  test('an undeclared collection can not be read', async ({ store, generation }) => {
    await openThings(store, generation, []);
    await rejects(store.get(generation, 'unheard', ['a']), TypeError);
    await rejects(store.find(generation, 'unheard', {}), TypeError);
    await rejects(store.count(generation, 'unheard'), TypeError);
  });
};
