import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LocalFailure } from '../../../network/local-failure.ts';
import { PortscanMetadata } from '../../../domain/check/types/portscan.ts';
import { systemClock } from '../../../network/clock.ts';
import { RunAborted } from '../../../probes/engine/check-type.ts';
import { createRunCache } from '../../../probes/engine/run-cache.ts';
import { rejects } from '../../rejects.ts';
import { assertOutcome } from '../fuzz.ts';
import { verdictOf as outcomeOf, ok } from '../run-context.ts';
import { metadataOf, portsOf, probe } from './probing.ts';
import { createStandIn, nmapOutput, report } from './stand-in.ts';
import { eventually } from '../../waiting.ts';

const scan = suite('portscan checks with a substitute for nmap');

const nmap = createStandIn();
scan.after(() => {
  nmap.close();
});

const HOST = '127.0.0.1';
const SSH = 'name="ssh" product="OpenSSH" version="9.2p1" extrainfo="protocol 2.0" method="probed" conf="10"';
const DENIED = 'echo "Couldn\'t open a raw socket. Error: Operation not permitted (1)" >&2; exit 1';

/** Makes nmap find these ports open, with ssh on each of them. */
const finds = (...ports: number[]): void => {
  const states = Object.fromEntries(ports.map((port) => [port, 'open   unknown']));
  nmap.does({
    finding: nmap.file('found', nmapOutput(states)),
    closer: nmap.file('report', report(ports.map((port) => ({ port, service: SSH })))),
  });
};

scan('a portscan first finds open ports, and then detects their services', async () => {
  finds(2_200, 22);
  const outcome = await probe(HOST);
  assertOutcome(outcome, PortscanMetadata);
  assert.equal(outcomeOf(outcome), ok);
  assert.is(outcome.response_time, null);
  const service = { protocol: 'tcp', service: 'ssh', version: '9.2p1', product: 'OpenSSH', extrainfo: 'protocol 2.0' };
  const { execution_time, ...metadata } = metadataOf(outcome);
  assert.ok(execution_time > 0 && execution_time < 60);
  assert.equal(metadata, {
    target: HOST,
    scan_results: [
      {
        ip: HOST,
        hostname: null,
        state: 'up',
        open_ports: [
          { port: 22, ...service },
          { port: 2_200, ...service },
        ],
        os_matches: [],
      },
    ],
    summary: { total_hosts: 1, hosts_up: 1, hosts_down: 0, total_open_ports: 2 },
    vulnerabilities: [],
    notes: [],
  });
  const [first = '', second = '', ...more] = nmap.calls().map((call) => call.replace(/\d+ms/, '…ms'));
  const common = '-n -Pn --disable-arp-ping -sS --privileged -T3 --host-timeout …ms --min-parallelism 100';
  assert.is(first, `${common} -v --top-ports 100 -- ${HOST}`);
  assert.is(second, `${common} -sV -oX - -p 22,2200 -- ${HOST}`);
  assert.equal(more, []);
});

scan('the arguments of nmap contain only validated parameters', async () => {
  finds(53);
  await probe('::1', {
    parameters: { ports: '53,80-90', scan_type: 'udp', timing: 'T4', min_parallelism: 7, max_rtt_timeout: '100ms' },
  });
  await probe(HOST, { parameters: { ports: '53', scan_type: 'connect', timing: 'T1', service_detection: false } });
  const calls = nmap.calls().map((call) => call.replace(/--host-timeout (\d+)ms/, '--host-timeout …ms'));
  const udp = '-n -Pn --disable-arp-ping -sU --privileged -T4 --host-timeout …ms --min-parallelism 7';
  assert.equal(calls, [
    `${udp} --max-rtt-timeout 100ms -6 -v -p 53,80-90 -- ::1`,
    `${udp} --max-rtt-timeout 100ms -6 -sV -oX - -p 53 -- ::1`,
    // With -T1 nmap sends one probe at a time, and would exit if the check requested parallel probes.
    `-n -Pn --disable-arp-ping -sT --unprivileged -T1 --host-timeout …ms -v -p 53 -- ${HOST}`,
  ]);
});

