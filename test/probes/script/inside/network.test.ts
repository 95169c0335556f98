import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createSecure } from 'node:https';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { resolveIn } from '../../run-context.ts';
import { createAuthority, hasOpenssl } from '../../web/certificates.ts';
import { closeServers, listening } from '../../web/servers.ts';
import { closeProxies, proxied } from '../proxy/proxy-client.ts';
import { forwarderTo, INSIDE } from './loading.ts';
import { inProject } from '../../../project.ts';

const going = suite('network access of Node.js in a sandbox');

const PROGRAM = inProject('test/probes/script/inside/network-program.cjs');

const answer: RequestListener = (request, response) => {
  let size = 0;
  request.on('data', (piece: Buffer) => (size += piece.length));
  request.on('end', () => {
    const { method = '', url = '', headers } = request;
    const [, length] = /^\/(\d+)$/.exec(url) ?? [];
    if (length !== undefined) response.end(Buffer.alloc(Number(length)));
    else if (url !== '/silent') response.end(`${method} ${url} ${size} ${headers['user-agent'] ?? ''}`);
  });
};

/** Accepts a WebSocket, and sends `hello` after the first message. */
const greet = (request: IncomingMessage, socket: Duplex): void => {
  const key = `${request.headers['sec-websocket-key'] ?? ''}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
  const accept = createHash('sha1').update(key).digest('base64');
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
  socket.on('error', () => undefined);
  socket.once('data', () => {
    socket.write(Buffer.concat([Buffer.from([0x81, 5]), Buffer.from('hello')]));
    // The client then closes the WebSocket.
    socket.once('data', () => socket.end());
  });
};

/** Runs every kind of request. @returns the results by their names in the program, and the notes of the proxy */
const outcomes = async (): Promise<{ found: Record<string, unknown>; notes: string[] }> => {
  const authority = createAuthority();
  try {
    const http = createServer(answer);
    http.on('upgrade', greet);
    const plain = await listening(http);
    const secure = await listening(createSecure(authority.make('name.test', { names: 'DNS:name.test' }), answer));
    const known = resolveIn({ 'name.test': ['127.0.0.1'] });
    const proxy = await proxied({
      resolve: (host) => (host === 'silent.test' ? new Promise(() => undefined) : known(host)),
      limits: { connect: 5_000 },
    });
    const forwarder = await forwarderTo(proxy.path);
    const ports = [forwarder.port, plain.port, secure.port].map(String);
    const words = [PROGRAM, fileURLToPath(INSIDE), ...ports, authority.file('root.crt')];
    const { stdout } = await promisify(execFile)(process.execPath, words);
    await forwarder.close();
    return { found: JSON.parse(stdout) as Record<string, unknown>, notes: proxy.notes };
  } finally {
    authority.close();
    await closeProxies();
    await closeServers();
  }
};

const REFUSED = 'Scripts may connect to the ports 80, 443 and 1024-65535, and not to name.test:81.';
const UNTRUSTED = /^(TypeError|Error): (unable to verify the first certificate|unable to get local issuer certificate)/;

if (hasOpenssl()) {
  going('in a sandbox, fetch, http and https work as usual, and explain their failures', async () => {
    const { found, notes } = await outcomes();
    const is = (deed: string, expected: unknown): void => {
      assert.equal(found[deed], expected, deed);
    };
    const plain = (text: string) => ({ status: 200, text });
    const secure = (text: string) => ({ status: 200, text, subject: 'name.test' });
    is('fetch', 'POST /a 1 node');
    assert.match(found['fetch over TLS that is not trusted'] as string, UNTRUSTED);
    is('fetch of what is refused', `TypeError: ${REFUSED}`);
    is('fetch of what is not there', 'TypeError: The host name nowhere.test was not found.');
    assert.match(found['fetch that is given up'] as string, /^TimeoutError: /);
    is('http', plain('GET /a 0 '));
    is('http, a large body', plain('POST / 1000000 '));
    const sizes = [20_000, 50_000, 70_000, 90_000, 110_000, 150_000, 300_000];
    is('http, answers that are read late', sizes);
    is('https, answers that are read late', sizes);
    is('http without an agent', plain('GET / 0 '));
    is('http with an own agent', plain('GET / 0 '));
    is('http of what is refused', `Error: ${REFUSED}`);
    is('http of a URL', plain('GET /a 0 '));
    assert.match(found['http by an address'] as string, /^Error: (Connection refused by|No route to) \[::1\]:/);
    is('http with a time limit while it connects', 'Error: timed out');
    is('http with a time limit for the answer', 'Error: timed out');
    assert.match(found['http that is given up while it connects'] as string, /^AbortError: /);
    is('http over a socket of the file system', "Error: A script can't connect to a socket of the file system.");
    assert.match(found['https that is not trusted'] as string, UNTRUSTED);
    is('https with an authority', secure('GET / 0 '));
    assert.match(found['https with an authority and another name'] as string, /other\.test/);
    is('https that is not asked to be trusted', secure('GET / 0 '));
    is('https with an own agent', secure('GET / 0 '));
    is('https without an agent', secure('GET / 0 '));
    is('https of what is refused', `Error: ${REFUSED}`);
    is('https with a time limit for the answer', 'Error: timed out');
    is('WebSocket', 'hello');
    is('WebSocket of what is refused', 'Error: no WebSocket');
    assert.ok(notes.includes(REFUSED));
  });
} else console.log('skipped: openssl is not installed');

going.run();
