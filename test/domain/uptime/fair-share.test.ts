import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fairShareOf, type SharingList } from '../../../domain/uptime/fair-share.ts';

const test = suite('the fair share of lists in a limit');

const once = (...counts: number[]): SharingList[] => counts.map((count) => ({ count, times: 1 }));

test('lists that fit into the limit are not truncated', () => {
  assert.is(fairShareOf(once(4, 6), 10), Number.POSITIVE_INFINITY);
  assert.is(fairShareOf([], 10), Number.POSITIVE_INFINITY);
});

test('longer lists share what shorter lists leave', () => {
  assert.is(fairShareOf(once(100, 1, 100), 11), 5);
  assert.is(fairShareOf(once(100, 100, 100), 10), 3);
  assert.is(fairShareOf(once(5, 5, 5), 2), 0);
});

test('each use of a list counts towards the limit', () => {
  assert.is(fairShareOf([{ count: 10, times: 3 }, ...once(2)], 14), 4);
});

test('the share of random lists is the largest that keeps the limit', () => {
  let seed = 11;
  const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
  for (let round = 0; round < 300; round++) {
    const lists = Array.from({ length: 1 + random(6) }, () => ({ count: random(30), times: 1 + random(3) }));
    const limit = random(120);
    const total = (share: number): number =>
      lists.reduce((sum, { count, times }) => sum + times * Math.min(count, share), 0);
    const share = fairShareOf(lists, limit);
    assert.ok(total(share) <= limit);
    assert.ok(share === Number.POSITIVE_INFINITY || total(share + 1) > limit);
  }
});

test.run();