scan('a portscan uses one address of a name, which the policy allows', async () => {
  finds(22);
  const outcome = await probe('shop.test', { hosts: { 'shop.test': ['169.254.169.254', HOST, '::1'] } });
  const { scan_results, notes, target } = metadataOf(outcome);
  assert.is(target, 'shop.test');
  assert.equal([scan_results[0]?.ip, scan_results[0]?.hostname], [HOST, 'shop.test']);
  assert.equal(notes, ['shop.test has 2 addresses; only 127.0.0.1 was scanned.']);
  for (const call of nmap.calls()) assert.ok(call.endsWith(`-- ${HOST}`), call);
});

scan(
  'a portscan has the status failed, not down, if the policy refuses every address or if the name has no address',
  async () => {
    finds(22);
    for (const [host, reason, sentence] of [
      ['169.254.169.254', 'target', 'The target policy does not allow 169.254.169.254 (link-local).'],
      ['nowhere.test', 'lookup', 'The host name nowhere.test was not found.'],
    ] as const) {
      const outcome = await probe(host);
      assertOutcome(outcome, PortscanMetadata);
      assert.equal(outcomeOf(outcome), { status: 'failed', reason, error_message: sentence });
      assert.is(metadataOf(outcome).summary.total_hosts, 0);
    }
    assert.equal(nmap.calls(), []);
  },
);

scan('a portscan fails if the look-up takes all its time', async () => {
  const resolve = () => new Promise<never>(() => undefined);
  const outcome = await probe('shop.test', { resolve, parameters: { host_timeout: '1s' } });
  const error_message = 'Timed out after 1s looking up shop.test.';
  assert.equal(outcomeOf(outcome), { status: 'failed', reason: 'timeout', error_message });
});

scan(
  'if raw sockets are forbidden, a portscan opens full connections, reports this, and remembers it for later scans',
  async () => {
    const memory = createRunCache(systemClock);
    nmap.does({
      finding: `case "$*" in *-sS*) ${DENIED};; esac; ${nmap.file('found', nmapOutput({ 80: 'open http' }))}`,
      closer: nmap.file('report', report([{ port: 80, service: 'name="http" product="nginx" method="probed"' }])),
    });
    for (const calls of [
      ['-sS', '-sT', '-sT'],
      ['-sT', '-sT'],
    ]) {
      const before = nmap.calls().length;
      const outcome = await probe(HOST, { memory });
      assert.is(outcome.status, 'ok');
      assert.is(portsOf(outcome)[0]?.product, 'nginx');
      assert.equal(metadataOf(outcome).notes, [
        'SYN scans need raw sockets, which this runner may not open, so it made full connections instead.',
      ]);
      assert.equal(
        nmap
          .calls()
          .slice(before)
          .map((call) => /-s[ST]/.exec(call)?.[0]),
        calls,
      );
    }
    // There is no note if the check itself requests the scan type `connect`.
    assert.equal(metadataOf(await probe(HOST, { memory, parameters: { scan_type: 'connect' } })).notes, []);
  },
);

scan('a UDP portscan fails without permission for raw sockets, and names this reason', async () => {
  nmap.does({ finding: DENIED });
  const memory = createRunCache(systemClock);
  for (let times = 0; times < 2; times++) {
    const outcome = await probe(HOST, { memory, parameters: { scan_type: 'udp' } });
    assertOutcome(outcome, PortscanMetadata);
    assert.equal(outcomeOf(outcome), {
      status: 'failed',
      reason: 'rights',
      error_message: 'UDP scans need raw sockets, which this runner may not open: it lacks the capability NET_RAW.',
    });
    // No host is reported, because host discovery is off.
    assert.equal(metadataOf(outcome).scan_results, []);
  }
  assert.is(nmap.calls().length, 1);
});

scan('a portscan without a route fails', async () => {
  nmap.does({
    finding: `echo 'setup_target: failed to determine route to ${HOST}' >&2; echo 'Nmap done: 0 IP addresses (0 hosts up) scanned in 0.01 seconds'`,
  });
  const error_message = `There is no route from this runner to ${HOST}.`;
  assert.equal(outcomeOf(await probe(HOST)), { status: 'failed', reason: 'connect', error_message });
});

