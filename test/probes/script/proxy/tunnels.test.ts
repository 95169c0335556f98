import { createHash, randomBytes } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { closeServers, httpServer, rawServer } from '../../web/servers.ts';
import { answerIn, responseTo, client, closeProxies, proxied, tunnel } from './proxy-client.ts';
import { eventually, realPause } from '../../../waiting.ts';

const tunnels = suite('tunnels through the proxy');

tunnels.after.each(async () => {
  await closeProxies();
  await closeServers();
});

const ESTABLISHED = 'HTTP/1.1 200 Connection Established\r\n\r\n';

tunnels('a tunnel forwards both directions, including early data, and the end of each direction', async () => {
  const server = await rawServer((socket) => {
    socket.write('welcome ');
    let received = '';
    socket.on('data', (piece: Buffer) => (received += piece.toString()));
    socket.on('end', () => socket.end(`heard ${received}`));
  });
  const proxy = await proxied();
  const opened = await tunnel(proxy, `name.test:${server.port}`, 'early ');
  opened.socket.end('late');
  assert.is(await opened.whole, `${ESTABLISHED}welcome heard early late`);
  assert.equal(proxy.notes, []);
});

tunnels('a tunnel forwards nothing while the other side does not read', async () => {
  let written = 0;
  const server = await rawServer((socket) => {
    const fill = (): void => {
      while (written < 50_000_000 && socket.write(Buffer.alloc(65_536))) written += 65_536;
      if (written < 50_000_000) socket.once('drain', fill);
    };
    fill();
  });
  const proxy = await proxied();
  const opened = await tunnel(proxy, `name.test:${server.port}`);
  opened.socket.pause();
  let before = -1;
  while (before !== written) {
    before = written;
    await realPause(200, 'buffers are full once nothing more is written for a while');
  }
  assert.ok(written < 20_000_000, `${written} bytes were taken`);
  opened.socket.destroy();
});

tunnels('a tunnel forwards large streams in both directions unchanged', async () => {
  const server = await rawServer((socket) => {
    socket.on('data', (piece: Buffer) => {
      if (!socket.write(piece)) socket.pause();
    });
    socket.on('drain', () => socket.resume());
    socket.on('end', () => socket.end());
  });
  const proxy = await proxied();
  const opened = await tunnel(proxy, `name.test:${server.port}`);
  const large = randomBytes(8_000_000);
  opened.socket.end(large);
  const back = Buffer.from((await opened.whole).slice(ESTABLISHED.length), 'latin1');
  assert.is(back.equals(large), true);
  assert.ok(proxy.bytes() >= 2 * large.length);
});

tunnels('a tunnel forwards WebSockets as browsers open them', async () => {
  const server = await rawServer((socket) => {
    socket.once('data', (request: Buffer) => {
      const [, key = ''] = /sec-websocket-key: (\S+)/i.exec(request.toString()) ?? [];
      const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
      );
      socket.write(Buffer.concat([Buffer.from([0x81, 5]), Buffer.from('hello')]));
    });
  });
  const proxy = await proxied();
  const place = `name.test:${server.port}`;
  const opened = await tunnel(proxy, place);
  const key = 'dGhlIHNhbXBsZSBub25jZQ==';
  opened.socket.write(
    `GET / HTTP/1.1\r\nHost: ${place}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: ${key}\r\nSec-WebSocket-Version: 13\r\n\r\n`,
  );
  const text = await opened.until('hello');
  assert.ok(text.includes('Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo='));
  opened.socket.destroy();
});

tunnels('when one side of a tunnel disconnects, the tunnel also disconnects the other side', async () => {
  const server = await rawServer((socket) => {
    socket.resume().once('end', () => socket.end());
  });
  const proxy = await proxied();
  const opened = await tunnel(proxy, `name.test:${server.port}`);
  opened.socket.destroy();
  await eventually(() => server.open() === 0);

  const resetting = await rawServer((socket) => setTimeout(() => socket.resetAndDestroy(), 20));
  assert.is(await (await tunnel(proxy, `name.test:${resetting.port}`)).whole, ESTABLISHED);
});

tunnels('the response that refuses a tunnel contains a sentence that the script can read', async () => {
  const proxy = await proxied({ rules: { policy: 'public' } });
  for (const [authority, status, sentence] of [
    ['name.test:80', 403, 'The target policy does not allow name.test at 127.0.0.1 (loopback).'],
    ['name.test:22', 403, 'Scripts may connect to the ports 80, 443 and 1024-65535, and not to name.test:22.'],
    ['nowhere.test:443', 502, 'The host name nowhere.test was not found.'],
    ['name.test', 400, 'The request does not name a host and a port that could be connected to.'],
    ['name.test:0', 400, 'The request does not name a host and a port that could be connected to.'],
    ['name.test:99999', 400, 'The request does not name a host and a port that could be connected to.'],
    [':443', 400, 'The request does not name a host and a port that could be connected to.'],
  ] as const) {
    const text = await responseTo(proxy, `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`);
    assert.equal(answerIn(text), [status, sentence], authority);
    assert.match(text, /\r\nProxy-Status: sandbox; error=[a-z_]+\r\n/);
  }
});

tunnels('tunnels end with the proxy, which leaves neither connections nor its socket behind', async () => {
  const server = await rawServer((socket) => {
    socket.resume().once('end', () => socket.destroy());
  });
  const web = await httpServer(() => undefined);
  const proxy = await proxied();
  const opened = await tunnel(proxy, `name.test:${server.port}`);
  const waiting = client(proxy, `GET http://name.test:${web.port}/ HTTP/1.1\r\nHost: x\r\n\r\n`);
  const idle = client(proxy);
  await eventually(() => web.open() > 0);
  await proxy.close();
  await Promise.all([opened.whole, waiting.whole, idle.whole]);
  await eventually(() => server.open() + web.open() === 0);
  assert.is(await client(proxy).whole, '');
});

tunnels('tunnels end when the signal of the run aborts', async () => {
  const ending = new AbortController();
  let requested = false;
  const resolve = () => {
    requested = true;
    return new Promise<never>(() => undefined);
  };
  const proxy = await proxied({ resolve, more: { signal: ending.signal } });
  const waiting = client(proxy, 'CONNECT name.test:443 HTTP/1.1\r\nHost: x\r\n\r\n');
  await eventually(() => requested);
  ending.abort();
  assert.is(await waiting.whole, '');
  await proxy.close();
});

tunnels.run();
