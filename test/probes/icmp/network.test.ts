// Own process: this file restarts itself in a network namespace.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { testWith } from '../../deploy/project.ts';
import { runInOwnNetwork } from '../../own-network.ts';
import { verdictOf, ok } from '../run-context.ts';
import { probe } from './probing.ts';
import { inProject } from '../../project.ts';

const network = suite('icmp checks over a network');

/** How responder.py responds to pings of each address. */
const BEHAVIOUR = {
  '10.99.0.2': { delay: 50 },
  '10.99.0.3': { lose: 4 },
  '10.99.0.4': { twice: true },
  '10.99.0.5': { backwards: true },
  '10.99.0.6': { unreachable: true },
  '10.99.0.7': { lose: 1 },
  '10.99.0.8': { delay: 900 },
  'fd99::2': { delay: 50 },
  'fd99::3': { lose: 4 },
  'fd99::4': { twice: true },
  'fd99::6': { unreachable: true },
};

const missing = (): string | null => {
  for (const [program, question] of [
    ['fping', '-v'],
    ['python3', '--version'],
    ['ip', '-V'],
  ] as const)
    if (spawnSync(program, [question]).status !== 0) return `${program} is not installed`;
  return existsSync('/dev/net/tun') ? null : '/dev/net/tun is not there';
};
const lacks = missing();
if (lacks !== null) console.log(`skipped: ${lacks}`);
const isInside = lacks === null && runInOwnNetwork();
const test = testWith(network, isInside);

