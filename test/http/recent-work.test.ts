import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createRememberList } from '../../http/recent-work.ts';
import { rejects } from '../rejects.ts';

const test = suite('a list that is remembered');

const counted = (length = 1) => {
  const state = { made: 0 };
  const work = async (): Promise<number[]> => {
    state.made += 1;
    return new Array<number>(length).fill(state.made);
  };
  return { state, work };
};

test('is made once for each version, also for those who ask at the same time', async () => {
  const remember = createRememberList();
  const { state, work } = counted();
  const asked = await Promise.all([remember('a', '1', work), remember('a', '1', work)]);
  assert.equal(asked, [[1], [1]]);
  assert.equal(await remember('a', '1', work), [1]);
  assert.equal(await remember('a', '2', work), [2]);
  assert.equal(await remember('b', '2', work), [3]);
  assert.is(state.made, 3);
});

test('is not remembered when it could not be made', async () => {
  const remember = createRememberList();
  await rejects(
    remember('a', '1', async () => Promise.reject(new RangeError('Not now.'))),
    RangeError,
  );
  assert.equal(await remember('a', '1', counted().work), [1]);
});

test('is forgotten for others when all together are too long, and at once if it is by itself', async () => {
  const remember = createRememberList(10);
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
