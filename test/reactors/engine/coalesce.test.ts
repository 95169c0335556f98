import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { coalesce } from '../../../reactors/engine/coalesce.ts';
import { eventually } from '../../waiting.ts';

const test = suite('the coalescing of concurrent calls');

test('a coalesced operation runs for the first call, and once more for all calls made during that run', async () => {
  const ends: (() => void)[] = [];
  let made = 0;
  const ask = coalesce(async () => {
    const number = ++made;
    await new Promise<void>((resolve) => ends.push(resolve));
    return number;
  });
  const first = ask();
  const others = [ask(), ask(), ask()];
  assert.is(made, 1);
  ends.shift()?.();
  assert.is(await first, 1);
  await eventually(() => ends.length > 0);
  ends.shift()?.();
  assert.equal(await Promise.all(others), [2, 2, 2]);
  assert.is(made, 2);
});

test('a failure of a coalesced operation rejects the calls made before the failure, and later calls run the operation again', async () => {
  let fails = true;
  const ask = coalesce(async () => {
    if (fails) throw new Error('no');
    return 'yes';
  });
  const failing = ask().then(
    () => 'no failure',
    () => 'failed',
  );
  const next = ask();
  fails = false;
  assert.is(await failing, 'failed');
  assert.is(await next, 'yes');
});

test.run();
