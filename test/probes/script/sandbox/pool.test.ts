import { PassThrough } from 'node:stream';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { encode } from '../../../../probes/script/frames.ts';
import { createPool, type PoolOptions } from '../../../../probes/script/sandbox/pool.ts';
import type { SandboxEnd } from '../../../../probes/script/sandbox/start/running.ts';
import type { Proxy, StartedTree } from '../../../../probes/script/sandbox/start/sandboxed.ts';
import { fakeClock, settled } from '../../../network/fake-clock.ts';

const pool = suite('the pool of sandboxes');

const proxy: Proxy = { close: () => undefined };

/** A simulated sandbox, controlled by the test. */
interface Fake {
  started: StartedTree<Proxy>;
  /** Reports that the sandbox is ready. */
  warm: () => Promise<void>;
  die: (end?: SandboxEnd) => Promise<void>;
  ended: boolean;
}

const createFake = (): Fake => {
  const control = new PassThrough();
  let onEnd: (end: SandboxEnd) => void = () => undefined;
  const ended = new Promise<SandboxEnd>((resolve) => {
    onEnd = resolve;
  });
  const fake: Fake = {
    ended: false,
    warm: async () => {
      control.write(encode({ type: 'ready', browser: null }));
      await settled();
    },
    die: async (end = { how: 'died', cause: 'it was ended by SIGSEGV' }) => {
      fake.ended = true;
      control.end();
      onEnd(end);
      await settled();
    },
    started: {
      proxy,
      bounded: Promise.resolve(),
      boot: {
        type: 'boot',
        kind: 'multistep',
        proxySocket: '',
        folder: '',
        modules: '',
        chromium: null,
        ffmpeg: null,
        extraCertificates: null,
      },
      running: {
        // Nothing reads from this stream.
        control: Object.assign(control, { write: control.write.bind(control) }),
        stdout: new PassThrough(),
        stderr: new PassThrough(),
        ended,
        end: () => fake.die({ how: 'ended' }),
        forget: () => undefined,
        forgotten: ended.then(() => undefined),
      },
    },
  };
  // This stream returns what is written to it. The boot message is discarded, so that the pool does not read it as a
  // message of the sandbox.
  const write = control.write.bind(control);
  let first = true;
  control.write = ((chunk: Buffer) => {
    if (!first) return write(chunk);
    first = false;
    return true;
  }) as typeof control.write;
  return fake;
};

const opened = (options: Partial<PoolOptions<Proxy>> = {}) => {
  const clock = fakeClock(0);
  const fakes: Fake[] = [];
  const troubles: string[] = [];
  const made = createPool({
    kind: 'multistep',
    warm: 2,
    most: 3,
    clock,
    start: async () => {
      const fake = createFake();
      fakes.push(fake);
      return fake.started;
    },
    cannotStart: (cause) => troubles.push(cause),
    ...options,
  });
  return { clock, fakes, troubles, pool: made };
};

const NEVER = new AbortController().signal;

pool('the pool starts spare sandboxes one at a time', async () => {
  const { fakes, pool: one } = opened();
  await settled();
  assert.is(fakes.length, 1);
  await fakes[0]?.warm();
  assert.is(fakes.length, 2);
  await fakes[1]?.warm();
  assert.is(fakes.length, 2);
  assert.equal(one.state(), { ready: 2, starting: 0, running: 0, waiting: 0, trouble: null });
  await one.stop();
});

pool('the pool gives each sandbox to one run only', async () => {
  const { fakes, clock, pool: one } = opened();
  await settled();
  for (const index of [0, 1]) await fakes[index]?.warm();
  const [first, second] = [await one.take(NEVER), await one.take(NEVER)];
  assert.is.not(first, second);
  await first.end();
  await clock.advance(10_000);
  await settled();
  await fakes[2]?.warm();
  const third = await one.take(NEVER);
  assert.is.not(third, first);
  assert.is.not(third, second);
  await one.stop();
});

