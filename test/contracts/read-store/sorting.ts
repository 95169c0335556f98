import * as assert from 'uvu/assert';
import type { Query } from '../../../stores/read-store/port.ts';
import { idsOf, openThings, type ContractTest, type Fields } from './opened.ts';

export const sortContract = (test: ContractTest): void => {
  test('null sorts first, then numbers, then strings, then booleans', async ({ store, generation }) => {
    const values = [undefined, null, -1, 0, 1.5, 10, '', '1', 'a', false, true];
    const sorted: Fields[] = values.map((value, index) => ({
      id: `k${index.toString().padStart(2, '0')}`,
      x: value,
      y: value,
    }));
    const shuffled = sorted.toSorted((a, b) => ((a.id.charCodeAt(2) * 7) % 11) - ((b.id.charCodeAt(2) * 7) % 11));
    await openThings(store, generation, shuffled, { indexes: [{ x: 1 }] });
    for (const field of ['x', 'y']) {
      assert.equal(idsOf(await store.find(generation, 'things', { sort: { [field]: 1 } })), idsOf(sorted));
      assert.equal(
        idsOf(await store.find(generation, 'things', { sort: { [field]: -1 } })),
        idsOf(sorted.toReversed()),
      );
    }
  });

  test('strings sort by their UTF-8 bytes', async ({ store, generation }) => {
    const sorted = [
      '',
      '\u0000',
      ' ',
      '0',
      '10',
      '9',
      'A',
      'Z',
      'a',
      'aa',
      'z',
      '\u007f',
      '\u0080',
      'é',
      '\u07ff',
      '\u0800',
      '\ud7ff',
      '\ue000',
      '\uffff',
      '\u{10000}',
      '\u{1f600}',
      '\u{10ffff}',
    ];
    const given = sorted.map((text, index) => ({ id: `k${(index * 5) % 22}`, text, loose: text }));
    await openThings(store, generation, given, { indexes: [{ text: 1 }] });
    for (const field of ['text', 'loose']) {
      const found = (await store.find(generation, 'things', { sort: { [field]: 1 } })) as Fields[];
      assert.equal(
        found.map((document) => document[field]),
        sorted,
      );
      const above = await store.find(generation, 'things', {
        where: { [field]: { $gt: '\uffff' } },
        sort: { [field]: 1 },
      });
      assert.equal(
        (above as Fields[]).map((document) => document[field]),
        sorted.slice(-3),
      );
    }
  });

  test('documents with equal values are sorted by id, in the direction of the last sort field', async ({
    store,
    generation,
  }) => {
    const given = ['c', 'a', 'b', 'd'].map((id) => ({ id, x: id === 'd' ? 2 : 1, y: 1 }));
    await openThings(store, generation, given, { indexes: [{ x: 1 }] });
    const find = async (query: Query) => idsOf(await store.find(generation, 'things', query)).join('');
    assert.is(await find({}), 'abcd');
    assert.is(await find({ sort: { x: 1 } }), 'abcd');
    assert.is(await find({ sort: { x: -1 } }), 'dcba');
    assert.is(await find({ sort: { x: -1, y: 1 } }), 'dabc');
    assert.is(await find({ sort: { x: 1, y: -1 } }), 'cbad');
    assert.is(await find({ sort: { x: -1, id: 1 } }), 'dabc');
    assert.is(await find({ sort: { id: -1 } }), 'dcba');
    assert.is(await find({ sort: { id: 1, x: -1 } }), 'abcd');
  });

  test('skip and limit select a page of the sorted documents', async ({ store, generation }) => {
    const given = Array.from({ length: 25 }, (_, index) => ({
      id: String.fromCharCode(97 + index),
      even: index % 2 === 0,
    }));
    await openThings(store, generation, given, { indexes: [] });
    const find = async (query: Query) => idsOf(await store.find(generation, 'things', query)).join('');
    assert.is(await find({ limit: 3 }), 'abc');
    assert.is(await find({ skip: 20 }), 'uvwxy');
    assert.is(await find({ skip: 2, limit: 2, where: { even: true } }), 'eg');
    assert.is(await find({ skip: 25, limit: 5 }), '');
    assert.is(await find({ skip: 24, limit: 5 }), 'y');
    assert.is(await find({ limit: 0 }), '');
    assert.is(await store.count(generation, 'things', { even: true }), 13);
    assert.is(await store.count(generation, 'things'), 25);
  });
};
