import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { shareCalls } from '../../../network/dns/txt-look-up.ts';

const test = suite('shared look-ups of TXT records');

/** Returns a shared look-up, and functions with which the test ends the real look-ups. */
const stage = (atOnce: number) => {
  const begun: string[] = [];
  const ends = new Map<string, { resolve: (text: string) => void; reject: (error: Error) => void }>();
  const lookUp = shareCalls(
    (name) =>
      new Promise<string>((resolve, reject) => {
        begun.push(name);
        ends.set(name, { resolve, reject });
      }),
    atOnce,
  );
  return { begun, lookUp, end: (name: string) => ends.get(name) };
};

const aTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('concurrent look-ups of a name share one query, and a later look-up sends a new query', async () => {
  const { begun, lookUp, end } = stage(4);
  const [one, other] = [lookUp('a'), lookUp('a')];
  end('a')?.resolve('first');
  assert.equal([await one, await other, begun], ['first', 'first', ['a']]);
  const again = lookUp('a');
  end('a')?.resolve('second');
  assert.is(await again, 'second');
});

test('look-ups of names over the limit wait in order, even if an earlier one fails', async () => {
  const { begun, lookUp, end } = stage(2);
  const all = ['a', 'b', 'c', 'd'].map((name) => lookUp(name).catch(() => 'failed'));
  await aTurn();
  assert.equal(begun, ['a', 'b']);
  end('a')?.reject(new Error('It failed.'));
  await aTurn();
  assert.equal(begun, ['a', 'b', 'c']);
  for (const name of ['b', 'c']) end(name)?.resolve(name);
  await aTurn();
  end('d')?.resolve('d');
  assert.equal(await Promise.all(all), ['failed', 'b', 'c', 'd']);
  const next = [lookUp('e'), lookUp('f'), lookUp('g')];
  await aTurn();
  assert.equal(begun.slice(4), ['e', 'f']);
  for (const name of ['e', 'f']) end(name)?.resolve(name);
  await aTurn();
  end('g')?.resolve('g');
  assert.equal(await Promise.all(next), ['e', 'f', 'g']);
});

test.run();
