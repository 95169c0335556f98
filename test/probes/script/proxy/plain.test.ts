import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { closeServers, httpServer, rawServer } from '../../web/servers.ts';
import { forwarderTo } from '../inside/loading.ts';
import { answerIn, responseTo, client, closeProxies, got, proxied } from './proxy-client.ts';
import { eventually, realPause } from '../../../waiting.ts';

const plain = suite('plain HTTP through the proxy');

plain.after.each(async () => {
  await closeProxies();
  await closeServers();
});

plain('the proxy forwards a request and returns its response', async () => {
  const server = await httpServer((request, response, body) => {
    const { method, url, headers } = request;
    const answer = JSON.stringify({ method, url, headers, body });
    response.writeHead(201, 'Made', { 'X-Twice': ['one', 'two'], 'Content-Length': answer.length });
    response.end(answer);
  });
  const proxy = await proxied();
  const place = `name.test:${server.port}`;
  const text = await responseTo(
    proxy,
    `POST http://${place}/a%20b/../c?d=e HTTP/1.1\r\nHost: other.test\r\nX-Own: 1\r\nCookie: a=b\r\n` +
      'Content-Length: 5\r\nConnection: close\r\n\r\nhello',
  );
  assert.match(text, /^HTTP\/1\.1 201 Made\r\n/);
  assert.match(text, /\r\nX-Twice: one\r\nX-Twice: two\r\n/);
  const output = JSON.parse(answerIn(text)[1]) as { headers: Record<string, string>; [field: string]: unknown };
  assert.equal([output['method'], output['url'], output['body']], ['POST', '/a%20b/../c?d=e', 'hello']);
  const { connection, ...headers } = output.headers;
  assert.is(connection, 'close');
  assert.equal(headers, { host: place, 'x-own': '1', cookie: 'a=b', 'content-length': '5' });
});

plain('the proxy does not forward connection-specific header fields, and does not identify itself', async () => {
  let received: readonly string[] = [];
  const server = await httpServer((request, response) => {
    received = request.rawHeaders.map((text) => text.toLowerCase());
    response.writeHead(200, {
      Connection: 'close, X-Hop',
      'X-Hop': '1',
      'Proxy-Status': 'sandbox; error=made_up',
      'Proxy-Authenticate': 'Basic',
      'X-End': '1',
    });
    response.end('ok');
  });
  const proxy = await proxied();
  const url = `http://name.test:${server.port}/`;
  const text = await responseTo(
    proxy,
    `GET ${url} HTTP/1.1\r\nHost: x\r\nConnection: close, X-Secret\r\nX-Secret: 1\r\nProxy-Connection: keep-alive\r\n` +
      'Proxy-Authorization: Basic eDp5\r\nTE: trailers\r\nUpgrade: h2c\r\nKeep-Alive: 5\r\nExpect: 100-continue\r\nX-Mine: 1\r\n\r\n',
  );
  const names = received.filter((_, index) => index % 2 === 0);
  assert.equal(names.sort(), ['connection', 'host', 'x-mine']);
  assert.match(text, /\r\nX-End: 1\r\n/);
  assert.not.match(text, /X-Hop|Proxy-|\r\nVia|uptrail/i);
});

plain(
  'the proxy handles several requests to several targets on one client connection, and reuses its connections to targets',
  async () => {
    let connections = 0;
    const one = await httpServer((_, response) => response.end('one'));
    const two = await rawServer((socket) => {
      connections += 1;
      socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\ntwo'));
    });
    const proxy = await proxied();
    const to = (port: number): string => `GET http://name.test:${port}/ HTTP/1.1\r\nHost: x\r\n\r\n`;
    const asking = client(proxy, to(two.port) + to(one.port) + to(two.port));
    await asking.until(/two[^]*one[^]*two/);
    asking.socket.write(to(two.port));
    await asking.until(/two[^]*one[^]*two[^]*two/);
    assert.is(
      connections <= 2,
      true,
      'of the requests to one target at least one goes over a connection that was open',
    );
    asking.socket.destroy();
  },
);

plain('the proxy repeats a request if the target closed the reused connection', async () => {
  let requests = 0;
  const server = await rawServer((socket) => {
    let first = true;
    socket.on('data', () => {
      requests += 1;
      if (!first) socket.resetAndDestroy();
      else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
      first = false;
    });
  });
  const proxy = await proxied();
  const request = `GET http://name.test:${server.port}/ HTTP/1.1\r\nHost: x\r\n\r\n`;
  const asking = client(proxy, request);
  await asking.until('ok');
  asking.socket.write(request);
  await asking.until(/ok[^]*ok/);
  assert.is(requests, 3);
  assert.equal(proxy.notes, []);
  asking.socket.destroy();
});

