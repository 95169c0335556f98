import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createTargetPolicy, type TargetPolicy } from '../../../../domain/target/policy.ts';
import { systemResolve, type Resolve } from '../../../../network/resolve.ts';
import { closeServers, httpServer, rawServer } from '../../web/servers.ts';
import { answerIn, responseTo, closeProxies, got, proxied, tunnel } from './proxy-client.ts';

const judging = suite('the policy for targets of the proxy');

judging.after.each(async () => {
  await closeProxies();
  await closeServers();
});

const connecting = (authority: string): string => `CONNECT ${authority} HTTP/1.1\r\nHost: x\r\n\r\n`;

judging('the proxy evaluates a target by its address, in any spelling', async () => {
  // The system resolver is used only for numeric addresses, which it parses as every program on the machine does.
  const resolve: Resolve = async (host) => {
    if (/^[\da-fx.]+$|:/i.test(host)) return systemResolve(host);
    if (/^localhost\.?$|\.localhost$/.test(host)) return [{ address: '127.0.0.1', family: 4 }];
    throw Object.assign(new Error('not found'), { code: 'ENOTFOUND' });
  };
  const proxy = await proxied({ resolve, rules: { policy: 'public' } });
  for (const authority of [
    ...['127.0.0.1:80', '127.1:80', '0x7f.1:80', '0x7f000001:80', '2130706433:80', '0177.0.0.1:80', '127.0.1:80'],
    ...['localhost:80', 'LOCALHOST:80', 'localhost.:80', 'a.localhost:80', '0.0.0.0:80', '0:80'],
    ...['[::1]:80', '[::]:80', '[::ffff:127.0.0.1]:80', '[::ffff:7f00:1]:80', '[0:0:0:0:0:0:0:1]:80'],
    ...['[fe80::1%lo]:80', '[fe80::1%25lo]:80', '[64:ff9b::7f00:1]:80', '[2002:7f00:1::]:80'],
    ...['169.254.169.254:80', '[::ffff:169.254.169.254]:80', '0xa9fea9fe:80', '10.0.0.1:80', '[fd00::1]:80'],
    // Browsers accept full-width digits and dots as an address.
    '１２７.0.0.1:80',
    '127。0。0。1:80',
  ]) {
    const [status, sentence] = answerIn(await responseTo(proxy, Buffer.from(connecting(authority))));
    assert.is([400, 403].includes(status), true, `${authority}: ${status} ${sentence}`);
    assert.match(sentence, /does not allow|could be connected to|not valid HTTP/, authority);
  }
  assert.is(proxy.bytes(), 0);
});

judging(
  'the proxy connects only to the address that it has evaluated, even if the name resolves differently the next time',
  async () => {
    const inside = await rawServer((socket) => socket.end('inside'));
    let looked = 0;
    const resolve: Resolve = async () => {
      looked += 1;
      return [{ address: looked % 2 === 1 ? '127.0.0.2' : '127.0.0.1', family: 4 }];
    };
    const rules = { policy: 'internal', deny: '127.0.0.1' } as const;
    const proxy = await proxied({ resolve, rules });
    for (let round = 0; round < 20; round++) {
      const [status] = answerIn(await responseTo(proxy, connecting(`rebinding.test:${inside.port}`)));
      // 127.0.0.2 is allowed but nothing listens there. 127.0.0.1 is not allowed.
      assert.is(status, looked % 2 === 1 ? 502 : 403);
    }
    assert.is(inside.open(), 0);
    assert.is(looked, 20);
  },
);

judging('the proxy connects only to the allowed addresses of a name', async () => {
  const server = await rawServer((socket) => socket.end('reached'));
  const port = server.port.toString();
  const hosts = { 'mixed.test': ['169.254.169.254', '127.0.0.1'], 'bad.test': ['169.254.169.254', '224.0.0.1'] };
  const proxy = await proxied({ hosts });
  assert.match(await (await tunnel(proxy, `mixed.test:${port}`)).whole, /reached$/);
  assert.equal(answerIn(await responseTo(proxy, connecting(`bad.test:${port}`))), [
    403,
    'The target policy does not allow bad.test at 169.254.169.254 (link-local).',
  ]);
});

