import { randomBytes } from 'node:crypto';
import { createServer, type Server, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inTemporaryFolder } from '../service/temporary.ts';
import { createAuthority, hasOpenssl } from '../probes/web/certificates.ts';
import { rawServer, saying, type Opened } from '../probes/web/servers.ts';
import { freePort } from '../servers/ports.ts';
import { createCheck } from './checking.ts';
import { createNginx, hasNginx } from './nginx.ts';
import { callApi, endPrograms, serve } from './program.ts';

const ADMIN_API_KEY = 'the-admin-key-of-this-test';
/** The interval and the timeout of checks, in seconds. */
const INTERVAL = 30;
const TIMEOUT = 3;
/** Time limit for the first run of a new check, in seconds. */
const FIRST_RUN = 5;

/** A server that can be stopped and started again on the same port. */
interface Target {
  definition: { name: string; type: string } & Record<string, unknown>;
  /** the check's error message while the server is stopped */
  stopped: string;
  start: () => Promise<void>;
  stop: () => Promise<void>;
}

/** Starts a server that responds to `PING` with `+PONG`. */
const tcpTarget = async (): Promise<Target> => {
  const port = await freePort();
  const sockets = new Set<Socket>();
  let server: Server | null = null;
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      for (const socket of sockets) socket.destroy();
      if (!server) resolve();
      else
        server.close(() => {
          resolve();
        });
      server = null;
    });
  return {
    definition: {
      name: 'Cache',
      type: 'tcp',
      host: '127.0.0.1',
      port,
      parameters: { send_text: 'PING\r\n', search_text: '+PONG' },
    },
    stopped: `Connection refused by 127.0.0.1:${port}.`,
    start: () =>
      new Promise((resolve, reject) => {
        server = createServer((socket) => {
          sockets.add(socket);
          socket.on('close', () => sockets.delete(socket));
          socket.on('error', () => undefined);
          socket.once('data', () => socket.write('+PONG\r\n'));
        });
        server.once('error', reject);
        server.listen(port, '127.0.0.1', resolve);
      }),
    stop,
  };
};

/** Configures nginx with one page over HTTP and HTTPS. Both targets stop and start together. */
const nginxTargets = async (folder: string, authority: ReturnType<typeof createAuthority>): Promise<Target[]> => {
  const [plain, secure] = [await freePort(), await freePort()];
  authority.make('nginx', { names: 'IP:127.0.0.1' });
  const certificate = { cert: authority.file('nginx.crt'), key: authority.file('nginx.key') };
  const { start, stop } = createNginx(folder, [{ port: plain }, { port: secure, certificate }]);
  const idle = async (): Promise<void> => undefined;
  const target = (name: string, scheme: string, port: number, does: Pick<Target, 'start' | 'stop'>): Target => ({
    definition: {
      name,
      type: 'web',
      url: `${scheme}://127.0.0.1:${port}/`,
      parameters: { search_text: 'All is well.' },
    },
    stopped: `Connection refused by 127.0.0.1:${port}.`,
    ...does,
  });
  return [
    target('Front page', 'http', plain, { start, stop }),
    target('Secure front page', 'https', secure, { start: idle, stop: idle }),
  ];
};

const test = suite('checks of real servers');
test.after.each(endPrograms);

const missing = [...(hasNginx() ? [] : ['nginx']), ...(hasOpenssl() ? [] : ['openssl'])];
for (const tool of missing) console.log(`skipped: ${tool} is not installed`);
if (missing.length > 0) test.skip('checks of nginx over HTTP and HTTPS', () => undefined);

test(
  'checks of real servers come up, go down with a sentence that names the reason, and recover, each within an interval plus the timeout',
  inTemporaryFolder(async (folder) => {
    const authority = missing.length === 0 ? createAuthority() : null;
    const targets = [await tcpTarget(), ...(authority ? await nginxTargets(folder, authority) : [])];
    try {
      for (const { start } of targets) await start();
      const program = await serve({
        DATA_DIR: `${folder}/data`,
        ADMIN_API_KEY,
        ...(authority && { NODE_EXTRA_CA_CERTS: authority.file('root.crt') }),
      });
      const checks = await Promise.all(
        targets.map(async (target) => ({
          ...target,
          ...(await createCheck(program, ADMIN_API_KEY, {
            ...target.definition,
            interval: INTERVAL,
            timeout: TIMEOUT,
          })),
        })),
      );
      await Promise.all(
        checks.map(async ({ definition, statusAtFirst, reaches, results }) => {
          assert.is(statusAtFirst, 'pending', definition.name);
          await reaches('up', FIRST_RUN + TIMEOUT);
          const [result] = await results();
          assert.is(result?.status, 'ok', definition.name);
          assert.ok(Number.isInteger(result?.response_time), definition.name);
          assert.is(result?.check_metadata['connected'], true, definition.name);
          assert.is(result?.check_metadata['address'], '127.0.0.1', definition.name);
        }),
      );

      for (const { stop } of targets) await stop();
      await Promise.all(
        checks.map(async ({ stopped, reaches, results }) => {
          await reaches('down', INTERVAL + TIMEOUT);
          const [result] = await results();
          assert.equal([result?.status, result?.response_time, result?.error_message], ['down', null, stopped]);
        }),
      );

      for (const { start } of targets) await start();
      await Promise.all(checks.map(({ reaches }) => reaches('up', INTERVAL + TIMEOUT)));
      for (const { path } of checks) {
        const { body } = await callApi(program, ADMIN_API_KEY, 'GET', `${path}/status-history`);
        const { status_history } = body as { status_history: { status: string; ended_at: string | null }[] };
        assert.equal(
          status_history.map(({ status, ended_at }) => [status, ended_at === null]),
          [
            ['up', true],
            ['down', false],
            ['up', false],
          ],
        );
      }
      assert.is((await program.end('SIGTERM')).code, 0);
    } finally {
      for (const { stop } of targets) await stop();
      authority?.close();
    }
  }),
);

