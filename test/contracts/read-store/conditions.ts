import * as assert from 'uvu/assert';
import type { Where } from '../../../stores/read-store/port.ts';
import { rejects } from '../../rejects.ts';
import { idsOf, openThings, type ContractTest, type Fields } from './opened.ts';

/** Values by document id. Each value is stored in an indexed and in an unindexed field. */
const VALUES: Record<string, unknown> = {
  absent: undefined,
  empty: '',
  false: false,
  nil: null,
  one: 1,
  ten: 10,
  text_1: '1',
  text_a: 'a',
  text_b: 'b',
  true: true,
  zero: 0,
};

const things: Fields[] = Object.entries(VALUES).map(([id, value]) => ({ id, indexed: value, loose: value }));

interface Case {
  title: string;
  /** the condition on the field */
  condition: Where[string];
  finds: string[];
}

const not = (...ids: string[]): string[] => Object.keys(VALUES).filter((id) => !ids.includes(id));

const CASES: Case[] = [
  { title: 'a value equals itself, not a similar value of another type', condition: 1, finds: ['one'] },
  { title: '$eq means the same as the value alone', condition: { $eq: '1' }, finds: ['text_1'] },
  { title: 'null equals null and a missing field', condition: null, finds: ['absent', 'nil'] },
  { title: 'true does not equal 1', condition: true, finds: ['true'] },
  { title: 'false does not equal 0', condition: { $eq: false }, finds: ['false'] },
  { title: 'the empty string is a string', condition: '', finds: ['empty'] },
  { title: '$ne matches all others, including null and missing fields', condition: { $ne: 'a' }, finds: not('text_a') },
  { title: '$ne null matches fields with a value', condition: { $ne: null }, finds: not('absent', 'nil') },
  {
    title: '$in accepts values of all types',
    condition: { $in: [1, 'a', true, 'x'] },
    finds: ['one', 'text_a', 'true'],
  },
  {
    title: '$in with null matches null and missing fields',
    condition: { $in: [null, 'b'] },
    finds: ['absent', 'nil', 'text_b'],
  },
  { title: '$in of one value matches that value', condition: { $in: ['b'] }, finds: ['text_b'] },
  { title: '$in of null alone matches null and missing fields', condition: { $in: [null] }, finds: ['absent', 'nil'] },
  { title: '$in of an empty array matches nothing', condition: { $in: [] }, finds: [] },
  { title: '$nin', condition: { $nin: [1, 'a', true] }, finds: not('one', 'text_a', 'true') },
  {
    title: '$nin with null excludes null and missing fields',
    condition: { $nin: [null, 'a', 1] },
    finds: not('absent', 'nil', 'text_a', 'one'),
  },
  { title: '$nin of null alone matches fields with a value', condition: { $nin: [null] }, finds: not('absent', 'nil') },
  { title: '$nin of an empty array matches everything', condition: { $nin: [] }, finds: not() },
  { title: '$gt of a number matches numbers only', condition: { $gt: 0 }, finds: ['one', 'ten'] },
  { title: '$gte of a number matches numbers only', condition: { $gte: 1 }, finds: ['one', 'ten'] },
  { title: '$lt of a number matches numbers only', condition: { $lt: 10 }, finds: ['one', 'zero'] },
  { title: '$lte of a number matches numbers only', condition: { $lte: 1 }, finds: ['one', 'zero'] },
  { title: 'a range of numbers matches the numbers in it', condition: { $gt: 0, $lte: 10 }, finds: ['one', 'ten'] },
  { title: '$gt of a string matches strings only', condition: { $gt: '1' }, finds: ['text_a', 'text_b'] },
  { title: '$lt of a string matches strings only', condition: { $lt: 'a' }, finds: ['empty', 'text_1'] },
  { title: '$lte and $gte of one value match that value', condition: { $gte: 'a', $lte: 'a' }, finds: ['text_a'] },
  { title: 'the narrower of two bounds applies', condition: { $gte: 0, $gt: 1, $lt: 11, $lte: 10 }, finds: ['ten'] },
  { title: 'false is less than true', condition: { $gt: false }, finds: ['true'] },
  { title: '$lte of a boolean matches booleans only', condition: { $lte: true }, finds: ['false', 'true'] },
  { title: '$lt of false matches nothing', condition: { $lt: false }, finds: [] },
  { title: '$gte false', condition: { $gte: false }, finds: ['false', 'true'] },
  { title: 'bounds of two types match nothing', condition: { $gt: 0, $lt: 'z' }, finds: [] },
  { title: '$gt null matches nothing', condition: { $gt: null }, finds: [] },
  { title: '$lte null matches null', condition: { $lte: null }, finds: ['absent', 'nil'] },
  { title: '$gte null matches null', condition: { $gte: null }, finds: ['absent', 'nil'] },
  {
    title: 'all operators of a field must match',
    condition: { $in: [1, 'a', 'b'], $ne: 'a', $gt: '' },
    finds: ['text_b'],
  },
  {
    title: '$contains of the empty string matches every string',
    condition: { $contains: '' },
    finds: ['empty', 'text_1', 'text_a', 'text_b'],
  },
  { title: '$contains does not match numbers', condition: { $contains: '1' }, finds: ['text_1'] },
  { title: '$prefix does not match booleans', condition: { $prefix: 'T' }, finds: [] },
];

