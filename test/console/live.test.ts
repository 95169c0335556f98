import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { mergedList } from '../../console/live/merge-list.ts';
import { createMessageReader } from '../../console/live/event-stream-parser.ts';
import { streamEventsOf, positionAfter } from '../../console/live/stream-events.ts';
import { backoffDelay } from '../../console/live/backoff.ts';

const test = suite('the event stream in the console');

const STREAM =
  'retry: 2381\r\n\r\nevent: ready\rid: one\rdata: {}\r\r: said to keep it open\n\nevent:change\nid: two\ndata: {"a":\ndata:1}\n\ndata\n\nevent: none\n\ndata: unfinished\n';
const READ = [
  { event: 'ready', data: '{}', id: 'one' },
  { event: 'change', data: '{"a":\n1}', id: 'two' },
  { event: 'message', data: '', id: 'two' },
];

test('events of the stream are parsed whether they arrive whole, in parts or byte by byte', () => {
  for (const size of [1, 2, 3, 7, 50, STREAM.length]) {
    const reader = createMessageReader();
    const read = [];
    for (let at = 0; at < STREAM.length; at += size) read.push(...reader.read(STREAM.slice(at, at + size)));
    assert.equal(read, READ, size.toString());
    assert.is(reader.retry(), 2_381);
  }
});

test('the stream reconnects with exponential backoff of at most half a minute', () => {
  assert.is(backoffDelay(0, null, 1), 1_000);
  assert.is(backoffDelay(0, 2_400, 0), 1_200);
  assert.is(backoffDelay(2, 2_000, 1), 8_000);
  assert.is(backoffDelay(1_000, 2_000, 1), 30_000);
});

const row = (id: string, status: string) => ({ id, status });
const changed = (id: string, row?: object) =>
  ({ resource: 'alert', id, page_id: null, change: 'changed', ...(row && { row }) }) as never;
const isDown = ({ status }: { status: string }): boolean => status === 'down';

test('a change replaces a list row in place, adds a new row, and removes rows that no longer match the filter', () => {
  const rows = [row('a', 'down'), row('b', 'down'), row('c', 'down')];
  const deleted = { resource: 'alert', id: 'c', page_id: null, change: 'deleted' } as const;
  const changes = [
    changed('d', row('d', 'down')),
    changed('a', row('a', 'up')),
    changed('b', { ...row('b', 'down'), name: 'new' }),
    changed('e', row('e', 'up')),
    deleted,
  ];
  assert.equal(mergedList(rows, changes, isDown), [{ ...row('b', 'down'), name: 'new' }, row('d', 'down')]);
});

test('a list is reloaded if a change does not contain the changed row', () => {
  assert.is(mergedList([row('a', 'down')], [changed('a')], isDown), null);
});

test('consecutive changes are merged, but not across a reset', () => {
  const sent = (event: string, data: unknown, id: string) => ({ event, data: JSON.stringify(data), id });
  const [a, b, c] = ['a', 'b', 'c'].map((id) => ({ resource: 'alert', id, page_id: null, change: 'changed' }));
  const messages = [
    sent('change', { changes: [a] }, '1'),
    sent('beat', {}, '2'),
    sent('change', { changes: [b, a] }, '3'),
    sent('reset', { resources: ['check'] }, '4'),
    sent('news of a later release', {}, '5'),
    sent('change', { changes: [c] }, ''),
  ];
  assert.equal(streamEventsOf(messages), [
    { kind: 'changes', changes: [a, b, a] },
    { kind: 'reset', resources: ['check'] },
    { kind: 'changes', changes: [c] },
  ]);
  assert.is(positionAfter(messages, null), '5');
  assert.is(positionAfter([], '4'), '4');
});

test.run();
