import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { positionsFor, withPositions } from '../../../console/screens/groups/order.ts';

const test = suite('the order of groups in the console');

const groupsAt = (...positions: number[]) =>
  positions.map((position, index) => ({ id: 'abcdefgh'[index] ?? '', name: 'abcdefgh'[index] ?? '', position }));

const moved = (positions: number[], id: string, to: number): string => {
  const groups = groupsAt(...positions);
  return withPositions(groups, positionsFor(groups, id, to))
    .map((group) => group.id)
    .join('');
};

test('a group can be moved from any position to any other', () => {
  for (const positions of [
    [1, 2, 3, 4, 5],
    [10, 20, 30, 40, 50],
    [1, 1, 1, 1, 1],
    [1, 2, 2, 7, 7],
    [3, 4, 4, 4, 9],
  ])
    for (let from = 0; from < 5; from++)
      for (let to = 0; to < 5; to++) {
        const letters = ['a', 'b', 'c', 'd', 'e'];
        const [letter = ''] = letters.splice(from, 1);
        letters.splice(to, 0, letter);
        assert.is(moved(positions, letter, to), letters.join(''), `${positions.join()} ${from} ${to}`);
      }
});

test('moving a group changes only the position of this group if there is an unused position between its new neighbours', () => {
  assert.equal(positionsFor(groupsAt(10, 20, 30), 'c', 1), [{ id: 'c', position: 15 }]);
  assert.equal(positionsFor(groupsAt(10, 20, 30), 'a', 2), [{ id: 'a', position: 31 }]);
  assert.equal(positionsFor(groupsAt(1, 2, 3), 'c', 1), [
    { id: 'b', position: 3 },
    { id: 'c', position: 2 },
  ]);
  assert.equal(positionsFor(groupsAt(1, 2, 3), 'b', 1), []);
  assert.equal(positionsFor(groupsAt(1, 2, 3), 'x', 1), []);
});

test.run();