export const conditionContract = (test: ContractTest): void => {
  test('conditions compare values within their type', async ({ store, generation }) => {
    await openThings(store, generation, things, { indexes: [{ indexed: 1 }] });
    for (const { title, condition, finds } of CASES) {
      for (const field of ['indexed', 'loose']) {
        const where: Where = { [field]: condition };
        assert.equal(idsOf(await store.find(generation, 'things', { where })), finds, `${title} (${field})`);
        assert.is(await store.count(generation, 'things', where), finds.length, `count: ${title} (${field})`);
      }
    }
  });

  test('$and, $or and fields can be combined', async ({ store, generation }) => {
    await openThings(store, generation, things);
    const find = async (where: Where) => idsOf(await store.find(generation, 'things', { where }));
    assert.equal(await find({}), not());
    assert.equal(await find({ loose: 1, indexed: 1 }), ['one']);
    assert.equal(await find({ loose: 1, indexed: 10 }), []);
    assert.equal(await find({ $or: [{ loose: 1 }, { loose: 'a', indexed: 'a' }, { id: 'zero' }] }), [
      'one',
      'text_a',
      'zero',
    ]);
    assert.equal(await find({ $or: [{ loose: 1 }, { loose: 'a' }], id: { $gt: 'p' } }), ['text_a']);
    assert.equal(await find({ $and: [{ loose: { $gt: 'a' } }, { loose: { $lt: 'c' } }] }), ['text_b']);
    assert.equal(await find({ $and: [{ $or: [{ loose: 1 }, { loose: 0 }] }, { id: { $ne: 'one' } }] }), ['zero']);
  });

  test('an undefined condition is ignored', async ({ store, generation }) => {
    await openThings(store, generation, [{ id: 'a', x: 1 }]);
    assert.is(await store.count(generation, 'things', { x: undefined }), 1);
  });

  test('a dotted path names a nested field', async ({ store, generation }) => {
    const nested: Fields[] = [
      { id: 'a', of: { the: { thing: 1 } }, 'of.the': { thing: 2 } },
      { id: 'b', of: { the: null } },
      { id: 'c', of: 'the thing' },
    ];
    await openThings(store, generation, nested, { indexes: [{ 'of.the.thing': 1 }] });
    const find = async (where: Where) => idsOf(await store.find(generation, 'things', { where }));
    assert.equal(await find({ 'of.the.thing': 1 }), ['a']);
    assert.equal(await find({ 'of.the.thing': 2 }), []);
    assert.equal(await find({ 'of.the.thing': null }), ['b', 'c']);
    assert.equal(await find({ 'of.the': { $ne: null } }), ['a']);
  });

  test('on an array, $eq and $in match if any element matches, and $ne and $nin if none does', async ({
    store,
    generation,
  }) => {
    await openThings(store, generation, [
      { id: 'a', list: ['x', 'y'] },
      { id: 'b', list: ['y', true, null] },
      { id: 'c', list: [] },
      { id: 'd', list: 'x' },
      { id: 'e' },
    ]);
    const find = async (where: Where) => idsOf(await store.find(generation, 'things', { where }));
    assert.equal(await find({ list: 'x' }), ['a', 'd']);
    assert.equal(await find({ list: { $in: ['x', true] } }), ['a', 'b', 'd']);
    assert.equal(await find({ list: { $ne: 'x' } }), ['b', 'c', 'e']);
    assert.equal(await find({ list: { $nin: ['x', true] } }), ['c', 'e']);
    assert.equal(await find({ list: null }), ['b', 'e']);
    assert.equal(await find({ list: 1 }), []);
  });

  test('$contains and $prefix ignore case beyond ASCII', async ({ store, generation }) => {
    const names = { a: 'Élan VITAL', b: 'ЖУРНАЛ проверок', c: 'ΟΔΟΣ', d: 'Straße', e: 'vital' };
    await openThings(
      store,
      generation,
      Object.entries(names).map(([id, name]) => ({ id, name })),
    );
    const find = async (where: Where) => idsOf(await store.find(generation, 'things', { where }));
    assert.equal(await find({ name: { $contains: 'vital' } }), ['a', 'e']);
    assert.equal(await find({ name: { $prefix: 'VITAL' } }), ['e']);
    assert.equal(await find({ name: { $prefix: 'éLAN' } }), ['a']);
    assert.equal(await find({ name: { $contains: 'журнал ПРО' } }), ['b']);
    assert.equal(await find({ name: { $prefix: 'οδος' } }), ['c'], 'both small sigmas fold to Σ');
    assert.equal(await find({ name: { $contains: 'STRASSE' } }), [], 'simple folding preserves the number of letters');
    assert.equal(await find({ name: { $contains: 'STRAßE' } }), ['d']);
  });

  test('conditions match every character of a value literally', async ({ store, generation }) => {
    const hostile = [
      '%',
      '_',
      '\\',
      "'",
      '"',
      "' OR 1=1 --",
      '.*',
      '^a',
      'a$',
      '[a]',
      '(',
      '$eq',
      '{}',
      '?1',
      'a\\nb',
      ':x',
    ];
    const given = hostile.map((text, index) => ({ id: `h${index.toString().padStart(2, '0')}`, text, loose: text }));
    await openThings(store, generation, [...given, { id: 'plain', text: 'abc', loose: 'abc' }], {
      indexes: [{ text: 1 }],
    });
    for (const { id, text } of given) {
      for (const field of ['text', 'loose']) {
        const find = async (where: Where) => idsOf(await store.find(generation, 'things', { where }));
        assert.equal(await find({ [field]: text }), [id]);
        assert.equal(await find({ [field]: { $in: [text, 'none'] } }), [id]);
        assert.ok((await find({ [field]: { $contains: text } })).includes(id));
        assert.not.ok((await find({ [field]: { $contains: text } })).includes('plain'), text);
        assert.not.ok((await find({ [field]: { $prefix: text } })).includes('plain'), text);
      }
    }
    assert.equal(await store.get(generation, 'things', hostile), []);
  });

  test('$in accepts thousands of values', async ({ store, generation }) => {
    await openThings(
      store,
      generation,
      [
        { id: 'a', x: 'v7' },
        { id: 'b', x: 'w' },
      ],
      { indexes: [{ x: 1 }] },
    );
    const many = Array.from({ length: 40_000 }, (_, index) => `v${index}`);
    assert.equal(idsOf(await store.find(generation, 'things', { where: { x: { $in: many } } })), ['a']);
    assert.equal(idsOf(await store.find(generation, 'things', { where: { x: { $nin: many } } })), ['b']);
  });

  test('conditions that the query language does not contain are refused', async ({ store, generation }) => {
    await openThings(store, generation, [{ id: 'a' }]);
    const wrong: unknown[] = [
      { $nor: [{ x: 1 }] },
      { x: { $regex: 'a' } },
      { x: { $where: '1' } },
      { x: {} },
      { x: [1] },
      { x: { $in: 1 } },
      { x: { $eq: { y: 1 } } },
      { x: { $gt: Number.NaN } },
      { x: { $contains: 1 } },
      { $or: { x: 1 } },
      { 'x"y': 1 },
      { "x'": 1 },
      { 'x..y': 1 },
      { '': 1 },
      { 'x y': 1 },
    ];
    for (const where of wrong as Where[]) {
      await rejects(store.find(generation, 'things', { where }), TypeError);
      await rejects(store.count(generation, 'things', where), TypeError);
    }
    await rejects(store.find(generation, 'things', { sort: { "x') --": 1 } }), TypeError);
    for (const number of [-1, 1.5, Number.NaN]) {
      await rejects(store.find(generation, 'things', { limit: number }), TypeError);
      await rejects(store.find(generation, 'things', { skip: number }), TypeError);
    }
  });
};
