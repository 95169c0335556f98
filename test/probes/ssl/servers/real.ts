import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { acceptsConnections } from '../../../e2e/nginx.ts';
import { inProject } from '../../../project.ts';
import { freePort } from '../../../servers/ports.ts';
import { eventually } from '../../../waiting.ts';

/* Servers of the distribution, each in its own process on a loopback port. */

export interface RealServer {
  port: number;
  stop: () => Promise<void>;
}

/** Paths of a key and of a self-signed certificate. */
export interface Pair {
  key: string;
  cert: string;
}

/** Creates a folder for the files of the servers. `close` removes the folder. */
export const createFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'uptrail-ssl-'));
  const file = (name: string): string => join(folder, name);
  return {
    file,
    write: (name: string, text: string): string => {
      writeFileSync(file(name), text);
      return file(name);
    },
    openssl: (...words: string[]): void => {
      const { status, stderr } = spawnSync('openssl', words, { encoding: 'utf8' });
      if (status !== 0) throw new Error(`openssl ${words.join(' ')}: ${stderr}`);
    },
    /**
     * Creates a key and a certificate.
     *
     * @param words options of `openssl req` for the key, such as `-newkey rsa:2048`
     */
    pair: (name: string, ...words: string[]): Pair => {
      const pair = { key: file(`${name}.key`), cert: file(`${name}.crt`) };
      const { status, stderr } = spawnSync(
        'openssl',
        [
          ...['req', '-x509', '-nodes', '-subj', '/CN=tls.test', '-days', '3650', ...words],
          ...['-addext', 'subjectAltName=DNS:tls.test', '-keyout', pair.key, '-out', pair.cert],
        ],
        { encoding: 'utf8' },
      );
      if (status !== 0) throw new Error(`openssl req ${words.join(' ')}: ${stderr}`);
      return pair;
    },
    read: (name: string): string => readFileSync(file(name), 'utf8'),
    close: (): void => {
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
export type Folder = ReturnType<typeof createFolder>;

export const has = (program: string, ...words: string[]): boolean => spawnSync(program, words).error === undefined;

const running = new Set<RealServer>();

/** Stops the servers that a failed test has left running. */
export const stopServers = async (): Promise<void> => {
  await Promise.all([...running].map(({ stop }) => stop()));
};

const started = (child: ChildProcess, port: number): RealServer => {
  const server: RealServer = {
    port,
    stop: async () => {
      if (!running.delete(server) || child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
  running.add(server);
  return server;
};

/** Waits for a line in the output of a process. */
const line = (child: ChildProcess, pattern: RegExp): Promise<RegExpExecArray> =>
  new Promise((resolve, reject) => {
    let output = '';
    const hear = (chunk: Buffer): void => {
      output += chunk.toString();
      const found = pattern.exec(output);
      if (found) resolve(found);
    };
    child.stdout?.on('data', hear);
    child.stderr?.on('data', hear);
    child.once('exit', () => {
      reject(new Error(`It ended: ${output}`));
    });
  });

/**
 * Starts `openssl s_server` with further arguments. It serves one connection after another. It does not use response
 * mode (`-www`), in which openssl sleeps for a second after a client disconnects.
 *
 * @param words further arguments
 */
export const opensslServer = async ({ key, cert }: Pair, ...words: string[]): Promise<RealServer> => {
  const child = spawn(
    'openssl',
    ['s_server', '-accept', '127.0.0.1:0', '-naccept', '100000', '-key', key, '-cert', cert, ...words],
    { stdio: ['pipe', 'pipe', 'pipe'] },
  );
  const [, port] = await line(child, /ACCEPT 127\.0\.0\.1:(\d+)/);
  return started(child, Number(port));
};

/** Starts nginx with one TLS server. @param settings lines of the `server` block, such as `ssl_protocols TLSv1.3;` */
export const nginxServer = async (folder: Folder, { key, cert }: Pair, settings: string): Promise<RealServer> => {
  const port = await freePort();
  const name = `nginx-${port}`;
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${folder.file(`${name}-${kind}`)};`)
    .join(' ');
  const file = folder.write(
    `${name}.conf`,
    `daemon off; master_process off; pid ${folder.file(`${name}.pid`)}; error_log stderr;
     events { worker_connections 256; }
     http { access_log off; ${temporary}
       server { listen 127.0.0.1:${port} ssl; ssl_certificate ${cert}; ssl_certificate_key ${key};
         ${settings} location / { return 204; } } }`,
  );
  const child = spawn('nginx', ['-c', file], { stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await eventually(() => {
    if (child.exitCode !== null) throw new Error(`nginx ended: ${output}`);
    return acceptsConnections(port);
  });
  return started(child, port);
};

const TLSLITE = inProject('test/probes/ssl/servers/tlslite.sh');

/** Returns the path of the Python for which tlslite-ng is installed; null if there is none. */
export const tlslitePython = (): string | null => {
  const { stdout } = spawnSync('bash', [TLSLITE, '--python'], { encoding: 'utf8' });
  return stdout.trim() || null;
};

/** Starts a server of tlslite-ng. @param settings fields of its HandshakeSettings, and `anonymous` */
export const tlsliteServer = async (
  python: string,
  { key, cert }: Pair,
  settings: Readonly<Record<string, unknown>>,
): Promise<RealServer> => {
  const child = spawn(
    python,
    [inProject('test/probes/ssl/servers/tlslite_server.py'), key, cert, JSON.stringify(settings)],
    {
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  );
  const [, port] = await line(child, /PORT (\d+)/);
  return started(child, Number(port));
};
