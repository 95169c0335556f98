// Own process: this file restarts itself in a network namespace.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { PortscanMetadata } from '../../../domain/check/types/portscan.ts';
import { assertOutcome } from '../fuzz.ts';
import { enterNamespace } from '../namespace.ts';
import { verdictOf, ok } from '../run-context.ts';
import { rawServer } from '../web/servers.ts';
import { metadataOf, portsOf, probe } from './probing.ts';
import { missing, PORTS, PROGRAMS, startServers } from './servers.ts';
import { within } from '../../waiting.ts';

const HOST = '127.0.0.1';
/** An unused address on a link of the namespace. */
const SILENT = '10.98.0.2';
const RANGE = '20-25,53,79-81,443,6379-6380';

const lacking = missing(['nmap', 'ip', 'unshare', ...PROGRAMS]);
const where = lacking.length > 0 ? { because: `${lacking.join(', ')} is not installed` } : enterNamespace();

if (where !== 'outside') {
  const scan = suite('portscans with nmap in a network namespace');
  const why = typeof where === 'string' ? null : where.because;
  if (why !== null) console.log(`skipped: ${why}`);
  const test = (name: string, run: () => Promise<void>): void => {
    if (why === null) scan(name, run);
    else scan.skip(name, run);
  };

  let servers: Awaited<ReturnType<typeof startServers>> | null = null;
  if (why === null) {
    scan.before(async () => {
      const link = [
        'ip link add silent0 type veth peer name silent1',
        'ip address add 10.98.0.1/24 dev silent0',
        'ip link set silent0 up',
        'ip link set silent1 up',
        `ip neighbour add ${SILENT} lladdr 02:00:00:00:00:02 dev silent0`,
      ];
      assert.is(spawnSync('sh', ['-c', link.join(' && ')]).status, 0);
      servers = await startServers();
    });
    scan.after(() => servers?.close());
  }

  test('a portscan finds the open ports, their services and their risks', async () => {
    const assertions = { fail_on_vulnerabilities: true, expected_open_ports: [22, 80] };
    const outcome = await probe('servers.test', {
      hosts: { 'servers.test': [HOST] },
      parameters: { ports: RANGE, assertions },
    });
    assertOutcome(outcome, PortscanMetadata);
    assert.equal(
      portsOf(outcome).map(({ port, service, product }) => [port, service, product]),
      [
        [PORTS.ftp, 'ftp', 'vsftpd'],
        [PORTS.ssh, 'ssh', 'OpenSSH'],
        [PORTS.dns, 'domain', portsOf(outcome)[2]?.product],
        [PORTS.http, 'http', 'nginx'],
        [PORTS.redis, 'redis', 'Redis key-value store'],
        [PORTS.locked, portsOf(outcome)[5]?.service, portsOf(outcome)[5]?.product],
      ],
    );
    assert.match(portsOf(outcome)[1]?.version ?? '', /^\d+\.\d+/);
    assert.equal(
      metadataOf(outcome).vulnerabilities.map(({ port, risk_level }) => [port, risk_level]),
      [
        [PORTS.redis, 'critical'],
        [PORTS.ftp, 'medium'],
        [PORTS.locked, 'medium'],
      ],
    );
    assert.equal(verdictOf(outcome), {
      status: 'failed',
      reason: 'vulnerability',
      error_message:
        'Ports 21, 6379 and 6380 have vulnerabilities (medium or higher); the result says what to do about each.',
    });
  });

  test('a portscan rates the risk of an unrecognised service by its port', async () => {
    const assertions = { fail_on_vulnerabilities: true, min_risk_level: 'critical' };
    const outcome = await probe(HOST, { parameters: { ports: RANGE, service_detection: false, assertions } });
    assert.equal(verdictOf(outcome), ok);
    assert.equal(
      metadataOf(outcome).vulnerabilities.map(({ port, risk_level }) => [port, risk_level]),
      [
        [PORTS.ftp, 'medium'],
        [PORTS.redis, 'medium'],
      ],
    );
    assert.equal(
      portsOf(outcome).map(({ service }) => service),
      ['ftp', 'ssh', 'domain', 'http', 'redis', null],
    );
  });

  test('a portscan finds services over UDP', async () => {
    const outcome = await probe(HOST, { parameters: { ports: '53,54', scan_type: 'udp', service_detection: false } });
    assert.equal(verdictOf(outcome), ok);
    assert.equal(
      portsOf(outcome).map(({ port, protocol, service }) => [port, protocol, service]),
      [[PORTS.dns, 'udp', 'domain']],
    );
  });

  test('a portscan reports a silent host', async () => {
    const parameters = { ports: '1-20', max_rtt_timeout: '100ms', assertions: { expected_open_ports: [7] } };
    const outcome = await probe(SILENT, { rules: { policy: 'internal' }, parameters });
    assert.equal(verdictOf(outcome), {
      status: 'failed',
      reason: 'ports',
      error_message: 'Port 7 should be open, but is filtered: nothing answers, or a firewall refuses.',
    });
    assert.is(metadataOf(outcome).scan_results[0]?.state, 'down');
  });

  test('a portscan ends in time, no matter how many ports are left', async () => {
    // A scan of all ports would take days.
    const scan = probe(SILENT, { parameters: { ports: '1-65535', timing: 'T1', host_timeout: '2s' } });
    const outcome = await within(60_000, scan, 'the scan has ended');
    assert.equal(verdictOf(outcome), ok);
    assert.equal(metadataOf(outcome).notes, ['The scan was cut off after 2s, before all ports had been scanned.']);
  });

  test('a portscan stores texts from services on one line, whatever they contain', async () => {
    const banners = [
      Buffer.from('220 \x1b[2J\x1b]0;owned\x07 \u202e&#x1b;<x/>"\'\r\n'),
      Buffer.from(`SSH-2.0-${'A'.repeat(200)}\x1b[31m\x00 evil\r\n`),
      Buffer.from(`HTTP/1.0 200 OK\r\nServer: nginx/1.2.3\x1b[31m${'9'.repeat(3_000)}\r\n\r\n]]>`),
      Buffer.alloc(4 * 1024 * 1024, '220 ProFTPD 1.3.5\x00 Server (\xff\xfe) ', 'latin1'),
      Buffer.from(Array.from({ length: 65_536 }, (_, index) => (index * 7 + (index >> 8)) % 256)),
    ];
    const odd = await Promise.all(
      banners.map((banner) =>
        rawServer((socket) => {
          socket.on('error', () => undefined);
          socket.end(banner);
        }),
      ),
    );
    const ports = odd.map(({ port }) => port);
    const outcome = await probe(HOST, {
      parameters: { ports: ports.join(','), host_timeout: '60s', assertions: { expected_open_ports: ports } },
    });
    for (const { close } of odd) await close();
    assertOutcome(outcome, PortscanMetadata);
    assert.equal(verdictOf(outcome), ok);
    assert.is(portsOf(outcome).length, banners.length);
    for (const { service, product, version, extrainfo } of portsOf(outcome))
      for (const text of [service, product, version, extrainfo])
        assert.ok(text === null || (text.length <= 200 && !/\p{C}/u.test(text)), String(text));
  });

  for (const scan_type of ['syn', 'connect', 'udp'])
    test(`a portscan of type ${scan_type} reports a missing route`, async () => {
      const outcome = await probe('10.97.0.1', { parameters: { ports: '80', scan_type } });
      const error_message = 'There is no route from this runner to 10.97.0.1.';
      assert.equal(verdictOf(outcome), { status: 'failed', reason: 'connect', error_message });
      assert.equal(metadataOf(outcome).scan_results, []);
    });

  test('a portscan scans the first address that has a route', async () => {
    const hosts = { 'shop.test': ['fd97::1', HOST] };
    const outcome = await probe('shop.test', { hosts, parameters: { ports: '22', service_detection: false } });
    assert.equal(verdictOf(outcome), ok);
    assert.equal(metadataOf(outcome).notes, [`shop.test has 2 addresses; only ${HOST} was scanned.`]);
    const none = await probe('shop.test', { hosts: { 'shop.test': ['fd97::1', '10.97.0.1'] } });
    const error_message = 'There is no route from this runner to any address of shop.test.';
    assert.equal(verdictOf(none), { status: 'failed', reason: 'connect', error_message });
  });

  test('a portscan opens full connections without permission for raw sockets, and can’t use UDP', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'uptrail-rights-'));
    const path = process.env['PATH'] ?? '';
    const real = spawnSync('sh', ['-c', 'command -v nmap'], { encoding: 'utf8' }).stdout.trim();
    const program = join(folder, 'nmap');
    writeFileSync(program, `#!/bin/sh\nexec setpriv --bounding-set -net_raw -- ${real} "$@"\n`);
    chmodSync(program, 0o755);
    process.env['PATH'] = `${folder}:${path}`;
    try {
      const parameters = { ports: '22,23', service_detection: false };
      const tcp = await probe(HOST, { parameters });
      assert.equal(verdictOf(tcp), ok);
      assert.equal(
        portsOf(tcp).map(({ port }) => port),
        [PORTS.ssh],
      );
      assert.match(metadataOf(tcp).notes[0] ?? '', /^SYN scans need raw sockets/);
      const udp = await probe(HOST, { parameters: { ...parameters, scan_type: 'udp' } });
      assert.equal([udp.status, udp.reason], ['failed', 'rights']);
    } finally {
      process.env['PATH'] = path;
      rmSync(folder, { recursive: true });
    }
  });

  test('a portscan immediately detects that one port was closed and another was opened', async () => {
    await servers?.endHttp();
    const assertions = { expected_open_ports: [21, 22, 53, 80, 6_379], only_expected_ports: true };
    const outcome = await probe(HOST, { parameters: { ports: RANGE, service_detection: false, assertions } });
    assert.equal(verdictOf(outcome), {
      status: 'failed',
      reason: 'ports',
      error_message: 'Port 80 should be open, but is closed. Port 6380 is open, but should not be.',
    });
  });

  scan.run();
}
