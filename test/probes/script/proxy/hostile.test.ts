import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { closeServers, httpServer, rawServer } from '../../web/servers.ts';
import { answerIn, responseTo, client, closeProxies, got, proxied, tunnel } from './proxy-client.ts';

const hostile = suite('hostile clients and targets of the proxy');

hostile.after.each(async () => {
  await closeProxies();
  await closeServers();
});

const LONG = 'x'.repeat(70_000);

/** Invalid requests. `URL` is replaced by the URL of a server that counts its requests. */
const NONSENSE: readonly [what: string, said: string | Buffer, status: number][] = [
  ['random bytes', Buffer.concat([Buffer.from([0]), randomBytes(500)]), 400],
  ['a TLS hello', Buffer.from('16030100050100000100', 'hex'), 400],
  ['a request that is not meant for a proxy', 'GET / HTTP/1.1\r\nHost: name.test\r\n\r\n', 400],
  ['an https URL without a tunnel', 'GET https://name.test/ HTTP/1.1\r\nHost: x\r\n\r\n', 400],
  ['a file URL', 'GET file:///etc/passwd HTTP/1.1\r\nHost: x\r\n\r\n', 400],
  ['a URL without a host', 'GET http:///path HTTP/1.1\r\nHost: x\r\n\r\n', 400],
  ['a URL of a socket file', 'GET http://unix:/tmp/x.sock:/ HTTP/1.1\r\nHost: x\r\n\r\n', 400],
  ['two lengths', 'POST URL HTTP/1.1\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!', 400],
  ['a length and chunks', 'POST URL HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', 400],
  ['an unknown transfer coding', 'POST URL HTTP/1.1\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n', 400],
  ['a folded field', 'GET URL HTTP/1.1\r\nX-A: b\r\n c\r\n\r\n', 400],
  ['a blank before a colon', 'GET URL HTTP/1.1\r\nContent-Length : 5\r\n\r\nhello', 400],
  ['lines that end with bare line feeds', 'GET URL HTTP/1.1\nHost: x\n\n', 400],
  ['a NUL in a field', 'GET URL HTTP/1.1\r\nX-A: \0\r\n\r\n', 400],
  ['a head that is too long', `GET URL HTTP/1.1\r\nX-A: ${LONG}\r\n\r\n`, 431],
  ['a head of many fields', `GET URL HTTP/1.1\r\n${'X-Field: value\r\n'.repeat(20_000)}\r\n`, 431],
  ['a URL that is too long', `GET URL${LONG} HTTP/1.1\r\n\r\n`, 431],
];

for (const [what, said, status] of NONSENSE) {
  hostile(`the proxy responds with ${status} to ${what}, forwards nothing, and continues to work`, async () => {
    let requests = 0;
    const server = await httpServer((_, response) => {
      requests += 1;
      response.end('ok');
    });
    const url = `http://name.test:${server.port}/`;
    const proxy = await proxied();
    const text = typeof said === 'string' ? said.replace('URL', url) : said;
    const answer = await responseTo(proxy, text);
    assert.is(answerIn(answer)[0], status, answer.slice(0, 200));
    assert.is(requests, 0);
    assert.is(answerIn(await got(proxy, url))[0], 200);
  });
}

hostile('the proxy forwards one request as one request, whatever its body contains', async () => {
  const received: string[] = [];
  const server = await httpServer((request, response, body) => {
    received.push(`${request.method ?? ''} ${request.url ?? ''} ${body}`);
    response.end('ok');
  });
  const url = `http://name.test:${server.port}`;
  const proxy = await proxied();
  const smuggled = 'GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n';
  await responseTo(
    proxy,
    `POST ${url}/one HTTP/1.1\r\nHost: x\r\nConnection: close, Content-Length\r\nContent-Length: ${smuggled.length}\r\n\r\n${smuggled}`,
  );
  const size = smuggled.length.toString(16);
  await responseTo(
    proxy,
    `POST ${url}/two HTTP/1.1\r\nHost: x\r\nConnection: close, Transfer-Encoding\r\nTransfer-Encoding: chunked\r\n\r\n${size};x=y\r\n${smuggled}\r\n0\r\nX-Trailer: 1\r\n\r\n`,
  );
  assert.equal(received, [`POST /one ${smuggled}`, `POST /two ${smuggled}`]);
});

hostile('a client that sends its request slowly does not delay the proxy’s other clients', async () => {
  const server = await httpServer((_, response) => response.end('ok'));
  const url = `http://name.test:${server.port}/`;
  const proxy = await proxied();
  const slow = client(proxy, 'GET ');
  assert.is(answerIn(await got(proxy, url))[0], 200);
  slow.socket.end();
  await slow.whole;
  assert.equal(proxy.notes, []);
});

