/**
 * The part of the benchmark of remote runners that runs in a network namespace. The service runs in the same namespace,
 * behind nginx with TLS. Each runner is in another namespace, at the end of a link with delay and loss (links.py).
 * Prints its rows as JSON.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { nextSlot } from '../../runners/scheduler/slots.ts';
import { compiled, inProject, PROJECT } from '../../test/project.ts';
import { createAuthority } from '../../test/probes/web/certificates.ts';
import { startProgram, type Program } from '../tools/program.ts';
import { sizeOf } from '../tools/sizes.ts';
import { median, percentile, type Row } from '../tools/table.ts';
import { childrenOf, usageOf } from '../tools/usage.ts';
import { openHost, type FarHost } from '../../test/e2e/far-network.ts';
import { createNginx } from '../../test/e2e/nginx.ts';

const CHECKS = sizeOf('REMOTE_CHECKS', 10_000);
const SECONDS = sizeOf('REMOTE_SECONDS', 120);
const ROUNDS = sizeOf('REMOTE_ROUNDS', 50);
const INTERVAL = 60;
const AT_ONCE = 16;
const REGIONS = ['eu-west1', 'in-mum1', 'za-jnb1', 'br-sao1', 'cn-hk1'] as const;
const LOCAL = 'ru-msk1';
const PORT = 8_443;

const startThere = (
  { commandPrefix }: Pick<FarHost, 'commandPrefix'>,
  words: readonly string[],
  environment: Record<string, string> = {},
): ChildProcess => {
  const [program = '', ...more] = [...commandPrefix, ...words];
  return spawn(program, more, {
    cwd: PROJECT,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], NODE_ENV: 'production', ...environment },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
};

/** Returns the next line that a program prints. */
const lineOf = async (child: ChildProcess): Promise<string> => {
  const known = lines.get(child) ?? createInterface({ input: child.stdout as Readable }).on('error', () => undefined);
  lines.set(child, known);
  const [line] = (await once(known, 'line')) as [string];
  return line;
};
const lines = new WeakMap<ChildProcess, Interface>();