/** Misbehaving servers, and the error messages of checks of these servers. */
const HOSTILE: [name: string, server: () => Promise<Opened>, status: string, sentence: (peer: string) => string][] = [
  [
    'silent',
    () => rawServer(() => undefined),
    'down',
    (peer) => `Timed out after 3 s waiting for an answer from ${peer}.`,
  ],
  [
    'cut off',
    () => saying('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc', (socket) => socket.end()),
    'down',
    (peer) => `${peer} closed the connection before the response was complete.`,
  ],
  [
    'dripping',
    () => saying('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nabc'),
    'down',
    (peer) => `Timed out after 3 s receiving the response from ${peer} (3 bytes so far).`,
  ],
  [
    'huge headers',
    () => saying(`HTTP/1.1 200 OK\r\n${'X-More: '.padEnd(100, 'x').concat('\r\n').repeat(1_000)}\r\n`),
    'down',
    () => 'The response headers are larger than 64 KiB.',
  ],
  ['SSH', () => saying('SSH-2.0-x\r\n'), 'down', () => 'The response is not HTTP: the server speaks SSH.'],
  [
    'interim answer alone',
    () => saying('HTTP/1.1 100 Continue\r\n\r\n', (socket) => socket.end()),
    'down',
    (peer) => `${peer} closed the connection after an interim answer, without the final one.`,
  ],
  [
    'enormous chunk',
    () => saying('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nx'),
    'down',
    () => 'The response is not valid HTTP: a chunk is larger than any response.',
  ],
  [
    'bomb',
    () => saying([`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n`, gzipSync(Buffer.alloc(20_000_000))]),
    'failed',
    () => 'The response decompresses to more than 10 MiB.',
  ],
  [
    'reset within a packed page',
    () =>
      saying(['HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n', gzipSync(randomBytes(90_000))], (socket) => {
        setTimeout(() => socket.resetAndDestroy(), 100);
      }),
    'down',
    (peer) => `${peer} reset the connection before the response was complete.`,
  ],
  [
    'redirect loop',
    () => saying('HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 0\r\n\r\n'),
    'failed',
    (peer) => `Redirect loop: http://${peer}/ → http://${peer}/.`,
  ],
  [
    'redirect to cloud metadata',
    () => saying('HTTP/1.1 302 Found\r\nLocation: http://169.254.169.254/latest/\r\nContent-Length: 0\r\n\r\n'),
    'failed',
    () => 'The target policy does not allow 169.254.169.254 (link-local).',
  ],
];

test(
  'checks of misbehaving servers report what is wrong with each server',
  inTemporaryFolder(async (DATA_DIR) => {
    const program = await serve({ DATA_DIR, ADMIN_API_KEY });
    await Promise.all(
      HOSTILE.map(async ([name, start, status, sentence]) => {
        const server = await start();
        const peer = `127.0.0.1:${server.port}`;
        try {
          const definition = { name, type: 'web', url: `http://${peer}/`, interval: INTERVAL, timeout: TIMEOUT };
          const check = await createCheck(program, ADMIN_API_KEY, definition);
          await check.reaches('down', FIRST_RUN + TIMEOUT);
          const [result] = await check.results();
          assert.equal([result?.status, result?.error_message], [status, sentence(peer)], name);
        } finally {
          await server.close();
        }
      }),
    );
    assert.is((await program.end('SIGTERM')).code, 0);
  }),
);

test(
  'a check of a compressed page is up in every run, even if the server closes the connection after the page',
  inTemporaryFolder(async (DATA_DIR) => {
    const page = gzipSync(Buffer.from(`${randomBytes(50_000).toString('base64')}All is well.`));
    const server = await saying(['HTTP/1.0 200 OK\r\nContent-Encoding: gzip\r\n\r\n', page], (socket) => socket.end());
    const url = `http://127.0.0.1:${server.port}/`;
    const parameters = { search_text: 'All is well.' };
    const program = await serve({ DATA_DIR, ADMIN_API_KEY });
    try {
      const definition = { name: 'packed', type: 'web', url, interval: INTERVAL, timeout: TIMEOUT, parameters };
      for (let made = 0; made < 5; made++)
        await (await createCheck(program, ADMIN_API_KEY, definition)).reaches('up', FIRST_RUN + TIMEOUT);
      assert.is((await program.end('SIGTERM')).code, 0);
    } finally {
      await server.close();
    }
  }),
);

test.run();
