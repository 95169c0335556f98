import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createShareWork } from '../../http/shared-work.ts';
import { rejects } from '../rejects.ts';

const test = suite('shared work');

/** Returns work that ends when the test calls `release`, and a record of how often it was started and aborted. */
const heldWork = () => {
  const state = { begun: 0, aborted: false };
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const work = async (signal: AbortSignal): Promise<string> => {
    state.begun += 1;
    signal.addEventListener('abort', () => (state.aborted = true));
    await released;
    signal.throwIfAborted();
    return 'done';
  };
  return { state, work, release };
};
const staying = (): AbortSignal => new AbortController().signal;

test('concurrent callers share one execution of the work, and a caller after the end of this execution starts the work again', async () => {
  const share = createShareWork();
  const { state, work, release } = heldWork();
  const calls = [1, 2, 3].map(() => share('one', staying(), work));
  const other = share('other', staying(), work);
  release();
  assert.equal(await Promise.all([...calls, other]), ['done', 'done', 'done', 'done']);
  assert.is(state.begun, 2);
  await share('one', staying(), work);
  assert.is(state.begun, 3);
});

test('shared work continues while any caller waits for it, and is aborted when no caller waits any more', async () => {
  const share = createShareWork();
  const { state, work, release } = heldWork();
  const [first, second] = [new AbortController(), new AbortController()];
  const leaving = share('one', first.signal, work);
  const staying = share('one', second.signal, work);
  first.abort(new Error('left'));
  await rejects(leaving, Error, 'left');
  assert.is(state.aborted, false);
  second.abort(new Error('left too'));
  await rejects(staying, Error, 'left too');
  assert.is(state.aborted, true);
  // The next caller starts the work again, because aborted work is not shared.
  const again = share('one', new AbortController().signal, work);
  release();
  assert.is(await again, 'done');
  assert.is(state.begun, 2);
});

test('an error of shared work reaches all callers', async () => {
  const share = createShareWork();
  const failing = () => Promise.reject(new Error('too bad'));
  const failures = [1, 2].map(() => share('one', staying(), failing));
  for (const one of failures) await rejects(one, Error, 'too bad');
});

test.run();
