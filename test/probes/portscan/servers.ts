import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../../waiting.ts';

/** The server programs that these tests start. */
export const PROGRAMS = ['sshd', 'nginx', 'redis-server', 'vsftpd', 'dnsmasq'] as const;

/** Returns the programs that are not installed. */
export const missing = (programs: readonly string[]): string[] =>
  programs.filter((program) => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0);

const HOST = '127.0.0.1';

/** The ports of the servers. `locked` is a Redis with a password. */
export const PORTS = { ftp: 21, ssh: 22, dns: 53, http: 80, redis: 6_379, locked: 6_380 } as const;

const listens = async (port: number): Promise<void> => {
  const isOpen = async (): Promise<boolean> => {
    const socket = connect(port, HOST);
    const open = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => {
        resolve(true);
      });
      socket.once('error', () => {
        resolve(false);
      });
    });
    socket.destroy();
    return open;
  };
  await eventually(isOpen, { what: `something listens on port ${port}` });
};

/** Starts real servers on their usual ports of 127.0.0.1. Must be called in a network namespace. */
export const startServers = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'uptrail-servers-'));
  const file = (name: string, lines: readonly string[]): string => {
    const path = join(folder, name);
    writeFileSync(path, `${lines.join('\n')}\n`, { mode: 0o600 });
    return path;
  };
  const children: ChildProcess[] = [];
  const start = (program: string, args: readonly string[]): ChildProcess => {
    // Some of these programs are in folders that are not in every user's PATH.
    const env = { ...process.env, PATH: `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin` };
    const child = spawn(program, args, { stdio: 'ignore', env });
    children.push(child);
    return child;
  };

  spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, 'host')]);
  mkdirSync('/run/sshd', { recursive: true });
  const sshd = file('sshd', [`ListenAddress ${HOST}:22`, `HostKey ${join(folder, 'host')}`, 'PidFile none']);
  const program = spawnSync('sh', ['-c', 'command -v sshd || echo /usr/sbin/sshd'], { encoding: 'utf8' });
  start(program.stdout.trim(), ['-D', '-f', sshd]);

  const nginx = file('nginx', [
    'daemon off; worker_processes 1; error_log /dev/null; events {}',
    `pid ${join(folder, 'nginx.pid')};`,
    'http {',
    'access_log off;',
    ...['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${join(folder, kind)};`),
    `server { listen ${HOST}:80; location / { return 200 "All is well."; } }`,
    '}',
  ]);
  const http = start('nginx', ['-c', nginx]);

  const redis = (port: number, more: readonly string[]): ChildProcess =>
    start('redis-server', ['--port', port.toString(), '--bind', HOST, '--save', '', '--dir', folder, ...more]);
  redis(PORTS.redis, []);
  redis(PORTS.locked, ['--requirepass', 'hunter2']);

  const empty = join(folder, 'empty');
  mkdirSync(empty);
  const ftp = ['listen=YES', 'listen_ipv6=NO', `listen_address=${HOST}`, 'background=NO', 'anonymous_enable=NO'];
  start('vsftpd', [file('vsftpd', [...ftp, `secure_chroot_dir=${empty}`, 'local_enable=YES'])]);

  const dns = ['--keep-in-foreground', '--no-resolv', '--no-hosts', '--bind-interfaces', `--listen-address=${HOST}`];
  start('dnsmasq', [...dns, '--conf-file=/dev/null', '--user=root', `--pid-file=${join(folder, 'dnsmasq.pid')}`]);

  await Promise.all(Object.values(PORTS).map(listens));
  const end = async (child: ChildProcess): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  return {
    /** Stops the web server. */
    endHttp: () => end(http),
    close: async (): Promise<void> => {
      await Promise.all(children.map(end));
      rmSync(folder, { recursive: true });
    },
  };
};
