import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { rankedMatches, rankOf } from '../../console/palette/ranking.ts';
import { overviewQueries } from '../../console/palette/overview-queries.ts';
import { MOST_OPENED, parseOpened, addOpened, type OpenedScreen } from '../../console/palette/opened-screens.ts';
import { createDebouncedSearch } from '../../console/palette/debounced-search.ts';
import { eventually } from '../waiting.ts';

const test = suite('the palette');

test('the palette lists items that start with the typed words before items that only contain them', () => {
  assert.equal(
    rankedMatches(['recheck', 'new check', 'Checks', 'alerts'], 'che', (one) => one),
    ['Checks', 'new check', 'recheck'],
  );
  assert.equal(
    rankedMatches(['Neue Prüfung', 'Prüfungen'], 'prufung neue', (one) => one),
    ['Neue Prüfung'],
  );
  assert.is(rankOf('Überwachung', 'UBER'), 0);
  assert.is(rankOf('a.b*c', '.*'), null);
});

const BASICS = { page_size: 20, sort: 'status' as const };

test('the palette finds checks by name and target, and by a tag if nothing else is typed', () => {
  assert.equal(overviewQueries('  '), []);
  assert.equal(overviewQueries('Check out'), [{ ...BASICS, q: 'check out' }]);
  assert.equal(overviewQueries('eu'), [
    { ...BASICS, q: 'eu' },
    { ...BASICS, tag: ['eu'] },
  ]);
  assert.equal(overviewQueries('tag:eu,us status:down shop'), [
    { ...BASICS, q: 'shop', status: ['down'], tag: ['eu', 'us'] },
  ]);
  assert.is(overviewQueries('x '.repeat(300))[0]?.q?.length, 100);
});

test('the palette sends only conditions that the service accepts', () => {
  assert.equal(overviewQueries('status:broken'), []);
  assert.equal(overviewQueries('type:carrier-pigeon'), []);
  assert.equal(overviewQueries('tag:ü'), []);
  assert.equal(overviewQueries('status:broken,up'), [{ ...BASICS, status: ['up'] }]);
});

test('the palette remembers opened items, each once and the latest first', () => {
  const opened = (...names: string[]): readonly OpenedScreen[] =>
    names.reduce<readonly OpenedScreen[]>((all, name) => addOpened(all, { to: `/checks/${name}`, name }), []);
  assert.equal(
    opened('a', 'b', 'a').map(({ name }) => name),
    ['a', 'b'],
  );
  assert.equal(addOpened(opened('a'), { to: '/checks/a', name: 'renamed' }), [{ to: '/checks/a', name: 'renamed' }]);
  const tabs = addOpened([{ to: '/pages/p/domain', name: 'Shop' }], { to: '/pages/p', name: 'Shop' });
  assert.equal(tabs, [{ to: '/pages/p', name: 'Shop' }]);
  const many = opened(...Array.from({ length: 50 }, (_, index) => `c${index}`));
  assert.is(many.length, MOST_OPENED);
  assert.equal(parseOpened(JSON.parse(JSON.stringify(many))), many);
});

test("the palette ignores invalid entries in the browser's storage", () => {
  assert.equal(parseOpened('text'), []);
  const hostile = [
    null,
    { to: 'https://example.com/x', name: 'a' },
    { to: '//example.com/x', name: 'a' },
    { to: '/checks', name: 'a list' },
    { to: '/checks/x?y=<b>', name: 'a' },
    { to: '/checks/x', name: '' },
    { to: '/checks/x', name: 7 },
    { to: '/checks/x', name: '<img src=x onerror=alert(1)>' },
  ];
  assert.equal(parseOpened(hostile), [{ to: '/checks/x', name: '<img src=x onerror=alert(1)>' }]);
});

/** Creates a search. Its requests get no response until the test completes them. */
const openSearch = () => {
  const requests: { text: string; signal: AbortSignal; answer: (part: readonly string[]) => void }[] = [];
  const events: string[] = [];
  let running = 0;
  const search = createDebouncedSearch<string>(
    async function* find(text, signal) {
      running += 1;
      assert.is(running, 1, 'one search at a time');
      try {
        yield await new Promise<readonly string[]>((resolve, reject) => {
          requests.push({ text, signal, answer: resolve });
          signal.addEventListener('abort', () => {
            reject(new Error('aborted'));
          });
        });
        if (text === 'broken') throw new Error('no answer');
      } finally {
        running -= 1;
      }
    },
    {
      found: (text, part) => events.push(`${text}: ${part.join()}`),
      ended: (text, error) => events.push(`${text} ended${error === null ? '' : ` by ${(error as Error).message}`}`),
    },
    1,
  );
  return { search, requests, events };
};

test('the palette searches only for the newest text, and aborts the previous search', async () => {
  const { search, requests, events } = openSearch();
  search.type('a');
  search.type('ab');
  await eventually(() => requests.length === 1);
  assert.is(requests[0]?.text, 'ab');
  search.type('abc');
  assert.ok(requests[0]?.signal.aborted);
  await eventually(() => requests.length === 2);
  requests[1]?.answer(['x', 'y']);
  await eventually(() => events.length === 2);
  assert.equal(events, ['abc: x,y', 'abc ended']);
});

test('the palette sends no search while no text is typed, and reports errors of a search', async () => {
  const { search, requests, events } = openSearch();
  search.type('a');
  search.type('');
  search.type('broken');
  await eventually(() => requests.length === 1);
  requests[0]?.answer(['x']);
  await eventually(() => events.length === 2);
  assert.equal(events, ['broken: x', 'broken ended by no answer']);
  search.type('more');
  await eventually(() => requests.length === 2);
  search.stop();
  assert.ok(requests[1]?.signal.aborted);
  assert.is(requests[0]?.text, 'broken');
});

test.run();
