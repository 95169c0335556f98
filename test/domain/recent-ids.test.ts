import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createRecentIds } from '../../domain/recent-ids.ts';

const test = suite('Recent ids');

test('know an id that comes again, until as many others have come', () => {
  const recent = createRecentIds(3);
  const [a, b, c, d] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  assert.equal([a, b, a, c, a].map(recent.take), [true, true, false, true, false]);
  assert.ok(recent.take(d));
  assert.equal([b, c, d].map(recent.take), [false, false, false]);
  assert.ok(recent.take(a));
});

test('tell ids apart that are no UUIDs, and take a UUID for the same however it is written', () => {
  const recent = createRecentIds();
  const id = randomUUID();
  assert.equal(['first', 'second', 'first', id, id.toUpperCase()].map(recent.take), [true, true, false, true, false]);
});

test.run();
