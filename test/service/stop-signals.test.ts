import { EventEmitter } from 'node:events';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { stopSignal } from '../../service/stop-signals.ts';

const test = suite('signals that stop the service');

const begin = () => {
  const source = new EventEmitter();
  const world = { now: 1_000, ends: 0 };
  const first = stopSignal({
    source,
    now: () => world.now,
    end: () => {
      world.ends++;
    },
  });
  const after = (milliseconds: number, signal: NodeJS.Signals): void => {
    world.now += milliseconds;
    source.emit(signal);
  };
  return { first, world, after };
};

for (const signal of ['SIGTERM', 'SIGINT'] as const)
  test(`${signal} stops the service, and a second one ends it immediately`, async () => {
    const { first, world, after } = begin();
    after(0, signal);
    assert.is(await first, signal);
    assert.is(world.ends, 0);
    after(501, 'SIGINT');
    assert.is(world.ends, 1);
  });

test('a single Ctrl-C counts once although both the terminal and npm send a signal', async () => {
  const { first, world, after } = begin();
  after(0, 'SIGINT');
  after(1, 'SIGINT');
  after(499, 'SIGINT');
  assert.is(await first, 'SIGINT');
  assert.is(world.ends, 0);
  after(1, 'SIGINT');
  assert.is(world.ends, 1);
});

test.run();
