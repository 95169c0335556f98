import { ChildProcess } from 'node:child_process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { RunAborted, type Outcome, type RunnableCheck } from '../../../probes/engine/check-type.ts';
import { LocalFailure } from '../../../network/local-failure.ts';
import { systemClock } from '../../../network/clock.ts';
import { launch } from '../../../runners/processes/launch.ts';
import { NOTHING_RESERVED } from '../../network/nothing-reserved.ts';
import { NO_REGISTRIES } from '../../probes/run-context.ts';
import { createProbeProcesses, type ProbeProcessesOptions } from '../../../runners/processes/pool.ts';
import type { ProcessDeath } from '../../../runners/processes/process.ts';
import { KillsItsProcess } from '../../../runners/probes.ts';
import { eventually } from '../../waiting.ts';

const probing = suite('probe processes');

const check = (deed: string, timeout = 10): RunnableCheck => ({
  type: 'web',
  url: `http://127.0.0.1/${deed}`,
  host: null,
  port: null,
  timeout,
  parameters: {},
  secrets: {},
});

const MiB = 1_024 * 1_024;

const stage = (options: Partial<ProbeProcessesOptions> = {}) => {
  const deaths: { death: ProcessDeath; repeated: boolean }[] = [];
  const probes = createProbeProcesses({
    types: ['web'],
    launch: () => launch('./wild-process', import.meta.url, ['A_SECRET']),
    settings: {
      rules: { policy: 'public' },
      reserved: NOTHING_RESERVED,
      trust: ['a certificate'],
      registries: NO_REGISTRIES,
    },
    most: 2,
    clock: systemClock,
    died: (death, repeated) => deaths.push({ death, repeated }),
    ...options,
    // Here processes run from TypeScript, which takes more memory than the bundled program.
    limits: { checkInterval: 50, memory: 400 * MiB, worn: 350 * MiB, ...options.limits },
  });
  const run = (deed: string, { timeout = 10, signal = new AbortController().signal } = {}): Promise<Outcome> =>
    probes.run(check(deed, timeout), { signal, fresh: false, about: `check of ${deed}` });
  const pidOf = async (deed: string): Promise<number> => (await run(deed)).check_metadata['pid'] as number;
  return { probes, deaths, run, pidOf };
};
type Stage = ReturnType<typeof stage>;

const staged = (
  sentence: string,
  act: (given: Stage) => Promise<void>,
  options: Partial<ProbeProcessesOptions> = {},
): void => {
  probing(sentence, async () => {
    const given = stage(options);
    try {
      await act(given);
    } finally {
      await given.probes.stop();
    }
  });
};

const failureOf = (promise: Promise<unknown>): Promise<Error> =>
  promise.then(
    () => {
      throw new Error('It did not fail.');
    },
    (error: unknown) => error as Error,
  );

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

staged(
  'probe processes run a check outside this process, with their own target policy',
  async ({ run, pidOf, probes }) => {
    assert.is.not(await pidOf('well'), process.pid);
    assert.equal((await run('policy')).check_metadata, { refusal: 'loopback', trust: ['a certificate'] });
    assert.equal(probes.state(), { ready: 1, running: 1, restarts: 0, runs: 0, trouble: null });
  },
);

staged(
  'probe processes follow new settings immediately, in current runs and in processes that start later',
  async ({ run, probes }) => {
    await run('well');
    const settings = (address: string) => ({
      rules: { policy: 'public' } as const,
      reserved: { ...NOTHING_RESERVED, reserved: [{ address, port: 443 }] },
      ...{ trust: [], registries: NO_REGISTRIES },
    });
    const under = run('policy-before-and-after');
    await run('well');
    probes.change(settings('8.8.8.8'));
    const { check_metadata } = await under;
    assert.equal(check_metadata, { before: null, after: 'reserved for this service', ports: [443] });
    await failureOf(run('abort'));
    assert.equal((await run('policy')).check_metadata['trust'], []);
  },
);

staged('probe processes do not inherit secrets from the environment', async ({ run }) => {
  process.env['A_SECRET'] = 'hunter2';
  process.env['NO_SECRET'] = 'seen';
  const other = stage();
  try {
    const { check_metadata } = await other.run('environment');
    assert.is(check_metadata['NO_SECRET'], 'seen');
    assert.is(check_metadata['A_SECRET'], undefined);
  } finally {
    delete process.env['A_SECRET'];
    delete process.env['NO_SECRET'];
    await other.probes.stop();
  }
  assert.is((await run('well')).status, 'ok');
});