const responder = {
  stop: async (): Promise<void> => undefined,
};
network.before(async () => {
  if (!isInside) return;
  for (const [kind, net] of [
    ['unreachable', '10.97.0.0/16'],
    ['blackhole', '10.96.0.0/16'],
    ['prohibit', '10.95.0.0/16'],
  ] as const)
    execFileSync('ip', ['route', 'add', kind, net]);
  const file = inProject('test/probes/icmp/responder.py');
  const child = spawn('python3', [file, JSON.stringify(BEHAVIOUR)], { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  responder.stop = async () => {
    const ended = once(child, 'exit');
    child.stdin.end();
    await ended;
  };
});
network.after(() => responder.stop());

const quick = { probe_count: 4, probe_interval: 0.1, probe_timeout: 0.5 };
type Metadata = Record<string, unknown> & { latency_stats: { avg: number; min: number; latencies: number[] } };
const ping = async (host: string, parameters: object = {}) => {
  const outcome = await probe(host, { parameters: { ...quick, ...parameters } });
  return { outcome, metadata: outcome.check_metadata as Metadata };
};

for (const address of ['10.99.0.2', 'fd99::2']) {
  test(`an icmp check measures the delay of ${address}`, async () => {
    const { outcome, metadata } = await ping(address);
    assert.equal(verdictOf(outcome), ok);
    assert.is(metadata.latency_stats.latencies.length, 4);
    assert.ok(metadata.latency_stats.min >= 50);
    assert.ok((outcome.response_time ?? 0) >= 50);
  });
}

for (const address of ['10.99.0.3', 'fd99::3']) {
  test(`an icmp check counts the packets that ${address} loses, and applies the limit of lost packets`, async () => {
    const { outcome, metadata } = await ping(address, { assertions: { max_packet_loss: 25 } });
    assert.equal(verdictOf(outcome), ok);
    assert.equal([metadata['packet_loss_percent'], metadata.latency_stats.latencies.length], [25, 3]);
    assert.is((await ping(address)).outcome.status, 'ok');
    const { outcome: bad } = await ping(address, { assertions: { max_packet_loss: 24.9 } });
    assert.equal(verdictOf(bad), {
      status: 'failed',
      reason: 'packet_loss',
      error_message: `${address} answered 3 of 4 echo requests: 25 % were lost, more than the 24.9 % allowed.`,
    });
    assert.is.not(bad.response_time, null);
  });
}

for (const address of ['10.99.0.4', 'fd99::4']) {
  test(`an icmp check counts a duplicate reply from ${address} once`, async () => {
    const { outcome, metadata } = await ping(address);
    assert.equal(verdictOf(outcome), ok);
    assert.equal([metadata['probes_sent'], metadata.latency_stats.latencies.length], [4, 4]);
  });
}

test('an icmp check accepts replies in any order, and reports them in the order of the requests', async () => {
  const { outcome, metadata } = await ping('10.99.0.5');
  assert.equal(verdictOf(outcome), ok);
  const [first = 0, second = 0, third = 0, fourth = 0] = metadata.latency_stats.latencies;
  // In each pair, the reply to the later request arrives just before the reply to the earlier one. So the earlier
  // request has the larger latency.
  assert.ok(second < first && fourth < third, JSON.stringify(metadata));
});

test('an icmp check counts late replies as lost', async () => {
  const { outcome, metadata } = await ping('10.99.0.8');
  assert.is(outcome.status, 'down');
  assert.is(metadata['packet_loss_percent'], 100);
  assert.is((await ping('10.99.0.8', { probe_timeout: 2 })).outcome.status, 'ok');
});

test('an icmp check is down if nothing replies', async () => {
  const { outcome, metadata } = await ping('10.99.0.7');
  assert.equal(verdictOf(outcome), {
    status: 'down',
    reason: 'timeout',
    error_message:
      '10.99.0.7 answered none of 4 echo requests within 0.5 s. It is down, or ICMP is dropped there or on the way.',
  });
  assert.is(outcome.response_time, null);
  assert.equal(metadata, {
    original_host: '10.99.0.7',
    resolved_ip: '10.99.0.7',
    ip_version_used: 'v4',
    probe_count: 4,
    probes_sent: 4,
    probe_interval: 0.1,
    probe_timeout: 0.5,
    packet_loss_percent: 100,
    latency_stats: { avg: null, min: null, max: null, stddev: null, latencies: [] },
  });
  const { outcome: allowed } = await ping('10.99.0.7', { assertions: { max_packet_loss: 100 } });
  assert.is(allowed.status, 'down');
});

test('an icmp check names the router that reports a host unreachable', async () => {
  assert.equal(verdictOf((await ping('10.99.0.6')).outcome), {
    status: 'down',
    reason: 'connect',
    error_message: '10.99.0.6 answered none of 4 echo requests within 0.5 s. 10.99.0.254 says: Host Unreachable.',
  });
  assert.is((await ping('fd99::6')).outcome.status, 'down');
});

for (const [address, sentence] of [
  ['10.97.0.1', 'No route to 10.97.0.1.'],
  ['192.0.2.1', 'No route to 192.0.2.1.'],
  ['2001:db8::1', 'No route to 2001:db8::1.'],
  ['10.96.0.1', "One of the runner\'s routes drops packets to 10.96.0.1."],
  ['10.95.0.1', 'The runner is not permitted to send to 10.95.0.1.'],
] as const) {
  test(`an icmp check sends nothing to ${address}, for which this machine has no route`, async () => {
    const { outcome, metadata } = await ping(address);
    assert.equal(verdictOf(outcome), { status: 'down', reason: 'connect', error_message: sentence });
    assert.equal([metadata['resolved_ip'], metadata['probes_sent']], [address, 0]);
  });
}

for (const [addresses, chosen] of [
  [['2001:db8::1', '10.99.0.2'], '10.99.0.2'],
  [['10.99.0.2', '2001:db8::1', 'fd99::2'], 'fd99::2'],
  [['2001:db8::1'], '2001:db8::1'],
] as const) {
  test(`an icmp check of version auto pings ${chosen} of ${addresses.join(' and ')}, depending on the available routes`, async () => {
    const outcome = await probe('some.test', { hosts: { 'some.test': addresses }, parameters: quick });
    assert.is(outcome.check_metadata['resolved_ip'], chosen);
  });
}

network.run();
