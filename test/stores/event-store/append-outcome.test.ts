import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { decideAppend, type StreamState } from '../../../stores/event-store/append-outcome.ts';

const STORED = ['a', 'b', 'c'];

const stream: StreamState = {
  current: STORED.length - 1,
  idAt: (revision) => STORED[revision],
  recent: (id) => (STORED.includes(id) ? STORED.indexOf(id) : undefined),
};

const outcomeOf = (...ids: string[]) => decideAppend({ events: ids.map((id) => ({ id })), expected: 'any' }, stream);

const test = suite('an append that expects any revision');

test('an append that expects any revision is stored if none of its events is stored', () => {
  assert.is(outcomeOf('d', 'e'), 'append');
});

test('an append that expects any revision counts as repeated if its events are already stored in the same sequence', () => {
  assert.equal(outcomeOf('b', 'c'), { repeats: 1 });
});

test('an append that expects any revision is a conflict if only some of its events are stored, whichever they are', () => {
  for (const ids of [
    ['a', 'd'],
    ['d', 'a'],
    ['d', 'c', 'e'],
    ['c', 'b'],
    ['c', 'd'],
  ]) {
    assert.is(outcomeOf(...ids), 'conflict', ids.join(' '));
  }
});

test.run();
