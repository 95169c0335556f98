import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createRunCache } from '../../../probes/engine/run-cache.ts';
import { createRemoteMemory, type RemoteMemory } from '../../../runners/processes/remote-memory.ts';
import { serveMemory, type MemoryService } from '../../../runners/processes/serve-memory.ts';
import { fakeClock, settled } from '../../network/fake-clock.ts';

const never = new AbortController().signal;

const stage = () => {
  const clock = fakeClock(0);
  const memory = createRunCache(clock, 1_000);
  return { clock, memory };
};

/** Creates a cache as `stage` does, and accesses the cache as a probe process does: all messages pass through JSON. */
const stageRemote = () => {
  const { clock, memory: own } = stage();
  const through = <T>(message: T): T => JSON.parse(JSON.stringify(message)) as T;
  const service: MemoryService = serveMemory(own, (answer) => {
    memory.receive(through(answer));
  });
  const memory: RemoteMemory = createRemoteMemory((requested) => {
    service.receive(through(requested));
  });
  return { clock, memory, service, own };
};

for (const [name, make] of [
  ['the memory of a runner', stage],
  ['the memory of a runner, from a probe process', stageRemote],
] as const) {
  const test = suite(name);

  test('the cache keeps a value until it expires', async () => {
    const { clock, memory } = make();
    assert.is(await memory.get('a'), undefined);
    memory.set('a', { b: [1, null] }, 60);
    await clock.advance(59_999);
    assert.equal(await memory.get('a'), { b: [1, null] });
    await clock.advance(1);
    assert.is(await memory.get('a'), undefined);
  });

  test('the cache evicts the least recently used entry, and refuses a value that is larger than the whole cache', async () => {
    const { memory } = make();
    const large = 'x'.repeat(400);
    memory.set('a', large, 60);
    memory.set('b', large, 60);
    assert.is(await memory.get('a'), large);
    memory.set('c', large, 60);
    assert.equal([await memory.get('a'), await memory.get('b'), await memory.get('c')], [large, undefined, large]);
    memory.set('d', 'x'.repeat(2_000), 60);
    assert.is(await memory.get('d'), undefined);
  });

  test('slots are granted in order with a pause between them, and each key has its own queue', async () => {
    const { clock, memory } = make();
    const taken: string[] = [];
    const take = (key: string, who: string): void => {
      void memory.waitForSlot(key, 1_000, never).then(() => taken.push(who));
    };
    for (const who of ['first', 'second', 'third']) take('com', who);
    take('org', 'other');
    await settled();
    assert.equal(taken, ['first', 'other']);
    await clock.advance(1_000);
    assert.equal(taken, ['first', 'other', 'second']);
    await clock.advance(5_000);
    assert.equal(taken, ['first', 'other', 'second', 'third']);
    take('com', 'fourth');
    await settled();
    assert.is(taken.at(-1), 'fourth');
  });

  test('waiting callers that are aborted get no slot', async () => {
    const { clock, memory } = make();
    await memory.waitForSlot('com', 1_000, never);
    const leaving = new AbortController();
    const left = memory.waitForSlot('com', 1_000, leaving.signal).catch((error: unknown) => error);
    let taken = false;
    void memory.waitForSlot('com', 1_000, never).then(() => (taken = true));
    leaving.abort(new Error('enough'));
    assert.is(((await left) as Error).message, 'enough');
    await clock.advance(1_000);
    assert.ok(taken);
    const late = await memory.waitForSlot('com', 1_000, leaving.signal).catch((error: unknown) => error);
    assert.is((late as Error).message, 'enough');
  });

  test.run();
}

const gone = suite('the slots of a probe process that has ended');

gone('a probe process that has ended gets no slot', async () => {
  const { clock, memory, own, service } = stageRemote();
  await own.waitForSlot('com', 1_000, never);
  void memory.waitForSlot('com', 1_000, never);
  service.end();
  let taken = false;
  void own.waitForSlot('com', 1_000, never).then(() => (taken = true));
  await clock.advance(1_000);
  assert.ok(taken);
});

gone.run();
