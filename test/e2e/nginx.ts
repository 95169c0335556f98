import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { inProject } from '../project.ts';
import { eventually } from '../waiting.ts';

const LOOPBACK = '127.0.0.1';

export const hasNginx = (): boolean => spawnSync('nginx', ['-v']).status === 0;

/** A virtual server of nginx. */
export interface NginxServer {
  port: number;
  /** addresses to listen on, by default only 127.0.0.1; an IPv6 address is in brackets */
  addresses?: readonly string[];
  /** paths of a certificate and its key; absent for plain HTTP */
  certificate?: { cert: string; key: string };
  /** the loopback port of a server to which requests are forwarded, with the settings of deploy/proxy/nginx.conf */
  proxyTo?: number;
  /** a folder to serve; for a file `a` with a compressed version `a.gz`, the latter is sent */
  root?: string;
}

/**
 * Configures an nginx process whose files are all in one folder. Servers without `root` and `proxyTo` respond with `All
 * is well.`
 *
 * @param there the beginning of the command line, if nginx should run in another network
 */
export const createNginx = (folder: string, servers: readonly NginxServer[], there: readonly string[] = []) => {
  const at = (name: string): string => join(folder, `nginx-${name}`);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  writeFileSync(
    at('conf'),
    [
      'daemon off;',
      'worker_processes 1;',
      // Without this line the workers would run as a user who can't read the folder.
      ...(process.getuid?.() === 0 ? ['user root;'] : []),
      `pid ${at('pid')};`,
      'error_log stderr;',
      'events {}',
      'http {',
      'access_log off;',
      ...temporary.map((kind) => `${kind}_temp_path ${at(kind)};`),
      ...servers.map(({ port, addresses = [LOOPBACK], certificate: tls, root, proxyTo }) =>
        [
          'server {',
          ...addresses.map((address) => `listen ${address}:${port}${tls ? ' ssl' : ''};`),
          ...(tls ? [`ssl_certificate ${tls.cert};`, `ssl_certificate_key ${tls.key};`] : []),
          'default_type text/plain;',
          ...(proxyTo !== undefined
            ? [passingOn(proxyTo)]
            : root === undefined
              ? ['location / { return 200 "All is well.\\n"; }']
              : [`root ${root};`, 'gzip_static on;']),
          '}',
        ].join('\n'),
      ),
      '}',
    ].join('\n'),
  );
  let running: ChildProcess | null = null;

  const stop = async (): Promise<void> => {
    if (!running) return;
    const ended = once(running, 'exit');
    running.kill('SIGTERM');
    running = null;
    await ended;
  };

  return {
    /** Starts nginx, and resolves when all servers accept connections. */
    start: async (): Promise<void> => {
      const [program, ...words] = [...there, 'nginx', '-p', folder, '-c', at('conf'), '-e', 'stderr'];
      const child = spawn(program, words, { stdio: ['ignore', 'ignore', 'pipe'] });
      running = child;
      let output = '';
      child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
      for (const { port, addresses: [address = LOOPBACK] = [] } of servers) {
        await eventually(() => {
          if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}: ${output}`);
          return acceptsConnections(port, address);
        });
      }
    },
    /** Reloads the configuration and the certificates. Requests in progress continue. */
    reload: (): void => {
      running?.kill('SIGHUP');
    },
    stop,
  };
};

/** Returns the `location` block of the example for operators. */
const passingOn = (port: number): string => {
  const example = readFileSync(inProject('deploy/proxy/nginx.conf'), 'utf8');
  const [location = ''] = /^ {2}location \/ \{[^}]*\}/m.exec(example) ?? [];
  return location.replace('http://uptrail;', `http://${LOOPBACK}:${port};`);
};

/** Returns whether a server listens on a port. */
export const acceptsConnections = (port: number, address = '127.0.0.1'): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, address.replace(/^\[(.*)\]$/, '$1'));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => {
      resolve(false);
    });
  });
