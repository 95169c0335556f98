/**
 * Compares a whole ssl check (handshake, certificate, protocols, cipher suites, vulnerabilities) with sslscan, on two
 * servers that support TLS 1.2 and 1.3. The first server is OpenSSL's own, with its 23 default suites. A scan of this
 * server by sslscan consists mostly of waiting for the server. The second server is nginx, for which sslscan does not
 * wait.
 */
import { spawnSync } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { contextOf } from '../../test/probes/run-context.ts';
import { createFolder, has, nginxServer, opensslServer, type RealServer } from '../../test/probes/ssl/servers/real.ts';
import type { SslMetadata } from '../../domain/check/types/ssl.ts';
import { runSsl } from '../../probes/ssl/run.ts';
import { sizeOf } from '../tools/sizes.ts';
import { median, type Row } from '../tools/table.ts';

const ROUNDS = sizeOf('SSL_ROUNDS', 5);

interface Scanned {
  milliseconds: number;
  connections: number;
  suites: number;
}

const check = async (port: number, ca: string): Promise<Scanned> => {
  let connections = 0;
  const count = (): number => connections++;
  subscribe('net.client.socket', count);
  const started = performance.now();
  const { status, error_message, check_metadata } = await runSsl(
    { type: 'ssl', url: null, host: 'tls.test', port, timeout: 30, parameters: { ca_certificate: ca }, secrets: {} },
    { ...contextOf({ hosts: { 'tls.test': ['127.0.0.1'] } }), fresh: true },
  );
  const milliseconds = performance.now() - started;
  unsubscribe('net.client.socket', count);
  if (status !== 'ok') throw new Error(error_message ?? status);
  const { protocol_support } = (check_metadata as SslMetadata).checks;
  const suites = new Set(Object.values(protocol_support).flatMap(({ ciphers }) => ciphers)).size;
  return { milliseconds, connections, suites };
};

const sslscan = (port: number): number => {
  const started = performance.now();
  const { status } = spawnSync('sslscan', ['--no-colour', '--sni-name=tls.test', `127.0.0.1:${port}`]);
  if (status !== 0) throw new Error(`sslscan ended with ${String(status)}.`);
  return performance.now() - started;
};

const compare = async (name: string, server: RealServer, ca: string, aim?: string): Promise<Row[]> => {
  const rounds: { ours: Scanned; theirs: number }[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const ours = await check(server.port, ca);
    const theirs = sslscan(server.port);
    // The first round is a warm-up.
    if (round > 0) rounds.push({ ours, theirs });
  }
  const of = (pick: (round: (typeof rounds)[number]) => number): number => median(rounds.map(pick));
  const what = `ssl check of ${name} with ${of(({ ours }) => ours.suites)} suites`;
  return [
    {
      what: `${what}: time`,
      figure: `${of(({ ours }) => ours.milliseconds).toFixed(0)} ms`,
      peer: `sslscan ${of(({ theirs }) => theirs).toFixed(0)} ms`,
      ratio: of(({ ours, theirs }) => ours.milliseconds / theirs),
      ...(aim !== undefined && { aim }),
    },
    { what: `${what}: connections`, figure: of(({ ours }) => ours.connections).toString(), aim: '≤ 60' },
  ];
};

export const bench = async (): Promise<Row[]> => {
  if (!has('sslscan', '--version')) {
    console.error('skipped: sslscan is not installed');
    return [];
  }
  const folder = createFolder();
  const pair = folder.pair('rsa', '-newkey', 'rsa:2048');
  const servers: RealServer[] = [];
  try {
    const openssl = await opensslServer(pair);
    servers.push(openssl);
    const rows = await compare('OpenSSL', openssl, folder.read('rsa.crt'), '≤ 0.1');
    if (!has('nginx', '-v')) return rows;
    const nginx = await nginxServer(folder, pair, '');
    servers.push(nginx);
    return [...rows, ...(await compare('nginx', nginx, folder.read('rsa.crt')))];
  } finally {
    for (const server of servers) await server.stop();
    folder.close();
  }
};