scan('a portscan reports that a host is silent', async () => {
  nmap.does({ finding: nmap.file('found', nmapOutput({}, '100 filtered tcp ports (no-response)')) });
  const outcome = await probe(HOST);
  assert.is(outcome.status, 'ok');
  const { scan_results, summary, notes } = metadataOf(outcome);
  assert.is(scan_results[0]?.state, 'down');
  assert.equal(summary, { total_hosts: 1, hosts_up: 0, hosts_down: 1, total_open_ports: 0 });
  assert.equal(notes, ['No port of 127.0.0.1 answered: the host is down, or a firewall drops packets to these ports.']);
});

scan('a portscan parses the port states of nmap before 7.92, which lack the protocol', async () => {
  nmap.does({ finding: nmap.file('found', nmapOutput({}, '97 closed ports, 3 filtered ports')) });
  const { scan_results, notes } = metadataOf(await probe(HOST));
  assert.is(scan_results[0]?.state, 'up');
  assert.equal(notes, []);
});

scan('a portscan retries the expected ports, including those outside the scanned range', async () => {
  nmap.does({
    finding: nmap.file('found', nmapOutput({ 22: 'open   ssh' })),
    closer: nmap.file(
      'report',
      report([
        { port: 22 },
        { port: 80, state: 'closed' },
        { port: 443, state: 'filtered' },
        { port: 8_080, service: 'name="http-proxy" method="table" conf="3"' },
      ]),
    ),
  });
  const parameters = { service_detection: false, assertions: { expected_open_ports: [22, 80, 443, 8_080] } };
  const outcome = await probe(HOST, { parameters });
  assert.equal(outcomeOf(outcome), {
    status: 'failed',
    reason: 'ports',
    error_message: 'Ports 80 (closed) and 443 (filtered: nothing answers, or a firewall refuses) should be open.',
  });
  assert.equal(
    portsOf(outcome).map(({ port }) => port),
    [22, 8_080],
  );
  assert.match(nmap.calls()[1] ?? '', / --min-parallelism 100 -oX - -p 80,443,8080 -- /);
});

scan('a portscan does not report a port as closed if there was no time to scan it', async () => {
  nmap.does({ finding: nmap.file('found', nmapOutput({ 22: 'open   ssh' })), closer: 'exec sleep 100' });
  const parameters = { host_timeout: '1s', assertions: { expected_open_ports: [22, 8_080] } };
  const outcome = await probe(HOST, { parameters });
  assert.equal(outcomeOf(outcome), {
    status: 'failed',
    reason: 'ports',
    error_message:
      'Port 8080 should be open, but was not found open. Not all ports were scanned within 1s: scan fewer, or raise host_timeout.',
  });
  assert.equal(metadataOf(outcome).notes, ['The scan was cut off after 1s, before all ports had been scanned.']);
});

scan('a portscan that runs out of time keeps the open ports, and reports that it is incomplete', async () => {
  const discovered = 'echo "Discovered open port 22/tcp on 127.0.0.1"; exec sleep 100';
  nmap.does({ finding: discovered });
  const cut = await probe(HOST, { parameters: { host_timeout: '1s' } });
  assertOutcome(cut, PortscanMetadata);
  assert.equal(outcomeOf(cut), ok);
  assert.equal(portsOf(cut), [
    { port: 22, protocol: 'tcp', service: null, version: null, product: null, extrainfo: null },
  ]);
  assert.equal(metadataOf(cut).notes, ['The scan was cut off after 1s, before all ports had been scanned.']);
  assert.is(metadataOf(cut).scan_results[0]?.state, 'up');

  nmap.does({ finding: nmap.file('found', nmapOutput({ 22: 'open   ssh' })), closer: 'exec sleep 100' });
  const known = await probe(HOST, { parameters: { host_timeout: '1s' } });
  assert.equal(outcomeOf(known), ok);
  assert.is(portsOf(known)[0]?.service, 'ssh');
  assert.equal(metadataOf(known).notes, [
    'The scan was cut off after 1s: the open ports are known, but not all services on them.',
  ]);
});

