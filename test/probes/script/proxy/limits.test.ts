import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { closeServers, httpServer, rawServer } from '../../web/servers.ts';
import { answerIn, responseTo, client, closeProxies, got, proxied, tunnel } from './proxy-client.ts';
import { eventually, realPause } from '../../../waiting.ts';

const limits = suite('network limits of a run');

limits.after.each(async () => {
  await closeProxies();
  await closeServers();
});

const BYTES = 1_000_000;
const SPENT = 'The run has sent and received 1000000 bytes, which is the maximum.';
/** Bytes that may be in buffers when the limit is reached. */
const UNDER_WAY = 200_000;

limits('the proxy limits the bytes from targets, for tunnels and plain requests', async () => {
  const server = await rawServer((socket) => {
    const piece = Buffer.alloc(10_000);
    const fill = (): void => {
      while (!socket.destroyed && socket.write(piece));
    };
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      fill();
    });
    socket.on('drain', fill);
  });
  const place = `name.test:${server.port}`;
  for (const receive of [
    (proxy: Parameters<typeof got>[0]) => got(proxy, `http://${place}/`),
    async (proxy: Parameters<typeof got>[0]) => (await tunnel(proxy, place, 'go')).whole,
  ]) {
    const proxy = await proxied({ limits: { bytes: BYTES } });
    const length = (await receive(proxy)).length;
    assert.ok(length < BYTES + UNDER_WAY, length.toString());
    assert.ok(proxy.bytes() > BYTES && proxy.bytes() < BYTES + UNDER_WAY, proxy.bytes().toString());
    assert.equal(proxy.notes, [SPENT]);
    assert.equal(answerIn(await got(proxy, `http://${place}/`)), [403, SPENT]);
    assert.equal(answerIn(await responseTo(proxy, `CONNECT ${place} HTTP/1.1\r\n\r\n`)), [403, SPENT]);
  }
});

limits('the proxy limits the bytes to targets, for tunnels and plain requests', async () => {
  let received = 0;
  const server = await rawServer((socket) => {
    socket.on('data', (piece: Buffer) => (received += piece.length));
    socket.once('end', () => socket.end());
  });
  const place = `name.test:${server.port}`;
  const large = Buffer.alloc(5 * BYTES);
  for (const begin of [
    `POST http://${place}/ HTTP/1.1\r\nHost: x\r\nContent-Length: ${large.length}\r\n\r\n`,
    `CONNECT ${place} HTTP/1.1\r\n\r\n`,
  ]) {
    received = 0;
    const proxy = await proxied({ limits: { bytes: BYTES } });
    const sending = client(proxy, begin);
    sending.socket.write(large);
    await sending.whole;
    assert.ok(received < BYTES + UNDER_WAY, received.toString());
    assert.equal(proxy.notes.slice(0, 1), [SPENT]);
  }
});

limits('the proxy counts the bytes of message heads towards the limit', async () => {
  const server = await rawServer((socket) => {
    const again = (): void => {
      while (!socket.destroyed && socket.write(`HTTP/1.1 103 Early Hints\r\nX-A: ${'y'.repeat(1_000)}\r\n\r\n`));
    };
    socket.once('data', again);
    socket.on('drain', again);
  });
  const proxy = await proxied({ limits: { bytes: BYTES, head: 2 * BYTES } });
  assert.equal(answerIn(await got(proxy, `http://name.test:${server.port}/`)), [403, SPENT]);
  assert.equal(proxy.notes, [SPENT]);
});

limits(
  'the proxy limits concurrent connections, and refuses any further connection with an error response',
  async () => {
    const server = await rawServer((socket) => {
      socket.resume().once('end', () => socket.end());
    });
    const place = `name.test:${server.port}`;
    const proxy = await proxied({ limits: { concurrentConnections: 3 } });
    const open = await Promise.all([1, 2, 3].map(() => tunnel(proxy, place)));
    const sentence = 'The run has 3 connections open, which is the maximum.';
    assert.equal(answerIn(await responseTo(proxy, `CONNECT ${place} HTTP/1.1\r\n\r\n`)), [503, sentence]);
    assert.equal(proxy.notes, [sentence]);
    open[0]?.socket.destroy();
    const again = await eventually(async () => {
      const next = await tunnel(proxy, place);
      return !next.received().includes('503') && next;
    });
    assert.match(again.received(), /^HTTP\/1\.1 200 /);
  },
);

