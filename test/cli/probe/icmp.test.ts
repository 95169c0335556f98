// Own process: commands add listeners for SIGINT that are never removed.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createProgram } from '../../../cli/program.ts';
import { icmpReport } from '../../../cli/probe/reports/icmp.ts';
import { latencyStats, lossPercent } from '../../../probes/icmp/latency.ts';
import { isInstalled, testWith } from '../../deploy/project.ts';
import { collectLines } from '../../service/lines.ts';

const report = suite('uptrail probe icmp');
const test = testWith(report, await isInstalled('fping', '-v'));

/** Returns a report of one request for each item of `answers`: its latency in milliseconds, or null if it was lost. */
const reportOf = (answers: readonly (number | null)[], changes: object = {}, error_message: string | null = null) => {
  const latency_stats = latencyStats(answers.filter((answer) => answer !== null));
  const metadata = {
    original_host: 'example.com',
    resolved_ip: '192.0.2.1',
    ip_version_used: 'v4',
    probe_count: answers.length,
    probes_sent: answers.length,
    probe_interval: 1,
    probe_timeout: 1,
    packet_loss_percent: lossPercent(answers.length, latency_stats.latencies.length),
    latency_stats,
    ...changes,
  };
  const status = error_message === null ? 'ok' : 'down';
  return icmpReport({ status, reason: null, response_time: null, error_message, check_metadata: metadata });
};

report('uptrail probe icmp shows loss, latencies, and a bar for each reply', () => {
  assert.equal(reportOf([10, 20, null, 80]), [
    'ok',
    'host       example.com (192.0.2.1)',
    'answered   3 of 4, 25 % lost',
    'latency    36.667 ms on average, 10 to 80 ms',
    'deviation  30.912 ms',
    'answers    ▁▂█',
  ]);
  assert.equal(reportOf([0]).slice(-1), ['answers    ▁']);
  const many = reportOf(Array.from({ length: 100 }, () => 5));
  assert.equal(many.slice(-2), [`answers    ${'█'.repeat(50)}`, `           ${'█'.repeat(50)}`]);
});

report('uptrail probe icmp shows how many requests were not sent, and why', () => {
  assert.equal(reportOf([5, 5], { probe_count: 10, resolved_ip: 'example.com' }).slice(1, 4), [
    'host       example.com',
    'sent       2 of 10, as many as fit into the timeout',
    'answered   2 of 2, 0 % lost',
  ]);
  assert.equal(reportOf([], { resolved_ip: null, probe_count: 4 }, 'The host name example.com was not found.'), [
    'down: The host name example.com was not found.',
    'host  example.com',
    'sent  0 of 4',
  ]);
  assert.equal(reportOf([null, null], {}, 'No answer.').slice(2), ['answered  0 of 2, 100 % lost']);
});

/** Runs `uptrail probe icmp …`. */
const uptrailProbe = async (...words: string[]) => {
  const output = collectLines();
  let code = -1;
  const program = createProgram({}, output, (exitCode) => (code = exitCode));
  await program.parseAsync(['node', 'uptrail', 'probe', 'icmp', ...words]);
  return { code, lines: output.lines };
};

test('uptrail probe icmp has options for the parameters of the check', async () => {
  const options = ['--count', '3', '--interval', '0.01', '--probe-timeout', '0.5', '--max-packet-loss', '20'];
  const { code, lines } = await uptrailProbe('127.0.0.1', ...options, '--ip-version', 'v4', '--json');
  assert.is(code, 0);
  const { check_metadata } = JSON.parse(lines[0] ?? '') as { check_metadata: Record<string, unknown> };
  const { probe_count, probes_sent, probe_interval, probe_timeout, ip_version_used } = check_metadata;
  assert.equal([probe_count, probes_sent, probe_interval, probe_timeout, ip_version_used], [3, 3, 0.01, 0.5, 'v4']);
  assert.match((await uptrailProbe('127.0.0.1', ...options)).lines.join('\n'), /^answered +3 of 3, 0 % lost$/m);
});

report.run();
