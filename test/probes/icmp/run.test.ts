import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createPing } from '../../../probes/icmp/ping.ts';
import { createRunIcmp } from '../../../probes/icmp/run.ts';
import { LocalFailure } from '../../../network/local-failure.ts';
import { RunAborted } from '../../../probes/engine/check-type.ts';
import { runTool } from '../../../probes/engine/tool.ts';
import { isInstalled, testWith } from '../../deploy/project.ts';
import { rejects } from '../../rejects.ts';
import { verdictOf, ok } from '../run-context.ts';
import { probe } from './probing.ts';

const icmp = suite('running icmp checks');
const test = testWith(icmp, await isInstalled('fping', '-v'));

const quick = { probe_interval: 0.02, probe_timeout: 0.5 };
type Stats = Record<'avg' | 'min' | 'max' | 'stddev', number> & { latencies: number[] };

for (const [address, version] of [
  ['127.0.0.1', 'v4'],
  ['::1', 'v6'],
] as const) {
  test(`an icmp check measures the round-trip time of ${address}`, async () => {
    const outcome = await probe(address, { parameters: { ...quick, probe_count: 5 } });
    assert.equal(verdictOf(outcome), ok);
    const { latency_stats, ...facts } = outcome.check_metadata;
    assert.equal(facts, {
      original_host: address,
      resolved_ip: address,
      ip_version_used: version,
      probe_count: 5,
      probes_sent: 5,
      probe_interval: 0.02,
      probe_timeout: 0.5,
      packet_loss_percent: 0,
    });
    const { avg, min, max, stddev, latencies } = latency_stats as Stats;
    assert.is(latencies.length, 5);
    assert.is(Math.min(...latencies), min);
    assert.is(Math.max(...latencies), max);
    assert.ok(min <= avg && avg <= max && stddev >= 0 && stddev <= max - min);
    assert.is(outcome.response_time, Math.round(avg));
  });
}

test('an icmp check by default sends four requests at intervals of a second', async () => {
  const begun = performance.now();
  const { check_metadata } = await probe('[::1]');
  assert.ok(performance.now() - begun >= 3_000);
  const { probe_count, probes_sent, probe_interval, probe_timeout, original_host } = check_metadata;
  assert.equal([probe_count, probes_sent, probe_interval, probe_timeout], [4, 4, 1, 1]);
  assert.is(original_host, '::1');
});

test('an icmp check sends only as many requests as fit into its timeout, and reports how many', async () => {
  const { status, check_metadata } = await probe('127.0.0.1', {
    timeout: 1.8,
    parameters: { probe_count: 100, probe_interval: 0.5, probe_timeout: 0.1 },
  });
  assert.is(status, 'ok');
  assert.equal([check_metadata['probe_count'], check_metadata['probes_sent']], [100, 3]);
});

const hosts = {
  'both.test': ['::1', '127.0.0.1'],
  'old.test': ['127.0.0.1'],
  'new.test': ['::1'],
  'mapped.test': ['::ffff:127.0.0.1'],
};
for (const [host, ip_version, address] of [
  ['both.test', 'auto', '::1'],
  ['both.test', 'v4', '127.0.0.1'],
  ['both.test', 'v6', '::1'],
  ['old.test', 'auto', '127.0.0.1'],
  ['new.test', 'auto', '::1'],
  ['mapped.test', 'v4', '127.0.0.1'],
] as const) {
  test(`an icmp check of IP version ${ip_version} pings ${address} if ${host} has the addresses ${hosts[host].join(' and ')}`, async () => {
    const parameters = { ...quick, probe_count: 1, ip_version };
    const { status, check_metadata } = await probe(host, { hosts, parameters });
    assert.is(status, 'ok');
    assert.equal([check_metadata['original_host'], check_metadata['resolved_ip']], [host, address]);
  });
}

