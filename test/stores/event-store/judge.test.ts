import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { judge, type StreamAsMet } from '../../../stores/event-store/judge.ts';

const STORED = ['a', 'b', 'c'];

const stream: StreamAsMet = {
  current: STORED.length - 1,
  idAt: (revision) => STORED[revision],
  recent: (id) => (STORED.includes(id) ? STORED.indexOf(id) : undefined),
};

const judged = (...ids: string[]) => judge({ events: ids.map((id) => ({ id })), expected: 'any' }, stream);

const test = suite('an append that expects any revision');

test('is stored when none of its events is', () => {
  assert.is(judged('d', 'e'), 'append');
});

test('is the first one again when its events stand as it has them', () => {
  assert.equal(judged('b', 'c'), { repeats: 1 });
});

test('is a conflict when some of its events stand, wherever they come in it', () => {
  for (const ids of [
    ['a', 'd'],
    ['d', 'a'],
    ['d', 'c', 'e'],
    ['c', 'b'],
    ['c', 'd'],
  ]) {
    assert.is(judged(...ids), 'conflict', ids.join(' '));
  }
});

test.run();