/** Invalid responses, and the error that the proxy reports. */
const ANSWERS: readonly [what: string, talk: (socket: Socket) => void, sentence: RegExp][] = [
  ['random bytes', (socket) => socket.end(randomBytes(500)), /that is not valid HTTP/],
  ['HTTP/2', (socket) => socket.end('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), /that is not valid HTTP/],
  ['an impossible status', (socket) => socket.end('HTTP/1.1 099 No\r\n\r\n'), /that is not valid HTTP/],
  [
    'two lengths',
    (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'),
    /valid HTTP/,
  ],
  ['a head that is too long', (socket) => socket.end(`HTTP/1.1 200 OK\r\nX-A: ${LONG}\r\n\r\n`), /is too long/],
  [
    'an upgrade that was not requested',
    (socket) => socket.end('HTTP/1.1 101 Go\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
    /./,
  ],
  ['nothing', (socket) => socket.end(), /closed the connection before it answered/],
  ['a reset', (socket) => socket.resetAndDestroy(), /reset the connection before it answered/],
];

for (const [what, talk, sentence] of ANSWERS) {
  hostile(`the proxy responds with 502 if a target sends ${what}`, async () => {
    const server = await rawServer((socket) => {
      socket.once('data', () => {
        talk(socket);
      });
    });
    const proxy = await proxied();
    const [status, said] = answerIn(await got(proxy, `http://name.test:${server.port}/`));
    assert.is(status, 502);
    assert.match(said, sentence);
    assert.is(proxy.notes.length, 1);
    assert.match(proxy.notes[0] ?? '', sentence);
  });
}

/** Responses that browsers accept, although they violate RFC 9112. */
const READABLE: readonly [what: string, answer: string][] = [
  ['bare LFs', 'HTTP/1.1 200 OK\nContent-Length: 2\n\nok'],
  ['a blank before a colon', 'HTTP/1.1 200 OK\r\nContent-Length : 2\r\n\r\nok'],
  ['the same length twice', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok'],
  [
    'a length and chunks',
    'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n2 \nok\r\n0\r\n\r\n',
  ],
  ['a control byte', 'HTTP/1.1 200 OK\r\nX-Name: a\u0001b\r\nContent-Length: 2\r\n\r\nok'],
  ['lines that are not headers', 'HTTP/1.1 200 OK\r\nno header\r\nA B: x\r\nContent-Length: 2\r\n\r\nok'],
  ['names in lower case', 'http/1.1 200 ok\r\ncontent-length: 2\r\n\r\nok'],
  ['a folded line', 'HTTP/1.1 200 OK\r\nX-A: b\r\n c\r\nContent-Length: 2\r\n\r\nok'],
  ['an interim response first', 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'],
  ['an unknown transfer coding', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: x\r\nContent-Length: 2\r\n\r\nok'],
];

for (const [what, answer] of READABLE) {
  hostile(
    `the proxy forwards a response with ${what} as a valid response that has the content that a browser would read`,
    async () => {
      const server = await rawServer((socket) => {
        socket.once('data', () => socket.end(`${answer}HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecond`));
      });
      const proxy = await proxied();
      const text = await got(proxy, `http://name.test:${server.port}/`);
      const [head = ''] = text.split('\r\n\r\n');
      assert.is(answerIn(text)[0], 200);
      assert.match(text, /\r\n\r\n(?:2\r\nok\r\n0\r\n\r\n|ok)$/);
      assert.is([...head.matchAll(/content-length|transfer-encoding/gi)].length, 1, head);
      assert.not.match(head.replaceAll('\r\n', ''), /[\x00-\x1f]/);
      assert.equal(proxy.notes, []);
    },
  );
}

hostile('the proxy forwards unusual responses, without anything that could be read as a second response', async () => {
  const server = await rawServer((socket) => {
    socket.once('data', () =>
      socket.end(
        'HTTP/1.1 299 \xe4h\r\nX-Odd: \xfc\xff\r\nSet-Cookie: a=b\r\nSet-Cookie: c=d\r\nContent-Length: 2\r\n\r\nok' +
          'HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecond',
        'latin1',
      ),
    );
  });
  const proxy = await proxied();
  const text = await got(proxy, `http://name.test:${server.port}/`);
  assert.match(text, /^HTTP\/1\.1 299 \xe4h\r\nX-Odd: \xfc\xff\r\nSet-Cookie: a=b\r\nSet-Cookie: c=d\r\n/);
  assert.is(answerIn(text)[1], 'ok');
});

hostile('the proxy survives responses that are cut off at any byte', async () => {
  const whole = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX-A: b\r\n\r\n5\r\nhello\r\n0\r\n\r\n';
  let length = 0;
  const server = await rawServer((socket) => {
    socket.once('data', () => socket.end(whole.slice(0, length)));
  });
  const proxy = await proxied();
  for (length = 0; length <= whole.length; length++) {
    const text = await got(proxy, `http://name.test:${server.port}/`);
    const isWhole = text.endsWith('5\r\nhello\r\n0\r\n\r\n');
    assert.is(isWhole, length === whole.length, length.toString());
  }
});

hostile('the proxy forwards an early refusal of a target while the client is still sending the request', async () => {
  const server = await rawServer((socket) => {
    socket.once('data', () => {
      socket.end('HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno');
      socket.resume();
    });
  });
  const proxy = await proxied();
  const url = `http://name.test:${server.port}/`;
  const asking = client(proxy, `POST ${url} HTTP/1.1\r\nHost: x\r\nContent-Length: 10000000\r\n\r\n`);
  asking.socket.write(Buffer.alloc(1_000_000));
  const text = await asking.until('no');
  assert.is(answerIn(text)[0], 413);
  asking.socket.destroy();
});

hostile('the notes of the proxy contain only readable host names, and each note only once', async () => {
  const proxy = await proxied();
  for (let times = 0; times < 5; times++) {
    await responseTo(proxy, 'CONNECT nowhere.test:443 HTTP/1.1\r\n\r\n');
    await responseTo(proxy, 'CONNECT bad\x7fhost:443 HTTP/1.1\r\n\r\n');
  }
  assert.is(proxy.notes.length, 2);
  for (const note of proxy.notes) assert.match(note, /^[\x20-\x7e]+$/);
});

hostile('the number of the proxy’s notes is limited', async () => {
  const proxy = await proxied();
  for (let number = 0; number < 150; number++) await tunnel(proxy, `host-${number}.test:443`);
  assert.is(proxy.notes.length, 101);
  assert.is(proxy.notes.at(-1), 'More connections were refused or failed than are listed here.');
});

hostile.run();
