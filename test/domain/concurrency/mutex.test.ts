import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createKeyedMutex, createMutex } from '../../../domain/concurrency/mutex.ts';
import { rejects } from '../../rejects.ts';

const mutex = suite('a mutex');

/** Creates a task that ends when the test releases it. */
const blockedTask = () => {
  let release = (): void => undefined;
  const done = new Promise<void>((resolve) => (release = resolve));
  return { done, release };
};
/** Waits until the callbacks of all settled promises have run. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

mutex('a mutex runs tasks one after another in the order of their arrival', async () => {
  const inTurn = createMutex();
  const seen: string[] = [];
  const { done, release } = blockedTask();
  const first = inTurn(async () => {
    await done;
    seen.push('first');
  });
  const second = inTurn(async () => seen.push('second'));
  await settled();
  assert.equal(seen, []);
  release();
  await Promise.all([first, second]);
  assert.equal(seen, ['first', 'second']);
});

mutex('a mutex returns the result of each task, and a failed task does not stop the next', async () => {
  const inTurn = createMutex();
  const failed = inTurn(() => Promise.reject(new Error('too bad')));
  const next = inTurn(async () => 'done');
  await rejects(failed, Error, 'too bad');
  assert.is(await next, 'done');
});

mutex('a mutex does not start a task synchronously within the call that adds the task', () => {
  const inTurn = createMutex();
  let begun = false;
  void inTurn(async () => (begun = true));
  assert.is(begun, false);
});

mutex('a keyed mutex runs tasks of different keys concurrently', async () => {
  const inTurn = createKeyedMutex();
  const seen: string[] = [];
  const { done, release } = blockedTask();
  const one = inTurn('one', async () => {
    await done;
    seen.push('first of one');
  });
  const more = inTurn('one', async () => seen.push('second of one'));
  await inTurn('other', async () => seen.push('other'));
  assert.equal(seen, ['other']);
  release();
  await Promise.all([one, more]);
  assert.equal(seen, ['other', 'first of one', 'second of one']);
});

mutex('a keyed mutex continues after a failed task, even if its key was removed meanwhile', async () => {
  const inTurn = createKeyedMutex();
  await rejects(
    inTurn('one', () => Promise.reject(new Error('too bad'))),
    Error,
    'too bad',
  );
  assert.is(await inTurn('one', async () => 'done'), 'done');
});

mutex.run();
