import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { limitedResolve } from '../../network/limited-resolve.ts';
import type { Resolve } from '../../network/resolve.ts';

const test = suite('limiting concurrent look-ups');

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('host name look-ups over the limit wait in order, even if earlier ones fail', async () => {
  const lookedUp: string[] = [];
  const answers = new Map<string, (error?: Error) => void>();
  const resolve: Resolve = (host) => {
    lookedUp.push(host);
    return new Promise((found, fail) => {
      answers.set(host, (error) => {
        if (error) fail(error);
        else found([{ address: '127.0.0.1', family: 4 }]);
      });
    });
  };
  const few = limitedResolve(resolve, 2);
  const all = ['a', 'b', 'c', 'd'].map((host) => few(host).catch((error: unknown) => error));
  await settled();
  assert.equal(lookedUp, ['a', 'b']);
  answers.get('a')?.(new Error('ENOTFOUND'));
  await settled();
  assert.equal(lookedUp, ['a', 'b', 'c']);
  for (const host of ['b', 'c']) answers.get(host)?.();
  await settled();
  assert.equal(lookedUp, ['a', 'b', 'c', 'd']);
  answers.get('d')?.();
  assert.is((await Promise.all(all)).filter((one) => one instanceof Error).length, 1);
});

test('an IP address is resolved without waiting for look-ups', async () => {
  const few = limitedResolve(
    (host) => (host === '::1' ? Promise.resolve([{ address: host, family: 6 }]) : new Promise(() => undefined)),
    1,
  );
  void few('slow');
  assert.equal(await few('::1'), [{ address: '::1', family: 6 }]);
});

test.run();
