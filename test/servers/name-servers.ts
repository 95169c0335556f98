import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './ports.ts';
import { eventually } from '../waiting.ts';

/** Programs that are needed. Debian has them in nsd, unbound, ldnsutils and bind9-dnsutils. */
const TOOLS = ['nsd', 'unbound', 'ldns-keygen', 'ldns-signzone', 'dig'] as const;

/** Returns the first needed program that is not installed. */
export const missingTool = (): string | undefined => TOOLS.find((tool) => spawnSync(tool, ['-v']).error !== undefined);

/** A zone to serve. */
export interface Zone {
  /** `good.` */
  name: string;
  /** records of the zone except SOA and NS, as in a zone file with the zone as origin */
  records: readonly string[];
  /** whether the zone is signed by its own key, whose digest is in the root zone; `expired`: signed in 2019 */
  signed?: boolean | 'expired';
}

export interface NameServers {
  /** port of nsd, which serves the zones */
  authoritative: number;
  /** port of unbound, which queries nsd and validates signatures with the key of the root zone */
  resolver: number;
  /**
   * Makes nsd serve other records for a zone. Unbound may return the previous records from its cache for another hour.
   */
  change: (zone: Zone) => Promise<void>;
  close: () => Promise<void>;
}

const fileOf = (zone: string): string => (zone === '.' ? 'root.zone' : `${zone.replace(/\.$/, '')}.zone`);

/**
 * Serves zones on the loopback address below a root zone that is also served. The files are in a folder that `close`
 * removes.
 */
export const startNameServers = async (zones: readonly Zone[]): Promise<NameServers> => {
  const folder = mkdtempSync(join(tmpdir(), 'uptrail-name-servers-'));
  const at = (name: string): string => join(folder, name);
  const [authoritative, resolver] = [await freePort(), await freePort()];
  const run = (program: string, ...words: string[]): string => {
    const { status, stdout, stderr } = spawnSync(program, words, { cwd: folder, encoding: 'utf8' });
    if (status !== 0) throw new Error(`${program} ${words.join(' ')}: ${stderr}`);
    return stdout;
  };
  const keys = new Map<string, string>();
  let serial = 1;

  const write = ({ name, records, signed = false }: Zone): void => {
    const file = fileOf(name);
    const lines = [
      `$ORIGIN ${name}`,
      '$TTL 3600',
      `@ SOA ns.${name === '.' ? '' : name} root.${name === '.' ? '' : name} ${serial++} 3600 600 86400 300`,
      '@ NS ns',
      'ns A 127.0.0.1',
      ...records,
    ];
    writeFileSync(at(file), `${lines.join('\n')}\n`);
    run('nsd-checkzone', name, file);
    if (signed === false) return;
    const key = keys.get(name) ?? run('ldns-keygen', '-a', 'ECDSAP256SHA256', '-k', name).trim();
    keys.set(name, key);
    const when = signed === 'expired' ? ['-i', '20190101000000', '-e', '20190201000000'] : [];
    run('ldns-signzone', ...when, '-o', name, '-f', `${file}.signed`, file, key);
  };
  const servedFile = ({ name, signed = false }: Zone): string => `${fileOf(name)}${signed === false ? '' : '.signed'}`;

  for (const zone of zones) write(zone);
  const delegations = zones.flatMap(({ name }) => {
    const key = keys.get(name);
    return [`${name} NS ns.${name}`, ...(key === undefined ? [] : [readFileSync(at(`${key}.ds`), 'utf8').trim()])];
  });
  const root: Zone = { name: '.', records: delegations, signed: true };
  write(root);
  const all = [root, ...zones];

  writeFileSync(
    at('nsd.conf'),
    nsdConfiguration(
      folder,
      ['ip-address: 127.0.0.1', `port: ${authoritative}`],
      all.map((zone) => ({ name: zone.name, file: servedFile(zone) })),
    ),
  );
  writeFileSync(
    at('unbound.conf'),
    [
      'server:',
      `  interface: 127.0.0.1@${resolver}`,
      '  do-daemonize: no',
      '  num-threads: 1',
      '  chroot: ""',
      '  username: ""',
      `  directory: "${folder}"`,
      `  pidfile: "${at('unbound.pid')}"`,
      '  use-syslog: no',
      '  do-not-query-localhost: no',
      '  qname-minimisation: no',
      '  ede: yes',
      `  trust-anchor-file: "${at(`${keys.get('.') ?? ''}.key`)}"`,
      // By default, unbound answers for the reverse zones of documentation networks itself.
      ...zones
        .filter(({ name }) => name.endsWith('.arpa.'))
        .flatMap(({ name }) => [`  local-zone: "${name}" nodefault`]),
      '  domain-insecure: "arpa."',
      ...all.flatMap(({ name }) => ['stub-zone:', `  name: "${name}"`, `  stub-addr: 127.0.0.1@${authoritative}`]),
    ].join('\n'),
  );

  const started: ChildProcess[] = [];
  const start = async (program: string, words: readonly string[], port: number): Promise<void> => {
    const child = spawn(program, words, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
    started.push(child);
    let output = '';
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await eventually(() => child.exitCode !== null || answers(port), { what: `${program} answers` });
    if (child.exitCode !== null) throw new Error(`${program} has ended: ${output}`);
  };
  const close = async (): Promise<void> => {
    for (const child of started.reverse()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    }
    rmSync(folder, { recursive: true, force: true });
  };

  try {
    await start('nsd', ['-d', '-c', at('nsd.conf')], authoritative);
    await start('unbound', ['-d', '-c', at('unbound.conf')], resolver);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    authoritative,
    resolver,
    change: async (zone) => {
      const now = ` ${serial} `;
      write(zone);
      started[0]?.kill('SIGHUP');
      await eventually(() => dig(authoritative, zone.name, 'SOA').includes(now), { what: 'nsd serves the change' });
    },
    close,
  };
};

/** Returns whether a server answers queries for the root zone. */
const answers = (port: number): boolean => dig(port, '.', 'SOA', '+time=1', '+tries=1').includes('ns.');

/** Returns the output of `dig +short`. */
export const dig = (port: number, name: string, type: string, ...options: string[]): string =>
  spawnSync('dig', ['-p', port.toString(), '@127.0.0.1', '+short', '+nosplit', ...options, name, type], {
    encoding: 'utf8',
  }).stdout;

/**
 * Returns the configuration of an nsd whose files are all in one folder.
 *
 * @param listening configuration lines about where and how nsd listens
 * @param zones the served zones; their files are in the folder
 */
export const nsdConfiguration = (
  folder: string,
  listening: readonly string[],
  zones: readonly { name: string; file: string }[],
): string =>
  [
    'server:',
    ...listening.map((line) => `  ${line}`),
    '  server-count: 1',
    '  username: ""',
    `  zonesdir: "${folder}"`,
    `  pidfile: "${join(folder, 'nsd.pid')}"`,
    `  xfrdfile: "${join(folder, 'xfrd.state')}"`,
    `  zonelistfile: "${join(folder, 'zone.list')}"`,
    '  database: ""',
    'remote-control:',
    '  control-enable: no',
    ...zones.flatMap(({ name, file }) => ['zone:', `  name: "${name}"`, `  zonefile: "${file}"`]),
  ].join('\n');
