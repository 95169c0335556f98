import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { windowOf, WINDOW_ROWS } from '../../console/parts/rows/row-window.ts';
import { filterOf, checkMatches, withStatus, type Row } from '../../console/screens/checks/filter.ts';
import { orderOf, sorted } from '../../console/screens/checks/order.ts';
import { isSameOrder, neighbourOf, rangeOf, toggled } from '../../console/parts/rows/selection.ts';

const test = suite('the check list in the console');

const rowOf = (id: string, changes: Partial<Row> = {}): Row => ({
  id,
  name: id,
  type: 'web',
  group_id: null,
  tags: [],
  managed_by: null,
  active: true,
  status: 'up',
  since: '2026-11-20T15:04:05.123000',
  error_message: null,
  response_time: 100,
  hours: [],
  failed_hours: [],
  uptime_24h: 100,
  uptime_30d: 100,
  ...changes,
});

const NONE: ReadonlySet<string> = new Set();

test('the check list parses its filter line', () => {
  const empty = { statuses: [], types: [], groups: [], tags: [], text: '' };
  assert.equal(filterOf('  '), empty);
  assert.equal(filterOf('status:down,Paused TAG:eu tag:a,b type:web Shop  Front'), {
    statuses: ['down', 'paused'],
    types: ['web'],
    groups: [],
    tags: [['eu'], ['a', 'b']],
    text: 'shop front',
  });
  // A word that is not a condition is searched for as text. An incomplete condition is ignored.
  assert.equal(filterOf('https://shop:8080 region:x'), { ...empty, text: 'https://shop:8080 region:x' });
  assert.equal(filterOf('status: tag:, shop'), { ...empty, text: 'tag:, shop' });
});

test('the check list finds checks by status, type, tags and text', () => {
  const row = rowOf('a', { name: 'EU/Checkout', tags: ['eu', 'env:prod'], status: 'down', error_message: 'Got 503' });
  for (const line of [
    '',
    'status:down',
    'tag:eu',
    'tag:x,eu tag:env:prod',
    'checkOUT',
    '503',
    'type:tcp,web',
    'env:prod',
  ])
    assert.ok(checkMatches(row, filterOf(line), NONE), line);
  for (const line of ['status:up', 'tag:e', 'tag:eu tag:us', 'type:tcp', 'shop', 'status:down shop'])
    assert.not(checkMatches(row, filterOf(line), NONE), line);
  assert.ok(checkMatches(row, filterOf('group:none'), NONE));
  assert.ok(checkMatches({ ...row, group_id: 'group0000001' }, filterOf('group:group0000001,other'), NONE));
  assert.not(checkMatches({ ...row, group_id: 'group0000001' }, filterOf('group:none'), NONE));
  assert.ok(checkMatches(row, filterOf('shop.example.com'), new Set(['a'])));
  assert.not(checkMatches(row, filterOf('status:up shop.example.com'), new Set(['a'])));
});

test('the check list adds a status to the filter line, and removes the status again', () => {
  assert.is(withStatus('tag:eu shop', 'down'), 'status:down tag:eu shop');
  assert.is(withStatus('status:down tag:eu shop', 'up'), 'status:up tag:eu shop');
  assert.is(withStatus('status:down tag:eu shop', 'down'), 'tag:eu shop');
});

test('the check list shows failing checks first, the most recent failure at the top, and all others by name', () => {
  const rows = [
    rowOf('1', { name: 'b' }),
    rowOf('2', { name: 'a' }),
    rowOf('3', { status: 'paused' }),
    rowOf('4', { status: 'pending', since: null }),
    rowOf('5', { status: 'down' }),
    rowOf('6', { status: 'down', since: '2026-11-21T15:04:05.123000' }),
  ];
  const order = orderOf(sorted(rows), filterOf(''), NONE);
  assert.equal(order, ['6', '5', '4', '2', '1', '3']);
  assert.ok(isSameOrder(order, orderOf(sorted(rows.reverse()), filterOf(''), NONE)));
  assert.not(isSameOrder(order, orderOf(sorted(rows), filterOf('status:up'), NONE)));
});

test('the check list renders only some rows, but has the height of all rows', () => {
  const whole = (count: number, offset: number) => {
    const { first, end, above, below } = windowOf(count, 36, offset, 900);
    assert.is(above + (end - first) * 36 + below, count * 36);
    return [first, end];
  };
  assert.equal(whole(10, 0), [0, 10]);
  assert.equal(whole(10_000, -200), [0, WINDOW_ROWS]);
  assert.equal(whole(10_000, 10_000 * 36), [10_000 - WINDOW_ROWS, 10_000]);
  assert.equal(whole(0, 0), [0, 0]);
  for (let offset = 0; offset < 10_000 * 36 - 900; offset += 7_919) {
    const [first = 0, end = 0] = whole(10_000, offset);
    assert.ok(first * 36 <= offset && end * 36 >= offset + 900, offset.toString());
  }
});

test('the check list selects one, several or no checks', () => {
  const order = ['a', 'b', 'c', 'd'];
  assert.equal(rangeOf(order, 'b', 'd'), ['b', 'c', 'd']);
  assert.equal(rangeOf(order, 'c', 'a'), ['a', 'b', 'c']);
  assert.equal(rangeOf(order, 'gone', 'a'), ['a']);
  assert.equal(rangeOf(order, null, 'a'), ['a']);
  assert.equal([...toggled(new Set(['a']), 'b')], ['a', 'b']);
  assert.equal([...toggled(new Set(['a', 'b']), 'a')], ['b']);
});

test('the cursor of the check list moves from check to check, and stops at both ends', () => {
  const order = ['a', 'b', 'c'];
  assert.is(neighbourOf(order, null, 1), 'a');
  assert.is(neighbourOf(order, null, -1), 'c');
  assert.is(neighbourOf(order, 'a', 1), 'b');
  assert.is(neighbourOf(order, 'a', -1), 'a');
  assert.is(neighbourOf(order, 'gone', 1), 'a');
  assert.is(neighbourOf([], 'a', 1), null);
});

test.run();
