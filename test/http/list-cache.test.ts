import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createListCache } from '../../http/list-cache.ts';
import { rejects } from '../rejects.ts';

const test = suite('cached lists');

const counted = (length = 1) => {
  const state = { made: 0 };
  const work = async (): Promise<number[]> => {
    state.made += 1;
    return new Array<number>(length).fill(state.made);
  };
  return { state, work };
};

test('a cached list is computed once per version, also for concurrent callers', async () => {
  const remember = createListCache();
  const { state, work } = counted();
  const lists = await Promise.all([remember('a', '1', work), remember('a', '1', work)]);
  assert.equal(lists, [[1], [1]]);
  assert.equal(await remember('a', '1', work), [1]);
  assert.equal(await remember('a', '2', work), [2]);
  assert.equal(await remember('b', '2', work), [3]);
  assert.is(state.made, 3);
});

test('a list whose computation failed is not cached', async () => {
  const remember = createListCache();
  await rejects(
    remember('a', '1', async () => Promise.reject(new RangeError('Not now.'))),
    RangeError,
  );
  assert.equal(await remember('a', '1', counted().work), [1]);
});

test('cached lists are evicted if they exceed the total size, and a single list that is too large is not cached', async () => {
  const remember = createListCache(10);
  const long = counted(20);
  await remember('long', '1', long.work);
  await remember('long', '1', long.work);
  assert.is(long.state.made, 2);
  const [first, second] = [counted(6), counted(6)];
  await remember('first', '1', first.work);
  await remember('second', '1', second.work);
  await remember('second', '1', second.work);
  await remember('first', '1', first.work);
  assert.equal([first.state.made, second.state.made], [2, 1]);
});

test.run();