judging('the proxy applies the policy that is in effect at the time of the request', async () => {
  const server = await httpServer((_, response) => response.end('ok'));
  const url = `http://name.test:${server.port}/`;
  let policy: TargetPolicy = createTargetPolicy({ policy: 'internal' });
  const latest: TargetPolicy = {
    refusal: (address, port) => policy.refusal(address, port),
    reservedPorts: (address) => policy.reservedPorts(address),
  };
  const proxy = await proxied({ more: { policy: latest } });
  assert.is(answerIn(await got(proxy, url))[0], 200);
  policy = createTargetPolicy({ policy: 'internal', reserved: [{ address: '127.0.0.1', port: server.port }] });
  assert.equal(answerIn(await got(proxy, url)), [
    403,
    `The target policy does not allow name.test at 127.0.0.1:${server.port} (reserved for this service).`,
  ]);
});

judging(
  'the proxy never connects to the service’s own servers, by any address of the machine, whatever the policy allows',
  async () => {
    const server = await rawServer((socket) => socket.end('reached'));
    const port = server.port;
    const rules = { policy: 'internal', allow: '0.0.0.0/0,::/0', reserved: [{ address: '127.0.0.1', port }] } as const;
    const proxy = await proxied({ rules });
    for (const host of ['127.0.0.1', '127.8.8.8', '0.0.0.0', '[::1]', '[::]', '[::ffff:127.0.0.1]', 'name.test'])
      for (const text of [
        await responseTo(proxy, connecting(`${host}:${port}`)),
        await got(proxy, `http://${host}:${port}/`),
      ])
        assert.match(text, /^HTTP\/1\.1 403 [^]*reserved for this service/, host);
    assert.is(server.open(), 0);
  },
);

judging('the proxy connects only to ports that scripts may use, for tunnels and plain requests', async () => {
  const proxy = await proxied({ ports: '443,8000-8100' });
  for (const port of ['1', '80', '442', '444', '7999', '8101', '65535'])
    assert.is(answerIn(await responseTo(proxy, connecting(`name.test:${port}`)))[0], 403, port);
  assert.is(answerIn(await got(proxy, 'http://name.test/'))[0], 403);
  assert.is(answerIn(await responseTo(proxy, connecting('name.test:8050')))[0], 502);
  assert.is(proxy.connections(), 1);
});

judging('the proxy refuses results of a resolver that are not addresses', async () => {
  const resolve: Resolve = async () => [{ address: 'localhost', family: 4 }];
  const proxy = await proxied({ resolve, rules: { policy: 'internal', allow: '0.0.0.0/0' } });
  assert.match(answerIn(await responseTo(proxy, connecting('odd.test:8080')))[1], /no IP address/);
});

judging('only the owner can connect to the proxy', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'uptrail-'));
  const path = join(folder, 'proxy.sock');
  try {
    const mine = process.getuid?.() ?? 0;
    const isRoot = mine === 0;
    const owner = isRoot ? { uid: 54_321, gid: 54_322 } : { uid: mine, gid: process.getgid?.() ?? 0 };
    const proxy = await proxied({ more: { socketPath: path, owner } });
    const { uid, gid, mode } = statSync(path);
    assert.equal([uid, gid, mode & 0o777], [owner.uid, owner.gid, 0o600]);
    await proxy.close();
    assert.throws(() => statSync(path), /ENOENT/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

judging("the proxy fails to start if its socket can't be created", async () => {
  const folder = mkdtempSync(join(tmpdir(), 'uptrail-'));
  const taken = createServer().listen(join(folder, 'taken.sock'));
  await new Promise((resolve) => taken.once('listening', resolve));
  try {
    for (const path of [join(folder, 'taken.sock'), join(folder, 'nowhere', 'a.sock')]) {
      const failed = await proxied({ more: { socketPath: path } }).then(
        () => null,
        (error: unknown) => error,
      );
      assert.instance(failed, Error);
    }
  } finally {
    taken.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

judging.run();