scan('a portscan keeps the open ports if nmap stops early, and reports that it is incomplete', async () => {
  const gaveUp = nmapOutput({}, '').replace('PORT ', 'Skipping host 127.0.0.1 due to host timeout\nPORT ');
  nmap.does({ finding: `echo "Discovered open port 22/tcp on 127.0.0.1"; ${nmap.file('found', gaveUp)}` });
  const cut = await probe(HOST);
  assert.equal(metadataOf(cut).notes, ['The scan was cut off after 5m, before all ports had been scanned.']);
  assert.is(portsOf(cut)[0]?.port, 22);
  assert.is(nmap.calls().length, 1);

  const timedOut = report([]).replace('<host ', '<host timedout="true" ');
  nmap.does({ finding: nmap.file('found', nmapOutput({ 22: 'open   ssh' })), closer: nmap.file('report', timedOut) });
  assert.equal(metadataOf(await probe(HOST)).notes, [
    'The scan was cut off after 5m: the open ports are known, but not all services on them.',
  ]);
});

scan(
  'a portscan without enough time for all ports fails with a timeout if its rules concern unscanned ports',
  async () => {
    nmap.does({ finding: 'echo "Discovered open port 22/tcp on 127.0.0.1"; exec sleep 100' });
    const cut = (assertions: object) => probe(HOST, { parameters: { host_timeout: '1s', assertions } });
    const sentence = 'Not all ports were scanned within 1s: scan fewer, or raise host_timeout.';
    const [expected, only, risks, missing] = await Promise.all([
      cut({ expected_open_ports: [22] }),
      cut({ expected_open_ports: [22], only_expected_ports: true }),
      cut({ fail_on_vulnerabilities: true }),
      cut({ expected_open_ports: [22, 80] }),
    ]);
    assert.equal(outcomeOf(expected), ok);
    for (const outcome of [only, risks])
      assert.equal(outcomeOf(outcome), { status: 'failed', reason: 'timeout', error_message: sentence });
    const error_message = `Port 80 should be open, but was not found open. ${sentence}`;
    assert.equal(outcomeOf(missing), { status: 'failed', reason: 'ports', error_message });
  },
);

scan('a failure of nmap before any port is known is a failure of the runner', async () => {
  const failing: [string, string][] = [
    ['kill -SEGV $$', 'nmap was ended by SIGSEGV.'],
    ['kill -KILL $$', 'nmap was ended by SIGKILL.'],
    ['echo "Strange error" >&2; echo "QUITTING!" >&2; exit 1', 'nmap ended with code 1 (Strange error).'],
    ['exit 2', 'nmap ended with code 2 (it did not say why).'],
    ['true', 'nmap ended before its report was complete.'],
    [
      'echo "Nmap done: 0 IP addresses (0 hosts up) scanned in 0.01 seconds"; echo odd >&2',
      'nmap scanned nothing: odd.',
    ],
  ];
  for (const [finding, sentence] of failing) {
    nmap.does({ finding });
    await rejects(probe(HOST), LocalFailure, sentence);
  }
});

scan('a portscan keeps the open ports if nmap fails during service detection', async () => {
  const half = report([{ port: 22, service: SSH }], '').slice(0, -40);
  const failing: [string, string][] = [
    ['kill -SEGV $$', 'nmap was ended by SIGSEGV before it had looked at all services.'],
    ['echo "bad" >&2; exit 1', 'nmap ended with code 1 (bad) before it had looked at all services.'],
    [nmap.file('half', half), 'nmap ended before its report on the services was complete.'],
    ['true', 'nmap ended before its report on the services was complete.'],
    ['head -c 3000000 /dev/urandom', 'nmap ended before its report on the services was complete.'],
  ];
  for (const [closer, note] of failing) {
    nmap.does({ finding: nmap.file('found', nmapOutput({ 22: 'open   ssh' })), closer });
    const outcome = await probe(HOST);
    assertOutcome(outcome, PortscanMetadata);
    assert.is(outcome.status, 'ok');
    assert.equal(metadataOf(outcome).notes, [note]);
    assert.equal([portsOf(outcome)[0]?.port, portsOf(outcome)[0]?.service], [22, 'ssh']);
  }
});

