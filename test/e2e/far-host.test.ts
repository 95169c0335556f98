// Own process: this file restarts itself in a network namespace.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createProgram } from '../../cli/program.ts';
import type { CheckTypeName } from '../../domain/check/events.ts';
import { RUNS } from '../../probes/index.ts';
import { testWith } from '../deploy/project.ts';
import { runInOwnNetwork } from '../own-network.ts';
import { contextOf, verdictOf, ok, type TestRunOptions } from '../probes/run-context.ts';
import { createAuthority } from '../probes/web/certificates.ts';
import { collectLines } from '../service/lines.ts';
import { linkFarHost } from './far-network.ts';
import { createNginx } from './nginx.ts';
import { nsdConfiguration } from '../servers/name-servers.ts';
import { eventually } from '../waiting.ts';

const farHost = suite('a check of a host on another machine');

const TOOLS = ['ip', 'nginx', 'nsd', 'openssl', 'fping', 'nmap', 'sslscan'] as const;
const missing = TOOLS.find((tool) => spawnSync(tool, ['-v']).error !== undefined);
if (missing !== undefined) console.log(`skipped: ${missing} is not installed`);
const isInside = missing === undefined && runInOwnNetwork();
const test = testWith(farHost, isInside);

// Each `uptrail` command adds signal listeners until its process ends. Many commands run in this process.
process.setMaxListeners(100);

const NEAR = ['10.214.0.1/30', 'fd00:214::1/64'];
const FAR = { v4: '10.214.0.2', v6: 'fd00:214::2' } as const;
/** Unused addresses: the first is in the network of the link, the second has no route. */
const NOBODY = ['fd00:214::9', 'fd00:215::9'];

const ZONE = [
  '$ORIGIN far.test.',
  '$TTL 60',
  '@ SOA ns root 1 3600 600 86400 300',
  '@ NS ns',
  `ns A ${FAR.v4}`,
  'www A 192.0.2.1',
  // This answer is too long for a datagram.
  ...Array.from({ length: 20 }, (_, at) => `long TXT "${at} ${'x'.repeat(200)}"`),
];