plain('the proxy streams bodies in both directions, with a known length and in chunks', async () => {
  const large = randomBytes(5_000_000).toString('base64');
  const server = await httpServer((_, response, body) => response.end(body));
  const proxy = await proxied();
  const url = `http://name.test:${server.port}/`;
  const known = await responseTo(
    proxy,
    `PUT ${url} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${large.length}\r\n\r\n${large}`,
  );
  assert.ok(
    answerIn(known)[1]
      .replace(/\r\n[0-9a-f]+\r\n/g, '')
      .includes(large.slice(0, 1_000)),
  );
  const half = large.length / 2;
  const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;
  const chunked = await responseTo(
    proxy,
    `PUT ${url} HTTP/1.0\r\nConnection: close\r\nContent-Length: ${large.length}\r\n\r\n${large}`,
  );
  // The response to a client of HTTP/1.0 is not chunked.
  assert.is(answerIn(chunked)[1] === large, true);
  const pieces = await responseTo(
    proxy,
    `PUT ${url} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n` +
      `${chunk(large.slice(0, half))}${chunk(large.slice(half))}0\r\n\r\n`,
  );
  assert.ok(pieces.length > large.length);
});

plain('the proxy reads no more from a target than its client accepts', async () => {
  let written = 0;
  const server = await rawServer((socket) => {
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      const piece = Buffer.alloc(65_536);
      const fill = (): void => {
        while (written < 50_000_000 && socket.write(piece)) written += piece.length;
        if (written < 50_000_000) socket.once('drain', fill);
      };
      fill();
    });
  });
  const proxy = await proxied();
  const asking = client(proxy, `GET http://name.test:${server.port}/ HTTP/1.1\r\nHost: x\r\n\r\n`);
  asking.socket.pause();
  let before = -1;
  while (before !== written || written === 0) {
    before = written;
    await realPause(200, 'buffers are full once nothing more is written for a while');
  }
  // Sockets and buffers along the way can hold this amount.
  assert.ok(written < 20_000_000, `${written} bytes were taken`);
  asking.socket.destroy();
});

plain(
  'the proxy breaks the connection after a truncated response, so that the response does not look complete',
  async () => {
    const server = await rawServer((socket) => {
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf'));
    });
    const proxy = await proxied();
    const text = await got(proxy, `http://name.test:${server.port}/`);
    assert.match(text, /Content-Length: 100/);
    assert.is(answerIn(text)[1], 'half');
  },
);

plain('the proxy ends the request to a target when the client disconnects', async () => {
  const server = await rawServer((socket) => {
    socket.resume().once('end', () => socket.destroy());
  });
  const proxy = await proxied();
  const asking = client(proxy, `GET http://name.test:${server.port}/ HTTP/1.1\r\nHost: x\r\n\r\n`);
  await eventually(() => server.open() > 0);
  asking.socket.destroy();
  await eventually(() => server.open() === 0);
  assert.equal(proxy.notes, []);
});

plain('the proxy forwards responses to HEAD, 204 and 304 without a body, and skips interim responses', async () => {
  const server = await rawServer((socket) => {
    socket.once('data', (requested: Buffer) => {
      if (requested.toString().startsWith('HEAD')) socket.end('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n');
      else socket.end('HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 204 No Content\r\nX-Last: 1\r\n\r\n');
    });
  });
  const proxy = await proxied();
  const url = `http://name.test:${server.port}/`;
  const head = await responseTo(proxy, `HEAD ${url} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  assert.match(head, /^HTTP\/1\.1 200 OK\r\nContent-Length: 5\r\n/);
  assert.is(answerIn(head)[1], '');
  const empty = await got(proxy, url);
  assert.match(empty, /^HTTP\/1\.1 204 No Content\r\nX-Last: 1\r\n/);
});

const hasCurl = await promisify(execFile)('curl', ['--version']).then(
  () => true,
  () => false,
);

if (hasCurl) {
  plain('curl can use the proxy, with requests and tunnels', async () => {
    const server = await httpServer((request, response, body) => response.end(`${request.method ?? ''} ${body}`));
    const proxy = await proxied();
    const forwarder = await forwarderTo(proxy.path);
    const curl = async (...words: string[]): Promise<string> => {
      const through = ['-s', '-S', '--noproxy', '', '-x', `http://127.0.0.1:${forwarder.port}`];
      return (await promisify(execFile)('curl', [...through, ...words])).stdout;
    };
    const url = `http://name.test:${server.port}/`;
    assert.is(await curl(url), 'GET ');
    assert.is(await curl(url, '-d', 'a=b'), 'POST a=b');
    assert.is(await curl('-p', url, url), 'GET GET ');
    assert.is(await curl('-T', import.meta.filename, '-o', '/dev/null', '-w', '%{http_code}', url), '200');
    assert.is(await curl('-o', '/dev/null', '-w', '%{http_code}', 'http://name.test:81/'), '403');
    assert.is(await curl('-p', '-w', '%{http_connect}', 'http://name.test:81/').catch(() => 'refused'), 'refused');
    await forwarder.close();
  });
} else console.log('skipped: curl is not installed');

plain.run();
