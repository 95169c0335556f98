import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { RunAborted, type Run } from '../../../probes/engine/check-type.ts';
import { createPing } from '../../../probes/icmp/ping.ts';
import { byLine, parseEchoResult } from '../../../probes/icmp/fping.ts';
import { createRunIcmp } from '../../../probes/icmp/run.ts';
import { runTool } from '../../../probes/engine/tool.ts';
import { isInstalled, testWith } from '../../deploy/project.ts';
import { rejects } from '../../rejects.ts';
import { probe } from './probing.ts';
import { eventually, realPause } from '../../waiting.ts';

const sharing = suite('concurrent icmp checks');
const test = testWith(sharing, await isInstalled('fping', '-v'));

/**
 * Records the fping processes of some runs: their addresses, how many are running, and how many ran concurrently at
 * most.
 */
const watched = () => {
  const seen: { addresses: string[][]; alive: number; most: number; run: Run } = {
    addresses: [],
    alive: 0,
    most: 0,
    run: createRunIcmp(
      createPing(async (program, args, options) => {
        seen.addresses.push(args.slice(args.indexOf('--') + 1));
        seen.most = Math.max(seen.most, ++seen.alive);
        try {
          return await runTool(program, args, options);
        } finally {
          seen.alive--;
        }
      }),
    ),
  };
  return seen;
};

const quick = { probe_count: 2, probe_interval: 0.2, probe_timeout: 1 };
const addresses = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `127.1.${index >> 8}.${index & 255}`);

test('icmp checks share processes that ping up to a hundred addresses each', async () => {
  const watch = watched();
  const outcomes = await Promise.all(addresses(1_000).map((host) => probe(host, { parameters: quick }, watch.run)));
  for (const { status, error_message, check_metadata } of outcomes) {
    assert.is(status, 'ok', error_message ?? '');
    assert.is(check_metadata['probes_sent'], 2);
  }
  assert.equal(
    outcomes.map(({ check_metadata }) => check_metadata['resolved_ip']),
    addresses(1_000),
  );
  assert.ok(watch.addresses.every(({ length }) => length <= 100));
  // Ten processes suffice, unless a slow machine does not start all runs within the time for which fping collects
  // addresses.
  assert.ok(watch.addresses.length <= 40, watch.addresses.length.toString());
});

test("icmp checks with different counts, intervals, timeouts or versions don't share a process", async () => {
  const watch = watched();
  const others = [{}, { probe_count: 3 }, { probe_interval: 0.1 }, { probe_timeout: 0.9 }, { assertions: {} }];
  const runs = others.map((other) => probe('127.0.0.1', { parameters: { ...quick, ...other } }, watch.run));
  await Promise.all([...runs, probe('::1', { parameters: quick }, watch.run)]);
  assert.equal(watch.addresses.flat().sort(), ['127.0.0.1', '127.0.0.1', '127.0.0.1', '127.0.0.1', '::1']);
});

test('concurrent icmp checks of the same address share their requests', async () => {
  const watch = watched();
  const [one, other] = await Promise.all([1, 2].map(() => probe('127.0.0.1', { parameters: quick }, watch.run)));
  assert.equal(watch.addresses, [['127.0.0.1']]);
  assert.equal(one?.check_metadata, other?.check_metadata);
});

test('an fping process pings no more addresses than its interval permits', async () => {
  const watch = watched();
  const parameters = { ...quick, probe_interval: 0.01 };
  await Promise.all(addresses(12).map((host) => probe(host, { parameters }, watch.run)));
  assert.ok(watch.addresses.every(({ length }) => length <= 5));
  assert.is(watch.addresses.flat().length, 12);
});

test('other icmp checks continue if one is aborted, and the fping process ends when all its checks have ended', async () => {
  const watch = watched();
  const endings = addresses(3).map((host) => ({ host, ending: new AbortController() }));
  const begin = (probe_interval: number) =>
    endings.map(({ host, ending: { signal } }) =>
      probe(host, { parameters: { ...quick, probe_interval }, signal }, watch.run),
    );
  const runs = begin(1);
  await eventually(() => watch.alive > 0);
  endings[0]?.ending.abort();
  await rejects(runs[0] ?? Promise.resolve(), RunAborted);
  assert.is((await runs[1])?.check_metadata['probes_sent'], 2);
  assert.is((await runs[2])?.status, 'ok');

  for (const one of endings) one.ending = new AbortController();
  const all = begin(10);
  await eventually(() => watch.alive > 0);
  for (const { ending } of endings) ending.abort();
  for (const run of all) await rejects(run, RunAborted);
  await eventually(() => watch.alive === 0);
});

test('an address with an unknown zone does not affect other icmp checks', async () => {
  const watch = watched();
  const hosts = ['::1%nowhere', '::1'];
  const [bad, good] = await Promise.all(hosts.map((host) => probe(host, { parameters: quick }, watch.run)));
  assert.equal(watch.addresses, [hosts]);
  assert.equal([bad?.status, good?.status], ['down', 'ok']);
  assert.match(bad?.error_message ?? '', '::1%nowhere answered none of 2 echo requests');
});

test('no fping process starts if all icmp checks are aborted before the process would start', async () => {
  const watch = watched();
  const ending = new AbortController();
  const run = probe('127.0.0.1', { parameters: quick, signal: ending.signal }, watch.run);
  setImmediate(() => {
    ending.abort();
  });
  await rejects(run, RunAborted);
  await realPause(150, 'longer than runs are gathered before a process is started for them');
  assert.is(watch.addresses.length, 0);
});

sharing('the output of fping is parsed no matter where it is cut, and unknown lines are ignored', () => {
  const text =
    '10.0.0.1    : [0], 64 bytes, 0.034 ms (0.034 avg, 0% loss)\n' +
    'fd99::1%eth0 : [12], 64 bytes, 1.2e+03 ms (34 avg, 0% loss)\n' +
    '10.0.0.2    : [1], timed out (NaN avg, 100% loss)\n' +
    '10.0.0.2    : duplicate for [1], 64 bytes, 2.5 ms\n' +
    '10.0.0.3    : xmt/rcv/%loss = 2/2/0%, min/avg/max = 0.03/0.1/0.2\n\n';
  const expected = [
    { address: '10.0.0.1', probe: 0, latency: 0.034 },
    { address: 'fd99::1%eth0', probe: 12, latency: 1_200 },
    { address: '10.0.0.2', probe: 1, latency: null },
  ];
  for (let cut = 0; cut <= text.length; cut++) {
    const lines: string[] = [];
    const read = byLine((line) => lines.push(line));
    read(text.slice(0, cut));
    read(text.slice(cut));
    assert.equal(
      lines.map(parseEchoResult).filter((probed) => probed !== null),
      expected,
    );
  }
});

sharing.run();
