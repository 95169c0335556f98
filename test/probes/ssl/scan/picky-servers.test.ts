import { suite as specifications } from 'uvu';
import * as assert from 'uvu/assert';
import { systemClock, type Clock } from '../../../../network/clock.ts';
import { RunAborted } from '../../../../probes/engine/check-type.ts';
import { ConnectFailed } from '../../../../network/connect.ts';
import { TargetRefused } from '../../../../network/open-connection.ts';
import { rejects } from '../../../rejects.ts';
import { handles, noMoreThan } from '../../handles.ts';
import { closeServers, rawServer } from '../../web/servers.ts';
import { freePort } from '../../../servers/ports.ts';
import { pickyServer } from '../servers/picky-server.ts';
import { begun, scanned, spoken } from './scanning.ts';
import { eventually } from '../../../waiting.ts';

const test = specifications('a scan of a picky server');
test.after.each(closeServers);

/** A clock on which pauses take a tenth of their time. */
const hasty: Clock = {
  ...systemClock,
  monotonic: () => systemClock.monotonic() * 10,
  after: (milliseconds, call) => systemClock.after(milliseconds / 10, call),
};

const SUITES = [0x002f, 0xc013, 0x000a, 0x0096, 0x0041];

test('a scan completes for a server that fails with more than 64 suites', async () => {
  const { port } = await pickyServer({ suites: { 0x0303: SUITES }, chokesOn: ({ suites }) => suites.length > 64 });
  const { facts } = await scanned(port);
  const { tls_1_2: found } = facts.protocols;
  assert.equal([spoken(facts), found.form], [['tls_1_2'], 'short']);
  assert.equal([...found.suites].sort(), [...SUITES].sort());
  assert.ok(facts.complete);
});

test('a scan completes for a server that fails with extensions', async () => {
  for (const choking of ['closes', 'resets', 'alert'] as const) {
    const { port } = await pickyServer({
      suites: { 0x0301: SUITES },
      chokesOn: ({ extensions }) => extensions.size > 0,
      choking,
    });
    const { facts } = await scanned(port);
    const { tls_1_0: found } = facts.protocols;
    assert.equal([spoken(facts), found.form], [['tls_1_0'], 'bare']);
    assert.equal([...found.suites].sort(), [...SUITES].sort());
  }
});

test('a scan completes for a server that does not know the name', async () => {
  const { port } = await pickyServer({
    suites: { 0x0303: SUITES, 0x0304: [0x1301] },
    chokesOn: ({ extensions }) => extensions.has(0),
    choking: 'sends unrecognized_name',
  });
  const { facts } = await scanned(port);
  assert.equal(spoken(facts), ['tls_1_2', 'tls_1_3']);
  assert.equal([facts.protocols.tls_1_2.form, facts.protocols.tls_1_3.form], ['nameless', 'nameless']);
  assert.ok(facts.complete);
});

test('a scan finds old protocols of a server that disconnects when a newer one is offered', async () => {
  for (const choking of ['closes', 'resets', 'alert'] as const) {
    const { port } = await pickyServer({
      suites: { 0x0300: SUITES, 0x0301: SUITES },
      chokesOn: ({ version }) => version > 0x0301,
      choking,
    });
    const { facts } = await scanned(port);
    assert.equal(spoken(facts), ['ssl_3_0', 'tls_1_0']);
    assert.equal(facts.protocols.tls_1_0.suites, SUITES);
    assert.ok(facts.complete);
  }
});

test('a scan sends a TLS 1.3 key share if the server requires one', async () => {
  const { port } = await pickyServer({
    suites: { 0x0304: [0x1302, 0x1301] },
    chokesOn: ({ extensions }) => (extensions.get(51)?.length ?? 0) <= 2,
  });
  const { facts } = await scanned(port);
  const { tls_1_3: found } = facts.protocols;
  assert.equal([found.form, found.suites, found.serverPreference], ['keyed', [0x1302, 0x1301], true]);
});

test('a scan recognises that it has found all suites, no matter how the server refuses the rest', async () => {
  for (const refusing of ['alert', 'closes', 'resets', 'is silent'] as const) {
    const { port } = await pickyServer({ suites: { 0x0303: SUITES, 0x0304: [0x1301] }, refusing });
    const { facts } = await scanned(port, { clock: hasty });
    assert.equal(spoken(facts), ['tls_1_2', 'tls_1_3']);
    assert.equal([facts.protocols.tls_1_2.suites, facts.protocols.tls_1_2.serverPreference], [SUITES, true]);
    assert.ok(facts.complete, refusing);
  }
});

test('a scan reports what is missing when a server stops responding', async () => {
  const { port } = await pickyServer({ suites: { 0x0303: SUITES }, hellos: 3 });
  const { facts } = await scanned(port, { clock: hasty });
  const { tls_1_2: found } = facts.protocols;
  assert.equal([found.supported, found.complete, found.suites], [true, false, SUITES.slice(0, 3)]);
  assert.not.ok(facts.complete);
});