limits(
  'the proxy limits client connections that have sent no request, and closes further ones without a response',
  async () => {
    const proxy = await proxied({ limits: { concurrentConnections: 3 } });
    const waiting = Array.from({ length: 6 }, () => client(proxy));
    await realPause(50, 'nothing tells that the proxy has taken the connections');
    assert.is(await responseTo(proxy, 'GET / HTTP/1.1\r\n\r\n'), '');
    for (const { socket } of waiting) socket.destroy();
  },
);

limits('the proxy limits the total number of connections to targets', async () => {
  const server = await rawServer((socket) => socket.end('x'));
  const place = `name.test:${server.port}`;
  const proxy = await proxied({ limits: { connections: 3 } });
  for (let number = 0; number < 3; number++) assert.match(await (await tunnel(proxy, place)).whole, /x$/);
  const sentence = 'The run has opened 3 connections, which is the maximum.';
  assert.equal(answerIn(await responseTo(proxy, `CONNECT ${place} HTTP/1.1\r\n\r\n`)), [403, sentence]);
  assert.equal(answerIn(await got(proxy, `http://${place}/`)), [403, sentence]);
});

limits('the proxy limits the total number of requests, and disconnects a client that continues', async () => {
  const proxy = await proxied({ limits: { requests: 10 } });
  const answers: string[] = [];
  for (let number = 0; number < 15; number++)
    answers.push(await responseTo(proxy, 'CONNECT name.test:22 HTTP/1.1\r\n\r\n'));
  assert.is(answers.filter((text) => text.includes('The run has made 10 requests')).length, 5);
  assert.is(answers.slice(10).join(''), '');
});

limits('the proxy limits the time for connecting, including the name look-up', async () => {
  const proxy = await proxied({ limits: { connect: 50 }, resolve: () => new Promise(() => undefined) });
  const sentence = 'There was no connection to silent.test:443 within 0.05 s.';
  assert.equal(answerIn(await responseTo(proxy, 'CONNECT silent.test:443 HTTP/1.1\r\n\r\n')), [504, sentence]);
  assert.equal(proxy.notes, [sentence]);
});

limits('the proxy closes idle connections', async () => {
  const server = await rawServer((socket) => {
    socket.resume().once('end', () => socket.end());
  });
  const place = `name.test:${server.port}`;
  const proxy = await proxied({ limits: { idleTimeout: 500 } });
  assert.is((await (await tunnel(proxy, place)).whole).split('\r\n')[0], 'HTTP/1.1 200 Connection Established');
  assert.equal(answerIn(await got(proxy, `http://${place}/`)), [504, `${place} said nothing for 0.5 s.`]);
});

limits('the proxy limits concurrent name look-ups, and shares a look-up among requests for the same name', async () => {
  let now = 0;
  let most = 0;
  let looked = 0;
  const server = await httpServer((_, response) => response.end('ok'));
  const proxy = await proxied({
    limits: { lookups: 2 },
    resolve: async () => {
      looked += 1;
      most = Math.max(most, ++now);
      await realPause(50, 'a lookup that lasts while others begin');
      now -= 1;
      return [{ address: '127.0.0.1', family: 4 }];
    },
  });
  const names = ['a', 'b', 'c', 'd', 'a', 'b'].map((name) => `http://${name}.test:${server.port}/`);
  const answers = await Promise.all(names.map((url) => got(proxy, url)));
  assert.is(
    answers.every((text) => answerIn(text)[0] === 200),
    true,
  );
  assert.equal([most, looked], [2, 4]);
});

limits.run();
