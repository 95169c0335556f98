// Own process: commands add listeners for SIGINT that are never removed.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createProgram } from '../../../cli/program.ts';
import { portscanReport } from '../../../cli/probe/reports/portscan.ts';
import type { PortscanMetadata } from '../../../domain/check/types/portscan.ts';
import { createStandIn, nmapOutput, report } from '../../probes/portscan/stand-in.ts';
import { rejects } from '../../rejects.ts';
import { collectLines } from '../../service/lines.ts';

const test = suite('uptrail probe portscan');

const nmap = createStandIn();
test.after(() => {
  nmap.close();
});

const uptrailProbe = async (...words: string[]) => {
  const output = collectLines();
  let code = -1;
  const program = createProgram({}, output, (exitCode) => (code = exitCode));
  await program.parseAsync(['node', 'uptrail', 'probe', ...words]);
  return { code, lines: output.lines };
};

const REDIS = 'name="redis" product="Redis key-value store" version="7.0.15" method="probed"';

test('uptrail probe portscan prints a table of ports, and remedies', async () => {
  nmap.does({
    finding: nmap.file('found', nmapOutput({ 22: 'open   ssh', 6_379: 'open   redis' })),
    closer: nmap.file(
      'report',
      report([
        { port: 22, service: 'name="ssh" product="OpenSSH" version="9.2p1" extrainfo="protocol 2.0" method="probed"' },
        { port: 6_379, service: REDIS },
      ]),
    ),
  });
  const { code, lines } = await uptrailProbe('portscan', '127.0.0.1', '--only-expected-ports', '--expected-port', '22');
  assert.is(code, 1);
  assert.match(lines[2] ?? '', /^127\.0\.0\.1 is up: 2 open ports after [\d.]+ s$/);
  assert.equal(
    [...lines.slice(0, 2), ...lines.slice(3)],
    [
      'failed: Port 6379 is open, but should not be.',
      '',
      '',
      'port      service  version                       risk',
      '22/tcp    ssh      OpenSSH 9.2p1 (protocol 2.0)',
      '6379/tcp  redis    Redis key-value store 7.0.15  critical',
      '',
      'critical: port 6379',
      '  Redis without a password is open. Anyone can read and write the data, and take over the machine. Bind it to 127.0.0.1, and set requirepass or ACLs.',
    ],
  );
});

test('uptrail probe portscan has options for the parameters of the check, and adds their values to --assertions', async () => {
  nmap.does({
    finding: nmap.file('found', nmapOutput({ 22: 'open   ssh' })),
    closer: nmap.file('report', report([{ port: 25, state: 'closed' }])),
  });
  const options = ['--ports', '20-25', '--scan-type', 'connect', '--timing', 'T4', '--host-timeout', '90s'];
  const rules = [
    '--expected-port',
    '22',
    '--expected-port',
    '25',
    '--fail-on-vulnerabilities',
    '--min-risk-level',
    'low',
  ];
  const { code, lines } = await uptrailProbe(
    ...['portscan', 'localhost', '--json', '--no-service-detection', ...options, ...rules],
    ...['--assertions', '{"only_expected_ports": true}'],
  );
  assert.is(code, 1);
  const { status, error_message, check_metadata } = JSON.parse(lines[0] ?? '') as Record<string, unknown>;
  assert.equal([status, error_message], ['failed', 'Port 25 should be open, but is closed.']);
  assert.is((check_metadata as PortscanMetadata).summary.total_open_ports, 1);
  const [first = '', second = ''] = nmap.calls();
  assert.match(first, /-sT --unprivileged -T4 --host-timeout (?:90000|8\d{4})ms .* -p 20-25 -- /);
  assert.match(second, / -oX - -p 25 -- /);
  assert.not.match(second, /-sV/);
});

test('uptrail probe portscan rejects invalid options and options of other check types', async () => {
  const refused = (...words: string[]) => uptrailProbe(...words);
  await rejects(refused('portscan', '127.0.0.1', '--expected-port', 'ssh'), Error, /It must be a port number/);
  await rejects(refused('portscan', '127.0.0.1', '--host-timeout', '11m'), Error, /parameters\.host_timeout: Must be/);
  await rejects(refused('tcp', '127.0.0.1:1', '--expected-port', '22'), Error, /tcp have no option --expected-port/);
  const odd = ['--assertions', '5', '--expected-port', '22'];
  await rejects(refused('portscan', '127.0.0.1', ...odd), Error, /parameters\.assertions: Must be an object/);
  assert.equal(nmap.calls().length, 2);
});

test('uptrail probe portscan has a report for a host without open ports, and for a host that was not scanned', () => {
  const summary = { total_hosts: 1, hosts_up: 0, hosts_down: 1, total_open_ports: 0 };
  const host = { ip: '127.0.0.1', hostname: 'shop.test', state: 'down', open_ports: [], os_matches: [] };
  const metadata: PortscanMetadata = {
    target: 'shop.test',
    execution_time: 3,
    scan_results: [host],
    summary,
    vulnerabilities: [],
    notes: ['No port answered.'],
    truncated: true,
  };
  const outcome = { status: 'ok', reason: null, response_time: null, error_message: null } as const;
  assert.equal(portscanReport({ ...outcome, check_metadata: metadata }), [
    'ok',
    '',
    'shop.test (127.0.0.1) is down: 0 open ports after 3 s',
    '',
    'No port answered.',
    '',
    'Long lists and texts were truncated.',
  ]);
  const nothing = { ...metadata, scan_results: [], notes: [], truncated: undefined };
  const failed = { ...outcome, status: 'failed', reason: 'target', error_message: 'Refused.' } as const;
  assert.equal(portscanReport({ ...failed, check_metadata: nothing }), ['failed: Refused.']);
});

test.run();
