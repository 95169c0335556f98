import { once } from 'node:events';
import { createServer as createPlain, type Server } from 'node:http';
import { createServer } from 'node:https';
import { connect, type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openUplink, explainUplinkFailure, type Uplink, type UplinkResponse } from '../../network/uplink.ts';
import { createAuthority } from '../probes/web/certificates.ts';

const test = suite('the HTTPS client with which a runner connects to its service');

const authority = createAuthority();
const certificate = authority.make('uptrail', { names: 'DNS:localhost,IP:127.0.0.1' });
test.after(authority.close);

const servers = new Set<Server>();
test.after.each(async () => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  servers.clear();
});

const listening = async (server: Server): Promise<number> => {
  servers.add(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
};

/** Starts an HTTPS server that responds with a copy of the request. @returns its port */
const startSecure = (): Promise<number> =>
  listening(
    createServer({ ...certificate }, (request, response) => {
      const { method = '', url = '', headers } = request;
      if (url.endsWith('/elsewhere')) {
        response.writeHead(302, { location: 'https://127.0.0.1:1/' }).end();
        return;
      }
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        response.writeHead(200, { 'retry-after': '7' });
        response.end(`${method} ${url} ${headers.authorization ?? ''} ${Buffer.concat(chunks).toString()}`);
      });
    }),
  );

const REQUEST = { method: 'GET', path: '/path', headers: {}, timeout: 10_000, idleTimeout: 10_000 } as const;

const textOf = async ({ body }: UplinkResponse): Promise<string> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};

const withUplink = async (
  options: Partial<Parameters<typeof openUplink>[0]> & { server: URL },
  body: (uplink: Uplink) => Promise<void>,
): Promise<void> => {
  const uplink = openUplink({ trust: [], proxy: null, ...options });
  try {
    await body(uplink);
  } finally {
    await uplink.close();
  }
};

test('the client of a runner trusts configured certificates, and otherwise explains how to configure them', async () => {
  const server = new URL(`https://localhost:${await startSecure()}/base/`);
  await withUplink({ server, trust: [authority.root] }, async (uplink) => {
    const response = await uplink.request({ ...REQUEST, headers: { authorization: 'Bearer t' } });
    assert.equal([response.status, response.retryAfter], [200, '7']);
    assert.is(await textOf(response), 'GET /base/path Bearer t ');
  });
  await withUplink({ server }, async (uplink) => {
    const trouble = await uplink.request(REQUEST).then(() => '', explainUplinkFailure);
    assert.match(trouble, 'certificate');
    assert.match(trouble, '--ca-file');
  });
});

test('the client of a runner streams a request body', async () => {
  const server = new URL(`https://localhost:${await startSecure()}`);
  const body = (async function* () {
    yield Buffer.from('one ');
    yield Buffer.from('two');
  })();
  await withUplink({ server, trust: [authority.root] }, async (uplink) => {
    assert.is(await textOf(await uplink.request({ ...REQUEST, method: 'PUT', body })), 'PUT /path  one two');
  });
});

test('the client of a runner does not follow redirects', async () => {
  const server = new URL(`https://localhost:${await startSecure()}`);
  await withUplink({ server, trust: [authority.root] }, async (uplink) => {
    assert.is((await uplink.request({ ...REQUEST, path: '/elsewhere' })).status, 302);
  });
});

test("the client of a runner connects through a proxy, which can't read the data", async () => {
  const port = await startSecure();
  const connects: string[] = [];
  let seen = '';
  const proxy = createPlain();
  proxy.on('connect', ({ url = '', headers }, client: Duplex) => {
    connects.push(`${url} ${headers['proxy-authorization'] ?? ''}`);
    const socket: Socket = connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      client.on('data', (chunk: Buffer) => (seen += chunk.toString('latin1')));
      client.pipe(socket).pipe(client);
    });
    for (const end of [client, socket]) end.on('error', () => undefined);
  });
  const at = await listening(proxy);
  const options = {
    server: new URL('https://uptrail.test:8443'),
    trust: [authority.root, authority.make('named', { names: 'DNS:uptrail.test' }).cert],
    proxy: new URL(`http://user:word@127.0.0.1:${at}`),
  };
  await withUplink(options, async (uplink) => {
    const trouble = await uplink.request(REQUEST).then(() => '', explainUplinkFailure);
    assert.match(trouble, "Host: uptrail.test. is not in the cert's altnames");
  });
  await withUplink({ ...options, server: new URL('https://localhost:8443') }, async (uplink) => {
    const headers = { authorization: 'Bearer secret' };
    assert.is(await textOf(await uplink.request({ ...REQUEST, headers })), 'GET /path Bearer secret ');
  });
  const authorization = `Basic ${Buffer.from('user:word').toString('base64')}`;
  assert.equal(connects, [`uptrail.test:8443 ${authorization}`, `localhost:8443 ${authorization}`]);
  assert.not.match(seen, 'secret');
});

test('the client of a runner explains why there is no response', async () => {
  await withUplink({ server: new URL('http://127.0.0.1:1') }, async (uplink) => {
    assert.is(await uplink.request(REQUEST).then(() => '', explainUplinkFailure), 'connect ECONNREFUSED 127.0.0.1:1');
  });
  const none = new AggregateError([Object.assign(new Error(''), { code: 'ENETUNREACH' })]);
  assert.is(explainUplinkFailure(none), 'ENETUNREACH');
  assert.is(explainUplinkFailure('odd'), 'odd');
});

test.run();