staged(
  'probe processes grow in number with concurrent runs, up to the limit, and shrink when idle',
  async ({ run, probes }) => {
    await run('well');
    let most = 0;
    // On a busy machine, each of the two additional processes may take more than half a minute to start.
    const end = Date.now() + 180_000;
    while (most < 3 && Date.now() < end) {
      const outcomes = await Promise.all(Array.from({ length: 9 }, () => run('slowly')));
      const pids = new Set(outcomes.map(({ check_metadata }) => check_metadata['pid']));
      most = Math.max(most, pids.size);
      // An idle process may still be ending when the next one starts.
      assert.ok(probes.state().ready <= 3);
    }
    assert.is(most, 3);
    await eventually(() => probes.state().running <= 1);
    assert.is(probes.state().restarts, 0);
  },
  { most: 3, limits: { enough: 2, idle: 1_500 } },
);

for (const [deed, cause] of [
  ['abort', /^it was ended by SIGABRT$/],
  ['throw', /^it ended with code 1$/],
] as const) {
  staged(
    `probe processes repeat the runs of a process that died by "${deed}", except the run that made the process die`,
    async (given) => {
      const { run, deaths, probes } = given;
      await run('well');
      const [guilty, ...others] = await Promise.all([failureOf(run(deed)), run('slowly'), run('slowly')]);
      assert.instance(guilty, KillsItsProcess);
      assert.instance(guilty, LocalFailure);
      assert.equal(
        others.map(({ status }) => status),
        ['ok', 'ok'],
      );
      assert.is(deaths.length, 2);
      assert.equal(
        deaths[0]?.death.runs.map(({ about }) => about),
        [`check of ${deed}`, 'check of slowly', 'check of slowly'],
      );
      assert.match(deaths[0]?.death.cause ?? '', cause);
      assert.equal(
        deaths[1]?.death.runs.map(({ about }) => about),
        [`check of ${deed}`],
      );
      assert.equal(
        deaths.map(({ repeated }) => repeated),
        [true, false],
      );
      assert.is(probes.state().restarts, 2);
      assert.is((await run('well')).status, 'ok');
    },
  );
}

staged('probe processes report what a process had written before it died', async ({ run, deaths }) => {
  await failureOf(run('throw'));
  assert.match(deaths[0]?.death.output ?? '', /Nothing expected this/);
});

staged(
  'probe processes are replaced when a run is not done some time after its timeout',
  async ({ run, deaths }) => {
    for (const deed of ['loop', 'never']) {
      const [guilty, other] = await Promise.all([failureOf(run(deed, { timeout: 0.2 })), run('slowly')]);
      assert.instance(guilty, KillsItsProcess);
      assert.is(other.status, 'ok');
    }
    assert.match(deaths[0]?.death.cause ?? '', /^a run was not done 1 s after its timeout$/);
  },
  { most: 1, limits: { patience: 1_000 } },
);

staged(
  'probe processes are not replaced for a run that may take longer than its timeout',
  async ({ probes, deaths }) => {
    const scan: RunnableCheck = { ...check('slowly', 0.01), type: 'portscan', parameters: { host_timeout: '5m' } };
    const { status } = await probes.run(scan, { signal: new AbortController().signal, fresh: false, about: 'scan' });
    assert.is(status, 'ok');
    assert.equal(deaths, []);
  },
  { types: ['portscan'], most: 1, limits: { patience: 50 } },
);

staged('probe processes are replaced when they use too much memory', async ({ run, deaths }) => {
  const [guilty, other] = await Promise.all([failureOf(run('gigabyte')), run('slowly')]);
  assert.instance(guilty, KillsItsProcess);
  assert.match(guilty.message, /it used \d+ MiB of memory/);
  assert.match(deaths[0]?.death.cause ?? '', /^it used \d+ MiB of memory$/);
  assert.is(other.status, 'ok');
});

staged(
  'probe processes that have grown are replaced without losing a run',
  async ({ pidOf, deaths, probes }) => {
    const first = await pidOf('well');
    await Promise.all(Array.from({ length: 4 }, () => pidOf('slowly')));
    let last = first;
    while (last === first) last = await pidOf('well');
    assert.equal(deaths, []);
    await eventually(() => !isAlive(first));
    assert.is(probes.state().restarts, 0);
  },
  { most: 1, limits: { worn: 1 } },
);

staged(
  'probe processes report a problem of the runner itself as such, not as a failure of the target',
  async ({ run, deaths }) => {
    const error = await failureOf(run('trouble'));
    assert.instance(error, LocalFailure);
    assert.not.instance(error, KillsItsProcess);
    assert.is(error.message, 'The runner has no more sockets.');
    assert.equal(deaths, []);
  },
);

staged('probe processes end a run that is no longer wanted', async ({ run, probes }) => {
  const controller = new AbortController();
  const ended = failureOf(run('wait', { signal: controller.signal }));
  await eventually(() => probes.state().runs > 0);
  controller.abort();
  assert.instance(await ended, RunAborted);
  await eventually(() => probes.state().runs === 0);
  assert.instance(await failureOf(run('well', { signal: controller.signal })), RunAborted);
});

