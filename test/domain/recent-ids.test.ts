import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createRecentIds } from '../../domain/recent-ids.ts';

const test = suite('Recent ids');

test('recent IDs recognize an ID until the given number of other IDs has followed', () => {
  const recent = createRecentIds(3);
  const [a, b, c, d] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  assert.equal([a, b, a, c, a].map(recent.add), [true, true, false, true, false]);
  assert.ok(recent.add(d));
  assert.equal([b, c, d].map(recent.add), [false, false, false]);
  assert.ok(recent.add(a));
});

test('recent IDs distinguish IDs that are not UUIDs, and recognize a UUID in any notation', () => {
  const recent = createRecentIds();
  const id = randomUUID();
  assert.equal(['first', 'second', 'first', id, id.toUpperCase()].map(recent.add), [true, true, false, true, false]);
});

test.run();
