// Own process: this file restarts itself in a network namespace.
import { execFileSync } from 'node:child_process';
import { suite } from 'uvu';
import { createPing } from '../../../probes/icmp/ping.ts';
import { createRunIcmp } from '../../../probes/icmp/run.ts';
import { runTool } from '../../../probes/engine/tool.ts';
import { isInstalled, testWith } from '../../deploy/project.ts';
import { runInOwnNetwork } from '../../own-network.ts';
import { handles, manyEndedEarly, manyTimes, noMoreThan } from '../handles.ts';
import type { TestRunOptions } from '../run-context.ts';
import { probe } from './probing.ts';

const leaks = suite('open handles after icmp checks');

const isInside = (await isInstalled('fping', '-v')) && (await isInstalled('ip', '-V')) && runInOwnNetwork();
const test = testWith(leaks, isInside);

leaks.before(() => {
  if (!isInside) return;
  execFileSync('ip', ['route', 'add', 'unreachable', '10.97.0.0/16']);
  // These addresses are unused, so they never reply.
  execFileSync('ip', ['route', 'add', '10.98.0.0/16', 'dev', 'lo']);
});

const quick: TestRunOptions = { parameters: { probe_count: 2, probe_interval: 0.01, probe_timeout: 0.1 } };
let last = 0;
/** Returns an address that no other run uses. */
const silent = (): string => {
  last++;
  return `10.98.${last >> 8}.${last & 255}`;
};

for (const [name, host, given] of [
  ['that reply', () => '127.0.0.1', quick],
  ['that do not reply', silent, quick],
  ['that have no route', () => '10.97.0.1', quick],
  ['whose names do not exist', () => 'nowhere.test', quick],
  ['that the policy refuses', () => '169.254.169.254', quick],
  [
    'whose look-up takes too long',
    () => 'slow.test',
    { resolve: () => new Promise<never>(() => undefined), timeout: 0.02 },
  ],
  ['that reply too late', silent, { ...quick, timeout: 0.02 }],
] as const) {
  test(`icmp checks of hosts ${name} leave no handles open`, async () => {
    const before = handles();
    await manyTimes(() => probe(host(), given).catch(() => undefined));
    await noMoreThan(before);
  });
}

test('a failing fping leaves no handles open', async () => {
  const before = handles();
  const run = createRunIcmp(createPing((program, _args, options) => runTool(program, ['--no-such-option'], options)));
  await manyTimes(() => probe('127.0.0.1', quick, run).catch(() => undefined));
  await noMoreThan(before);
});

test('aborted icmp checks leave no handles open', async () => {
  const before = handles();
  await manyEndedEarly((signal) => probe(silent(), { signal }));
  await noMoreThan(before);
  // Aborts the runs after their processes have started.
  await manyEndedEarly((signal) => probe(silent(), { signal }), 250);
  await noMoreThan(before);
});

leaks.run();