staged(
  'probe processes do not repeat a run that was ended before its process died',
  async ({ run, deaths, probes }) => {
    const controller = new AbortController();
    const ended = failureOf(run('never', { signal: controller.signal }));
    await eventually(() => probes.state().runs > 0);
    controller.abort();
    await ended;
    await failureOf(run('abort'));
    assert.is(deaths.length, 2);
    assert.is(deaths[1]?.death.runs.length, 1);
  },
);

probing('probe processes stop immediately, whatever they are doing', async () => {
  const { probes, run, pidOf, deaths } = stage();
  const pid = await pidOf('well');
  const left = ['loop', 'wait', 'never'].map((deed) => failureOf(run(deed)));
  await probes.stop();
  for (const error of await Promise.all(left)) assert.instance(error, RunAborted);
  assert.not.ok(isAlive(pid));
  assert.equal(deaths, []);
  assert.instance(await failureOf(run('well')), RunAborted);
});

probing('a run fails with the reason when no probe process can be started', async () => {
  const { probes, run } = stage({ launch: () => launch('./no-such-process', import.meta.url) });
  const error = await failureOf(run('well'));
  assert.instance(error, LocalFailure);
  assert.match(error.message, /^No probe process can be started: it ended with code 1\.$/);
  assert.match(probes.state().trouble ?? '', /code 1/);
  await probes.stop();
});

/** Simulates what Node.js returns on `EMFILE`: a process that never existed, has no pipes, and emits the error. */
const neverStarted = (code: string) => (): ChildProcess => {
  const never = new ChildProcess();
  process.nextTick(() => never.emit('error', new Error(`spawn ${code}`)));
  return never;
};

probing('runs fail when the system cannot create another probe process, which is reported only once', async () => {
  let reported = 0;
  const { probes, run, deaths } = stage({ launch: neverStarted('EMFILE'), cannotStart: () => (reported += 1) });
  for (let round = 0; round < 2; round++) {
    const error = await failureOf(run('well'));
    assert.is(error.message, 'No probe process can be started: it could not be started (spawn EMFILE).');
  }
  assert.ok(probes.state().restarts >= 3);
  assert.is(reported, 1);
  assert.equal(deaths, []);
  await probes.stop();
});

probing('runs are executed again after a probe process can be started again', async () => {
  const failures: number[] = [];
  let attempts = 0;
  const { probes, run } = stage({
    launch: () => (++attempts < 3 ? neverStarted('EAGAIN')() : launch('./wild-process', import.meta.url)),
    startedAgain: (count) => failures.push(count),
  });
  assert.is((await run('well')).status, 'ok');
  assert.equal(failures, [2]);
  await probes.stop();
});

probing(
  'runs use the existing probe processes if no other process can be started, and not every run tries to start one',
  async () => {
    let attempts = 0;
    const { probes, run } = stage({
      launch: () => (++attempts > 1 ? neverStarted('EAGAIN')() : launch('./wild-process', import.meta.url)),
      limits: { enough: 1 },
    });
    await run('well');
    for (let round = 0; round < 5; round++) {
      const outcomes = await Promise.all(Array.from({ length: 20 }, () => run('well')));
      for (const { status } of outcomes) assert.is(status, 'ok');
    }
    assert.ok(attempts < 10, attempts.toString());
    assert.is(probes.state().trouble, null);
    await probes.stop();
  },
);

probing('probe processes are replaced if they are not ready in time', async () => {
  const causes: string[] = [];
  let attempts = 0;
  const { probes, run } = stage({
    launch: () => {
      const child = launch('./wild-process', import.meta.url);
      if (++attempts === 1) child.kill('SIGSTOP');
      return child;
    },
    limits: { begin: 15_000 },
    clock: {
      ...systemClock,
      after: (wait, call) => systemClock.after(attempts === 1 ? Math.min(wait, 200) : wait, call),
    },
    cannotStart: ({ cause }) => causes.push(cause),
  });
  assert.is((await run('well')).status, 'ok');
  assert.equal(causes, ['it was not ready after 15 s']);
  await probes.stop();
});

probing(
  'probe processes return the outcome of a run that was aborted in the meantime, so that its files are removed',
  async () => {
    const unwanted: Outcome[] = [];
    const { run, probes } = stage({ discarded: (outcome) => unwanted.push(outcome) });
    try {
      await run('well');
      const controller = new AbortController();
      const ended = failureOf(run('slowly', { signal: controller.signal }));
      controller.abort();
      assert.instance(await ended, RunAborted);
      await run('slowly');
      assert.is(unwanted.length, 1);
    } finally {
      await probes.stop();
    }
  },
);

probing.run();