pool('the pool delays the start of spare sandboxes briefly after a run has started', async () => {
  const { fakes, clock, pool: one } = opened({ warm: 1, most: 2 });
  await settled();
  await fakes[0]?.warm();
  await one.take(NEVER);
  await settled();
  assert.is(fakes.length, 1);
  await clock.advance(3_000);
  await settled();
  assert.is(fakes.length, 2);
  await one.stop();
});

pool('the pool starts a sandbox immediately for a waiting run, up to the maximum', async () => {
  const { fakes, pool: one } = opened({ warm: 0, most: 2 });
  const taking = [one.take(NEVER), one.take(NEVER), one.take(NEVER)];
  await settled();
  assert.is(fakes.length, 2);
  assert.is(one.state().waiting, 3);
  for (const fake of fakes) await fake.warm();
  const first = await taking[0];
  await taking[1];
  assert.is(fakes.length, 2);
  await first?.end();
  await settled();
  assert.is(fakes.length, 3);
  await fakes[2]?.warm();
  await taking[2];
  await one.stop();
});

pool('the pool replaces a sandbox that has died, and does not give it to a run', async () => {
  const { fakes, pool: one } = opened({ warm: 1, most: 2 });
  await settled();
  await fakes[0]?.warm();
  await fakes[0]?.die();
  await settled();
  assert.is(one.state().ready, 0);
  assert.is(fakes.length, 2);
  await fakes[1]?.warm();
  assert.is(one.state().ready, 1);
  await one.stop();
});

pool('the pool discards sandboxes that were unused for a long time', async () => {
  const { fakes, clock, pool: one } = opened({ warm: 1, most: 1 });
  await settled();
  await fakes[0]?.warm();
  for (let seconds = 0; seconds < 630; seconds += 15) {
    await clock.advance(15_000);
  }
  await settled();
  assert.ok(fakes[0]?.ended);
  assert.is(fakes.length, 2);
  await one.stop();
});

pool('the pool backs off after failures, reports them once, and gives waiting runs the reason', async () => {
  const { fakes, clock, troubles, pool: one } = opened({ warm: 0, most: 1 });
  const taking = one.take(NEVER).then(
    () => 'taken',
    (error: unknown) => (error as Error).message,
  );
  await settled();
  for (const [index, pause] of [100, 400, 1_600].entries()) {
    await fakes[index]?.die({ how: 'memory', limit: 512 });
    await settled();
    await settled();
    assert.is(fakes.length, index + 1);
    await clock.advance(pause);
    await settled();
  }
  assert.match(await taking, /^No sandbox can be started: it held more than 512 MiB of memory\.$/);
  assert.equal(troubles, ['it held more than 512 MiB of memory.']);
  assert.match(one.state().trouble ?? '', /512/);
  await one.stop();
});

pool('the pool ends a sandbox that is not ready in time', async () => {
  const { fakes, clock, troubles, pool: one } = opened({ warm: 1, most: 1 });
  await settled();
  await clock.advance(30_000);
  await settled();
  assert.ok(fakes[0]?.ended);
  assert.match(troubles[0] ?? '', /not ready after 30 s/);
  await one.stop();
});

pool('an aborted run stops waiting for a sandbox of the pool', async () => {
  const { fakes, pool: one } = opened({ warm: 0, most: 1 });
  const going = new AbortController();
  const taking = one.take(going.signal);
  await settled();
  going.abort(new Error('no longer wanted'));
  try {
    await taking;
    assert.unreachable();
  } catch (error) {
    assert.is((error as Error).message, 'no longer wanted');
  }
  // The sandbox that was started for the aborted run is given to the next run.
  await fakes[0]?.warm();
  await one.take(NEVER);
  assert.is(fakes.length, 1);
  await one.stop();
});

pool('stopping the pool ends all sandboxes, including those that are being started', async () => {
  const { fakes, pool: one } = opened({ warm: 2, most: 3 });
  await settled();
  await fakes[0]?.warm();
  await one.stop();
  assert.is(fakes.length, 2);
  for (const fake of fakes) assert.ok(fake.ended);
});

pool.run();