const startNsd = async (folder: string, certificate: { cert: string; key: string }, there: readonly string[]) => {
  const at = (name: string): string => join(folder, name);
  writeFileSync(at('far.zone'), `${ZONE.join('\n')}\n`);
  const listening = [
    ...Object.values(FAR).flatMap((address) => [`ip-address: ${address}@53`, `ip-address: ${address}@853`]),
    'tls-port: 853',
    `tls-service-key: "${certificate.key}"`,
    `tls-service-pem: "${certificate.cert}"`,
  ];
  writeFileSync(at('nsd.conf'), nsdConfiguration(folder, listening, [{ name: 'far.test.', file: 'far.zone' }]));
  const [program, ...words] = [...there, 'nsd', '-d', '-V', '1', '-c', at('nsd.conf')];
  const child = spawn(program, words, { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  // nsd prints this line when it is ready for queries.
  await eventually(() => {
    if (child.exitCode !== null) throw new Error(`nsd has ended: ${said}`);
    return said.includes('nsd started');
  });
  return async (): Promise<void> => {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  };
};

const folder = mkdtempSync(join(tmpdir(), 'uptrail-far-host-'));
const ends: (() => Promise<void> | void)[] = [
  () => {
    rmSync(folder, { recursive: true });
  },
];
let trusted = '';
farHost.before(async () => {
  if (!isInside) return;
  const authority = createAuthority();
  ends.unshift(authority.close);
  authority.make('far', { names: `IP:${FAR.v4},IP:${FAR.v6}` });
  const certificate = { cert: authority.file('far.crt'), key: authority.file('far.key') };
  trusted = authority.root;
  const host = await linkFarHost(NEAR, [`${FAR.v4}/30`, `${FAR.v6}/64`]);
  ends.unshift(host.close);
  const addresses = [FAR.v4, `[${FAR.v6}]`];
  const nginx = createNginx(
    folder,
    [
      { port: 80, addresses },
      { port: 443, addresses, certificate },
    ],
    host.commandPrefix,
  );
  await nginx.start();
  ends.unshift(nginx.stop);
  ends.unshift(await startNsd(folder, certificate, host.commandPrefix));
});
farHost.after(async () => {
  for (const end of ends) await end();
});

interface ProbeResult {
  status: string;
  error_message: string | null;
  check_metadata: Record<string, unknown>;
}

/** Runs `uptrail probe` without any configuration. @returns the result that it prints */
const runProbe = async (...words: string[]): Promise<ProbeResult> => {
  const output = collectLines();
  const program = createProgram({}, output, () => undefined);
  await program.parseAsync(['node', 'uptrail', 'probe', ...words, '--json']);
  return JSON.parse(output.lines.join('\n')) as ProbeResult;
};

const trusting = (): string[] => ['--parameters', JSON.stringify({ ca_certificate: trusted })];

/** Runs a probe that must succeed. @returns the metadata of the result */
const metadataOf = async (...words: string[]): Promise<Record<string, unknown>> => {
  const { status, error_message, check_metadata } = await runProbe(...words);
  assert.equal([status, error_message], ['ok', null], words.join(' '));
  return check_metadata;
};

/** Runs a check with hosts that are resolved from a table, or with a certificate authority of this test. */
const run = async (type: CheckTypeName, host: string, parameters: Record<string, unknown>, given: TestRunOptions) => {
  const runOfType = RUNS.get(type);
  assert.ok(runOfType);
  return runOfType({ type, url: null, host, port: 443, timeout: 10, parameters, secrets: {} }, contextOf(given));
};

for (const [version, address] of Object.entries(FAR)) {
  const inUrl = version === 'v6' ? `[${address}]` : address;

  test(`a check reaches a host on another machine by HTTP and HTTPS over IP${version}`, async () => {
    for (const type of ['web', 'api']) {
      const plain = await metadataOf(type, `http://${inUrl}/`, '--search-text', 'All is well.');
      assert.is(plain['address'], address);
      await metadataOf(type, `https://${inUrl}/`, ...trusting(), '--search-text', 'All is well.');
    }
  });

  test(`a check reaches a host on another machine by TCP over IP${version}, with and without TLS`, async () => {
    const talk = ['--send-text', 'GET / HTTP/1.0\r\n\r\n', '--search-text', 'All is well.'];
    assert.is((await metadataOf('tcp', `${inUrl}:80`, ...talk))['address'], address);
    await metadataOf('tcp', `${inUrl}:443`, ...talk, '--tls', ...trusting());
  });

  test(`a check rates the TLS configuration of a host on another machine over IP${version}`, async () => {
    await metadataOf('ssl', `${inUrl}:443`, ...trusting());
  });

  test(`a check queries a name server on another machine over IP${version} by UDP, TCP and TLS`, async () => {
    const over = async (...words: string[]) => (await metadataOf('dns', ...words, '--server', address))['transport'];
    assert.is(await over('www.far.test', '--expect', '192.0.2.1'), 'udp');
    assert.is(await over('long.far.test', '--record-type', 'TXT', '--expect', `7 ${'x'.repeat(200)}`), 'tcp');
    const secured = { dns_servers: [`tls://${inUrl}`], expected_answers: ['192.0.2.1'] };
    assert.equal(verdictOf(await run('dns', 'www.far.test', secured, { trust: [trusted] })), ok);
  });

  test(`a check pings a host on another machine over IP${version}`, async () => {
    const metadata = await metadataOf('icmp', address, '--count', '2', '--interval', '0.1');
    assert.equal([metadata['ip_version_used'], metadata['packet_loss_percent']], [version, 0]);
  });

  for (const way of ['connect', 'syn'])
    test(`a check finds the open ports of a host on another machine by a ${way} scan over IP${version}`, async () => {
      const expected = ['53', '80', '443', '853'].flatMap((port) => ['--expected-port', port]);
      const words = ['--ports', '1-1000', '--scan-type', way, '--no-service-detection', '--only-expected-ports'];
      await metadataOf('portscan', address, ...words, ...expected);
    });
}

for (const silent of NOBODY)
  test(`a check reaches a host over IPv4 although its name also has the unused address ${silent}`, async () => {
    const given = { hosts: { 'far.test': [silent, FAR.v4] } };
    assert.equal(verdictOf(await run('tcp', 'far.test', {}, given)), ok);
    const servers = { dns_servers: ['far.test'] };
    assert.equal(verdictOf(await run('dns', 'www.far.test', servers, given)), ok);
  });

farHost.run();