scan('a portscan uses a truncated report up to the point where it was cut off', async () => {
  const cut = report([{ port: 22, service: SSH }, { port: 80 }]).replace(/<port protocol="tcp" portid="80">.*/s, '<po');
  nmap.does({
    finding: nmap.file('found', nmapOutput({ 22: 'open   ssh', 80: 'open http' })),
    closer: nmap.file('cut', cut),
  });
  assert.equal(
    portsOf(await probe(HOST)).map(({ product, service }) => [service, product]),
    [
      ['ssh', 'OpenSSH'],
      ['http', null],
    ],
  );
});

scan('portscan metadata has at most 64 KiB, whatever servers send', async () => {
  const ports = Array.from({ length: 1_200 }, (_, index) => index + 1);
  const long = `name="${'s'.repeat(300)}" product="${'ü'.repeat(90_000)}" version="${'9'.repeat(900)}" extrainfo="&#x1f30d;${'x'.repeat(900)}" method="probed"`;
  nmap.does({
    finding: nmap.file('found', nmapOutput(Object.fromEntries(ports.map((port) => [port, 'open   unknown'])))),
    closer: nmap.file('report', report(ports.slice(0, 100).map((port) => ({ port, service: long })))),
  });
  const outcome = await probe(HOST, { parameters: { assertions: { only_expected_ports: true } } });
  assertOutcome(outcome, PortscanMetadata);
  const metadata = metadataOf(outcome);
  assert.ok(Buffer.byteLength(JSON.stringify(metadata)) <= 65_536);
  assert.is(metadata.truncated, true);
  assert.is(metadata.summary.total_open_ports, 1_200);
  assert.is(portsOf(outcome)[0]?.product, 'ü'.repeat(200));
  assert.equal(metadata.notes, ['Services were detected only on the first 1000 open ports.']);
  assert.is(
    nmap
      .calls()[1]
      ?.match(/-p ([\d,]+)/)?.[1]
      ?.split(',').length,
    1_000,
  );
  assert.match(outcome.error_message ?? '', /^Ports 1, 2, 3, 4, 5, 6, 7 and 1193 more are open, but should not be\.$/);
});

scan('megabytes of output without a line break do not disturb a portscan', async () => {
  const flood = 'head -c 40000000 /dev/zero | tr "\\0" x';
  nmap.does({
    finding: `${flood}; echo; ${nmap.file('found', nmapOutput({ 22: 'open   ssh' }))}`,
    closer: `printf '<nmaprun a="'; ${flood}`,
  });
  const outcome = await probe(HOST);
  assert.is(portsOf(outcome)[0]?.service, 'ssh');
  assert.equal(metadataOf(outcome).notes, ['nmap ended before its report on the services was complete.']);
});

scan(
  'a portscan waits for other portscans, and is reported as a failure of the runner if it cannot start in time',
  async () => {
    nmap.does({ finding: 'exec sleep 100' });
    const ending = new AbortController();
    const others = Array.from({ length: 8 }, () => probe(HOST, { signal: ending.signal }));
    const late = probe(HOST, { parameters: { host_timeout: '1s' } });
    await rejects(late, LocalFailure, 'The scan waited for other scans of this runner for 1s.');
    const next = probe(HOST);
    await eventually(() => nmap.calls().length >= 8);
    assert.is(nmap.calls().length, 8);
    finds(22);
    const ended = Promise.allSettled(others);
    ending.abort();
    for (const one of await ended) assert.is(one.status, 'rejected');
    assert.is((await next).status, 'ok');
  },
);

scan('a portscan ends immediately when its signal aborts', async () => {
  nmap.does({ finding: 'exec sleep 100' });
  const ending = new AbortController();
  const running = probe(HOST, { signal: ending.signal });
  setTimeout(() => {
    ending.abort();
  }, 100);
  await rejects(running, RunAborted, 'The run was ended before it was done.');
});

scan.run();