const nothing = { packet_loss_percent: 100, resolved_ip: null, ip_version_used: null, probes_sent: 0 };
for (const [what, host, given, expected] of [
  ['has no address', 'nowhere.test', {}, ['down', 'lookup', 'The host name nowhere.test was not found.']],
  [
    'has no address of the required IP version',
    'old.test',
    { hosts, parameters: { ip_version: 'v6' } },
    ['down', 'lookup', 'old.test has no IPv6 address.'],
  ],
  [
    'is an address of the other IP version',
    '::1',
    { parameters: { ip_version: 'v4' } },
    ['down', 'lookup', '::1 has no IPv4 address.'],
  ],
  [
    'the policy refuses',
    '169.254.169.254',
    {},
    ['failed', 'target', 'The target policy does not allow 169.254.169.254 (link-local).'],
  ],
  [
    'the policy refuses at the address of the required IP version',
    'both.test',
    { hosts, rules: { policy: 'internal', deny: '::1' }, parameters: { ip_version: 'v6' } },
    ['failed', 'target', 'The target policy does not allow both.test at ::1 (denied).'],
  ],
  [
    'is not looked up in time',
    'slow.test',
    { resolve: () => new Promise<never>(() => undefined), timeout: 0.2 },
    ['down', 'timeout', 'Timed out after 0.2 s looking up slow.test.'],
  ],
] as const) {
  test(`an icmp check of a host that ${what} sends nothing`, async () => {
    const run = createRunIcmp(() => Promise.reject(new Error('It was sent to.')));
    const outcome = await probe(host, given, run);
    const [status, reason, error_message] = expected;
    assert.equal(verdictOf(outcome), { status, reason, error_message });
    const { check_metadata: reported } = outcome;
    assert.equal({ ...reported, ...nothing }, reported);
  });
}

test('an icmp check pings an allowed address if the policy refuses the other addresses', async () => {
  const given = {
    hosts,
    rules: { policy: 'internal', deny: '::1' },
    parameters: { ...quick, probe_count: 1 },
  } as const;
  assert.is((await probe('both.test', given)).check_metadata['resolved_ip'], '127.0.0.1');
});

const unanswered = (address: string): string => `${address} : [0], timed out (NaN avg, 100% loss)\n`;
/** Returns a run with a substitute for fping that has this exit code and output. */
const runWith = (...[first, ...rest]: [code: number, ...output: string[]]) =>
  createRunIcmp(
    createPing(async (_program, _args, { onOutput }) => {
      rest.forEach(onOutput);
      return { code: first, signal: null, stderr: 'fping: some trouble\n' };
    }),
  );

test('a failure of fping is reported as a failure of the runner, not of the target', async () => {
  await rejects(probe('127.0.0.1', {}, runWith(4)), LocalFailure, 'fping ended with code 4 (fping: some trouble).');
  const missing = createRunIcmp(createPing((_program, ...rest) => runTool('no-such-fping', ...rest)));
  await rejects(probe('127.0.0.1', { parameters: quick }, missing), LocalFailure);
});

test('requests that fping does not report count as lost', async () => {
  const { status, check_metadata } = await probe('127.0.0.1', {}, runWith(1, unanswered('127.0.0.1')));
  assert.is(status, 'down');
  assert.equal([check_metadata['probes_sent'], check_metadata['packet_loss_percent']], [4, 100]);
});

test('icmp metadata is far below 32 KiB, whatever replies arrive', async () => {
  const host = `${'ü'.repeat(250)}.test`;
  const run = createRunIcmp(async ({ address }, { count }, { onProbed }) => {
    for (let probe = 0; probe < count; probe++) onProbed({ address, probe, latency: 29_999.123 });
  });
  const given = { hosts: { [host]: ['::1'] }, parameters: { probe_count: 100, probe_interval: 0.001 } };
  const { check_metadata } = await probe(host, given, run);
  assert.is(check_metadata['probes_sent'], 100);
  assert.ok(Buffer.byteLength(JSON.stringify(check_metadata)) < 4_096);
});

test('an icmp check whose fping process does not end in time is evaluated by the requests with known outcomes', async () => {
  const late = (...output: string[]) =>
    createRunIcmp(
      createPing((_program, _args, { signal, onOutput }) => {
        output.forEach(onOutput);
        return new Promise((_, reject) => {
          signal.addEventListener('abort', () => {
            reject(signal.reason as Error);
          });
        });
      }),
    );
  const given = { timeout: 0.2, parameters: { ...quick, probe_timeout: 0.1 } };
  const answered = await probe('127.0.0.1', given, late('127.0.0.1 : [0], 64 bytes, 0.5 ms (0.5 avg, 0% loss)\n'));
  assert.equal([answered.status, answered.check_metadata['probes_sent']], ['ok', 1]);
  assert.is((await probe('127.0.0.1', given, late(unanswered('127.0.0.1')))).status, 'down');
  await rejects(probe('127.0.0.1', given, late()), LocalFailure, 'fping did not run in time.');
});

test('an icmp check ends when its signal aborts', async () => {
  const ending = new AbortController();
  const running = probe('127.0.0.1', { signal: ending.signal });
  setTimeout(() => {
    ending.abort();
  }, 100);
  await rejects(running, RunAborted);
  await rejects(probe('127.0.0.1', { signal: AbortSignal.abort() }), RunAborted);
});

icmp.run();
