import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { matchesIfRange, parseRange } from '../../../http/media/range-header.ts';

const test = suite('range requests');

test('a Range header selects a part by its start, its end, or both', () => {
  for (const [header, from, to] of [
    ['bytes=0-0', 0, 0],
    ['bytes=10-19', 10, 19],
    ['bytes=90-', 90, 99],
    ['bytes=-1', 99, 99],
    ['bytes=-1000', 0, 99],
    ['bytes=50-5000', 50, 99],
    [`bytes=0-${'9'.repeat(400)}`, 0, 99],
    ['BYTES= 1-2 ', 1, 2],
  ] as const) {
    assert.equal(parseRange(header, 100), { from, to }, header);
  }
});

test('a Range header outside of the file cannot be satisfied', () => {
  for (const header of ['bytes=100-', 'bytes=100-200', 'bytes=-0', `bytes=${'9'.repeat(400)}-`]) {
    assert.is(parseRange(header, 100), 'unsatisfiable', header);
  }
  for (const header of ['bytes=0-', 'bytes=-1', 'bytes=0-0']) assert.is(parseRange(header, 0), 'unsatisfiable', header);
});

test('an invalid Range header, or one with several ranges, is ignored', () => {
  for (const header of [
    undefined,
    '',
    'bytes',
    'bytes=',
    'bytes=-',
    'bytes=5-1',
    'bytes=a-b',
    'bytes=1-2x',
    'bytes=-1-2',
    'bytes=+1-2',
    'bytes=0x1-2',
    'items=0-1',
    'bytes=0-1,5-6',
    `bytes=${Array.from({ length: 500 }, () => '0-').join(',')}`,
  ]) {
    assert.is(parseRange(header, 100), null, header);
  }
});

test('a range with If-Range applies only if the strong ETag matches', () => {
  const tag = '"abc"';
  assert.ok(matchesIfRange(undefined, tag));
  assert.ok(matchesIfRange('"abc"', tag));
  for (const other of ['"abd"', 'W/"abc"', 'Wed, 21 Oct 2026 07:28:00 GMT', '', '*'])
    assert.not.ok(matchesIfRange(other, tag));
});

test.run();
