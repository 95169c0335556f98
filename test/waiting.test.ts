import nodeAssert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { eventually, realPause, within } from './waiting.ts';

const messageOf = async (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'no error',
    (error: unknown) => (error as Error).message,
  );

const waiting = suite('Waiting for a condition');

waiting('eventually returns the first truthy value of its condition', async () => {
  const values = [undefined, null, 0, '', false, 'ready'];
  assert.is(await eventually(() => values.shift()), 'ready');
  assert.equal(values, []);
});

waiting('eventually waits for an asynchronous condition', async () => {
  let calls = 0;
  assert.equal(await eventually(async () => (++calls < 4 ? null : { calls })), { calls: 4 });
});

waiting('eventually evaluates a condition that is true from the beginning only once, without a pause', async () => {
  let evaluations = 0;
  let turns = 0;
  const counting = setImmediate(() => turns++);
  await eventually(() => ++evaluations);
  assert.equal([evaluations, turns], [1, 0]);
  clearImmediate(counting);
});

waiting('eventually retries a condition after a failed assertion', async () => {
  let tries = 0;
  await eventually(() => {
    assert.is(++tries >= 3, true);
    return true;
  });
  await eventually(async () => {
    nodeAssert.equal(++tries >= 6, true);
    return true;
  });
  assert.is(tries, 6);
});

waiting('eventually ends immediately with any other error', async () => {
  let attempts = 0;
  const broken = (): boolean => {
    attempts++;
    throw new TypeError('Not a function.');
  };
  assert.is(await messageOf(eventually(broken)), 'Not a function.');
  assert.is(attempts, 1);
});

waiting('the error of eventually after its time limit names the condition', async () => {
  assert.is(
    await messageOf(eventually(() => false, { within: 20, what: 'the store is open' })),
    'Not within 0.02 s: the store is open',
  );
});

waiting(
  'the error of eventually after its time limit quotes the source code of a condition without a name',
  async () => {
    const list: number[] = [];
    assert.match(await messageOf(eventually(() => list.length > 3, { within: 20 })), /list\.length ?> ?3/);
  },
);

waiting('the error of eventually after its time limit contains the last failed assertion', async () => {
  let failures = 0;
  const error = await eventually(() => nodeAssert.fail(`look ${++failures}`), { within: 20, what: 'no failure' }).catch(
    (failure: unknown) => failure as Error,
  );
  assert.is(error.message, `Not within 0.02 s: no failure\nlook ${failures}`);
  assert.instance(error.cause, nodeAssert.AssertionError);
});

waiting('eventually throws an error after its time limit even if its condition never settles', async () => {
  assert.is(
    await messageOf(eventually(() => new Promise<boolean>(() => undefined), { within: 20, what: 'an answer' })),
    'Not within 0.02 s: an answer',
  );
});

waiting.run();

const limiting = suite('A time limit');

limiting('within returns the value of a promise that resolves in time', async () => {
  assert.is(await within(30_000, Promise.resolve('value'), 'a value'), 'value');
});

limiting('within throws the error of a promise that rejects in time', async () => {
  assert.is(await messageOf(within(30_000, Promise.reject(new Error('Refused.')), 'a value')), 'Refused.');
});

limiting('within throws an error that names what did not happen in time', async () => {
  assert.is(
    await messageOf(within(20, new Promise(() => undefined), 'the connection is closed')),
    'Not within 0.02 s: the connection is closed',
  );
});

limiting('within ignores a rejection that comes after the time limit', async () => {
  const events = new EventEmitter();
  const late = once(events, 'never');
  assert.is(await messageOf(within(5, late, 'an answer')), 'Not within 0.005 s: an answer');
  events.emit('error', new Error('Too late.'));
  await new Promise(setImmediate);
});

limiting.run();

const pausing = suite('A real pause');

pausing('a real pause takes at least the requested time', async () => {
  const began = performance.now();
  await realPause(20, 'this is the specification of the pause');
  // Timers of Node.js may fire up to a millisecond early.
  assert.ok(performance.now() - began >= 19);
});

pausing.run();