const asking =
  ({ address, key }: Program) =>
  async (method: string, path: string, body?: object): Promise<Record<string, unknown>> => {
    const response = await fetch(`${address}${path}`, {
      method,
      headers: { authorization: key, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const value = (await response.json()) as Record<string, unknown>;
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(value)}`);
    return value;
  };
type Ask = ReturnType<typeof asking>;

/** Requests a run, and returns the milliseconds until its result can be read. */
const runOf = async (ask: Ask, region: string, url: string): Promise<number> => {
  const began = performance.now();
  const body = { name: 'One', type: 'web', url, parameters: { regions: [region] } };
  const { job_id } = await ask('POST', '/v1/checks/execute', body);
  for (;;) {
    const { status } = await ask('GET', `/v1/checks/jobs/${String(job_id)}`);
    if (status === 'completed') return performance.now() - began;
    if (status === 'failed') throw new Error('A run has failed.');
    await sleep(5);
  }
};

const createChecks = async (ask: Ask, url: string): Promise<string[]> => {
  const ids: string[] = [];
  let next = 0;
  const create = async (): Promise<void> => {
    while (next < CHECKS) {
      const index = next++;
      const regions = [REGIONS[index % REGIONS.length]];
      const { id } = await ask('POST', '/v1/checks', {
        name: `Check ${index}`,
        type: 'web',
        interval: INTERVAL,
        timeout: 10,
        url: `${url}${index}`,
        parameters: { regions },
      });
      ids[index] = String(id);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, create));
  return ids;
};

const ms = (value: number): string => `${Math.round(value).toLocaleString('en')} ms`;
const mebibytes = (bytes: number): string => `${Math.round(bytes / 1_048_576)} MiB`;

const measure = async (): Promise<Row[]> => {
  const authority = createAuthority();
  const program = await startProgram({ LOG_LEVEL: 'warn' });
  const ask = asking(program);
  const hosts = await Promise.all(Array.from({ length: REGIONS.length + 1 }, openHost));
  const stops: (() => unknown)[] = hosts.map(({ close }) => close);
  try {
    const addressOf = (index: number, end: 1 | 2): string => `10.77.${index}.${end}`;
    const links = hosts.map(({ pid }, index) => ({
      near: addressOf(index, 1),
      far: addressOf(index, 2),
      pid,
      // The last link is for single runs: 50 ms round trip, without loss.
      ...(index === REGIONS.length ? { delay: 0.025, loss: 0 } : { delay: 0.04, loss: 0.01 }),
    }));
    const relay = startThere({ commandPrefix: [] }, [
      'python3',
      join(PROJECT, 'bench/remote/links.py'),
      JSON.stringify(links),
    ]);
    stops.push(() => relay.kill('SIGKILL'));
    await lineOf(relay);
    const folder = dirname(authority.file('root.crt'));
    authority.make('service', { names: links.map(({ near }) => `IP:${near}`).join(',') });
    const proxy = createNginx(folder, [
      {
        port: PORT,
        addresses: links.map(({ near }) => near),
        certificate: { cert: authority.file('service.crt'), key: authority.file('service.key') },
        proxyTo: Number(new URL(program.address).port),
      },
    ]);
    await proxy.start();
    stops.push(proxy.stop);

    const targets: string[] = [];
    const logs: ChildProcess[] = [];
    const runners: ChildProcess[] = [];
    for (const [index, host] of hosts.entries()) {
      const target = startThere(host, [process.execPath, compiled('bench/remote/target.ts')]);
      stops.push(() => target.kill('SIGKILL'));
      targets.push((await lineOf(target)).trim());
      logs.push(target);
      const region = REGIONS[index];
      const { token } = await ask('POST', '/v1/runners', {
        name: `Runner ${index}`,
        ...(region && { region }),
      });
      const words = [inProject('dist/cli/uptrail.cjs'), 'run', '--server', `https://${addressOf(index, 1)}:${PORT}`];
      const runner = startThere(host, [process.execPath, ...words, '--ca-file', authority.file('root.crt')], {
        UPTRAIL_RUNNER_TOKEN: String(token),
        DATA_DIR: join(folder, `runner-${index}`),
        LOG_LEVEL: 'warn',
      });
      stops.push(() => runner.kill('SIGKILL'));
      runners.push(runner);
    }
    const connected = async (): Promise<{ state: string; region: string }[]> =>
      ((await ask('GET', '/v1/runners')) as unknown as { runners: { state: string; region: string }[] }).runners;
    while (!(await connected()).every(({ state }) => state === 'connected')) await sleep(200);
    const far = (await connected()).find(({ region }) => region.startsWith('private-'))?.region ?? '';

    await sleep(5_000);
    const idleBefore = runners.map(({ pid = 0 }) => usageOf(pid).cpu);
    await sleep(20_000);
    const idle = runners.map(({ pid = 0 }, index) => (usageOf(pid).cpu - (idleBefore[index] ?? 0)) / 20);
    const memory = runners.map(({ pid = 0 }) => usageOf(pid).memory);

    const local: number[] = [];
    const remote: number[] = [];
    const near = startThere({ commandPrefix: [] }, [process.execPath, compiled('bench/remote/target.ts')]);
    stops.push(() => near.kill('SIGKILL'));
    const nearUrl = `http://127.0.0.1:${(await lineOf(near)).trim()}/`;
    const farUrl = `http://127.0.0.1:${targets[REGIONS.length] ?? ''}/`;
    for (let round = 0; round < ROUNDS; round++) {
      local.push(await runOf(ask, LOCAL, nearUrl));
      remote.push(await runOf(ask, far, farUrl));
    }

    // All targets listen on the same port, each on the loopback interface of its runner's namespace.
    const ids = await createChecks(ask, `http://127.0.0.1:${targets[0] ?? ''}/`);
    await sleep(2 * INTERVAL * 1_000);
    const all = [program.pid, ...childrenOf(program.pid)];
    const before = usageOf(program.pid).cpu;
    for (const log of logs) log.kill('SIGUSR2');
    const began = Date.now();
    await sleep(SECONDS * 1_000);
    const share = (usageOf(program.pid).cpu - before) / ((Date.now() - began) / 1_000);
    const lateness: number[] = [];
    const counts = new Map<number, number>();
    for (const log of logs.slice(0, REGIONS.length)) {
      log.stdin?.write('dump\n');
      const { arrivals } = JSON.parse(await lineOf(log)) as { arrivals: [number, number][] };
      for (const [index, at] of arrivals) {
        const slot = nextSlot(ids[index] ?? '', INTERVAL, at) - INTERVAL * 1_000;
        lateness.push(at - slot);
        counts.set(index, (counts.get(index) ?? 0) + 1);
      }
    }
    const metrics = await (
      await fetch(`${program.address}/metrics`, { headers: { authorization: program.key } })
    ).text();
    const repeated = /check_result_repeats_total\{outcome="stored"\} (\d+)/.exec(metrics)?.[1] ?? '0';
    const expected = (CHECKS * SECONDS) / INTERVAL;
    return [
      {
        what: 'a run on demand of a remote runner, 50 ms away, until its result can be read',
        figure: ms(median(remote)),
        peer: `${ms(median(local))} with the built-in runner`,
        aim: '≤ 150 ms more',
      },
      {
        what: `${CHECKS.toLocaleString('en')} checks of ${INTERVAL} s over five remote runners, 80 ms away, 1 % loss: lateness p99`,
        figure: ms(percentile(lateness, 0.99)),
        peer: `median ${ms(median(lateness))}`,
        aim: '< 500 ms',
      },
      {
        what: 'the same: runs that reached their targets',
        figure: `${lateness.length.toLocaleString('en')} of ${expected.toLocaleString('en')}`,
        peer: `${repeated} results stored twice`,
      },
      {
        what: 'the same: the service without its probe processes',
        figure: `${(share * 100).toFixed(1)} % of a core`,
        peer: `${all.length} processes`,
        aim: '≤ 25 %',
      },
      {
        what: 'an idle remote runner',
        figure: `${(median(idle) * 100).toFixed(2)} % of a core`,
        peer: `${mebibytes(median(memory))} resident`,
        aim: '< 1 %, < 90 MiB',
      },
    ];
  } finally {
    for (const stop of stops.reverse()) await stop();
    await program.stop();
    authority.close();
  }
};

console.log(`\n${JSON.stringify(await measure())}`);
process.exit(0);
