import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  isSameQuery,
  MOST_VIEWS,
  nameOf,
  nameProblem,
  withRenamedView,
  parseViews,
  withDefault,
  withoutView,
  withView,
  type SavedViews,
} from '../../console/saved-views/views.ts';
import { parsedJson, textStorageIn } from '../../console/session/text-storage.ts';

const test = suite('saved views of lists');

const NONE: SavedViews = { views: [], byDefault: null };
const down = withView(NONE, 'Down', 'filter=status%3Adown', false);
const full: SavedViews = {
  views: Array.from({ length: MOST_VIEWS }, (_, index) => ({ name: `v${index}`, query: 'filter=x' })),
  byDefault: null,
};

test('saved views have unique names', () => {
  assert.equal(down.views, [{ name: 'Down', query: 'filter=status%3Adown' }]);
  assert.is(nameProblem(down, '  '), 'empty');
  assert.is(nameProblem(down, ' Down '), 'taken');
  assert.is(nameProblem(down, 'Down', 'Down'), null);
  assert.is(withView(down, 'Down', 'filter=x', false), down);
  assert.is(withView(down, 'Other', '', false), down);
  assert.is(nameOf(' a\u202eb\nc '), 'a b c');
  assert.is(nameOf('x'.repeat(200)).length, 60);
});

test('a list has at most fifty saved views', () => {
  assert.is(nameProblem(full, 'one more'), 'full');
  assert.is(withView(full, 'one more', 'filter=x', true), full);
  assert.is(nameProblem(full, 'another name', 'v1'), null);
});

test('a default saved view stays the default when it is renamed, and there is no default after this view is deleted', () => {
  const two = withView(down, 'Europe', 'filter=tag%3Aeu', true);
  assert.is(two.byDefault, 'Europe');
  const other = withRenamedView(two, 'Europe', 'EU');
  assert.equal(
    other.views.map(({ name }) => name),
    ['Down', 'EU'],
  );
  assert.is(other.byDefault, 'EU');
  assert.is(withRenamedView(two, 'Europe', 'Down'), two);
  assert.equal(withoutView(other, 'EU'), down);
  assert.is(withDefault(other, 'Down').byDefault, 'Down');
  assert.is(withDefault(other, 'nothing').byDefault, null);
});

test("invalid saved views in the browser's storage are ignored", () => {
  assert.equal(parseViews(parsedJson(JSON.stringify(down))), down);
  for (const found of [null, 7, 'text', [], {}, { views: 'x' }, { views: [null, 7, {}, { name: 'a' }] }]) {
    assert.equal(parseViews(found), NONE);
  }
  assert.equal(parsedJson('{"views":'), null);
  const hostile = [
    { name: '', query: 'filter=x' },
    { name: 'a\u202eb', query: 'filter=x' },
    { name: 'long', query: 'x'.repeat(3_000) },
    { name: 'n'.repeat(61), query: 'filter=x' },
    { name: 'twice', query: 'filter=1' },
    { name: 'twice', query: 'filter=2', further: 'field' },
  ];
  assert.equal(parseViews({ views: hostile, byDefault: 'long' }), {
    views: [{ name: 'twice', query: 'filter=2' }],
    byDefault: null,
  });
  assert.is(parseViews({ views: [...full.views, { name: 'z', query: 'filter=x' }] }).views.length, MOST_VIEWS);
});

test('a saved view matches the current filter whatever the order of its conditions', () => {
  assert.ok(isSameQuery('a=1&filter=x%20y', 'filter=x+y&a=1'));
  assert.not(isSameQuery('filter=x', 'filter=y'));
});

test("saved views stay in memory if the browser's storage is unavailable or full", () => {
  const denied = textStorageIn(() => {
    throw new Error('SecurityError');
  });
  denied.set('key', 'text');
  assert.is(denied.get('key'), 'text');
  assert.is(denied.get('other'), null);

  const texts = new Map<string, string>();
  const storage = {
    getItem: (key: string) => texts.get(key) ?? null,
    setItem: (key: string, text: string) => {
      if (text.length > 10) throw new Error('QuotaExceededError');
      texts.set(key, text);
    },
  };
  const limitedStorage = textStorageIn(() => storage);
  limitedStorage.set('key', 'short');
  limitedStorage.set('key', 'much too long');
  assert.is(limitedStorage.get('key'), 'much too long');
  assert.is(texts.get('key'), 'short');
  limitedStorage.set('key', 'again');
  texts.set('key', 'of a tab');
  assert.is(limitedStorage.get('key'), 'of a tab');
});

test.run();