test('a scan that runs out of time keeps its findings, and reports what is missing', async () => {
  const { port, open } = await pickyServer({ suites: { 0x0303: SUITES, 0x0302: SUITES }, hellos: 4 });
  const ending = new AbortController();
  const scan = await begun(port, { signal: ending.signal });
  const before = handles();
  const running = scan.run();
  const seen = (): number =>
    scan.facts().protocols.tls_1_2.suites.length + scan.facts().protocols.tls_1_1.suites.length;
  await eventually(() => seen() >= 4);
  ending.abort(new RunAborted());
  await rejects(running, RunAborted);
  const { protocols, complete } = scan.facts();
  assert.equal([protocols.tls_1_2.supported, protocols.tls_1_2.complete, complete], [true, false, false]);
  assert.equal([protocols.tls_1_3.supported, protocols.tls_1_3.refusal?.kind], [false, 'alert']);
  assert.is(seen(), 4);
  await noMoreThan(before);
  await eventually(() => open() === 0);
});

test('a scan finds nothing on a silent port, or without TLS', async () => {
  const silent = await rawServer((socket) => socket.resume());
  const { facts } = await scanned(silent.port, { clock: hasty });
  assert.equal([spoken(facts), facts.protocols.tls_1_2.refusal, facts.complete], [[], { kind: 'silent' }, true]);

  const other = await rawServer((socket) => socket.end('SSH-2.0-OpenSSH_9.2p1 Debian\r\n'));
  const { facts: found, connections } = await scanned(other.port);
  assert.equal([spoken(found), found.complete], [[], true]);
  assert.equal(found.protocols.tls_1_2.refusal, { kind: 'garbage', said: 'SSH-2.0-OpenSSH_9.2p1 Debian ' });
  assert.ok(connections <= 6);
});

test('a scan waits for a slow server', async () => {
  const { port } = await pickyServer({ suites: { 0x0303: SUITES.slice(0, 2) }, pause: 100 });
  const { facts } = await scanned(port, { clock: hasty });
  assert.equal(spoken(facts), ['tls_1_2']);
  assert.ok(facts.complete);
});

test('a scan ignores suites and protocols that a server chooses although they were not offered, and choices that are always the same', async () => {
  const made = await pickyServer({ suites: { 0x0303: SUITES } });
  const stubborn = await rawServer((socket) => {
    socket.once('data', () => {
      // The server always chooses TLS_RSA_WITH_AES_128_CBC_SHA in TLS 1.2.
      socket.write(Buffer.from(`160303002a020000260303${'00'.repeat(32)}00002f00`, 'hex'));
      socket.write(Buffer.from('16030300040e000000', 'hex'));
    });
    socket.resume();
  });
  const { facts } = await scanned(stubborn.port);
  assert.equal([spoken(facts), facts.protocols.tls_1_2.suites, facts.complete], [['tls_1_2'], [0x002f], true]);
  assert.equal((await scanned(made.port)).facts.complete, true);
});

test('scans of a target share at most six concurrent connections', async () => {
  const { port, most } = await pickyServer({ suites: { 0x0301: SUITES, 0x0302: SUITES, 0x0303: SUITES }, pause: 2 });
  await Promise.all([scanned(port), scanned(port), scanned(port)]);
  assert.ok(most() <= 6, most().toString());
});

test('a scan waits for a target that temporarily refuses connections', async () => {
  const picky = { suites: { 0x0303: SUITES }, pause: 5 };
  const first = await pickyServer(picky);
  let reopened = false;
  const clock: Clock = {
    ...systemClock,
    after: (milliseconds, call) => {
      // This is the pause after the first refusal.
      if (milliseconds === 100 && !reopened) {
        reopened = true;
        void pickyServer({ ...picky, port: first.port });
      }
      return systemClock.after(milliseconds, call);
    },
  };
  const scan = await begun(first.port, { clock });
  const running = scan.run();
  await eventually(() => scan.facts().protocols.tls_1_2.suites.length >= 2);
  await first.close();
  await running;
  assert.ok(reopened);
  assert.equal(scan.facts().protocols.tls_1_2.suites, SUITES);
  assert.ok(scan.facts().complete);
});

test('a scan returns its findings if a target refuses connections permanently', async () => {
  const server = await pickyServer({ suites: { 0x0303: SUITES }, hellos: 2, refusing: 'closes' });
  const scan = await begun(server.port, { clock: hasty });
  const running = scan.run();
  await eventually(() => scan.facts().protocols.tls_1_2.suites.length >= 2);
  await server.close();
  await running;
  const { protocols, complete } = scan.facts();
  assert.equal([protocols.tls_1_2.suites.length, protocols.tls_1_2.complete, complete], [2, false, false]);
});

test('a scan that never gets a connection fails with the error of the connection', async () => {
  const port = await freePort();
  await rejects(scanned(port), ConnectFailed);
  await rejects(scanned(port, { host: '169.254.1.1' }), TargetRefused);
});

test.run();
