import { createServer, type Server } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createAnchors, type AnchorsOptions } from '../../../runners/worker/anchors.ts';
import { fakeClock } from '../../network/fake-clock.ts';
import { eventually } from '../../waiting.ts';

const test = suite('the anchors of a runner');

const servers = new Set<Server>();
test.after.each(() => {
  for (const server of servers) server.close();
  servers.clear();
});

/**
 * Opens an endpoint that accepts connections.
 *
 * @param port a port on which an earlier endpoint was open; default: a free port
 */
const open = async (port = 0): Promise<{ port: number; asked: () => number; close: () => Promise<void> }> => {
  let requested = 0;
  const server = createServer((socket) => {
    requested += 1;
    socket.on('error', () => undefined);
    socket.end();
  }).listen(port, '127.0.0.1');
  servers.add(server);
  await once(server, 'listening');
  const close = async (): Promise<void> => {
    server.close();
    await once(server, 'close');
    servers.delete(server);
  };
  return { port: (server.address() as AddressInfo).port, asked: () => requested, close };
};

const anchorsAt = (ports: readonly number[], more: Partial<AnchorsOptions> = {}) => {
  const clock = fakeClock(0);
  const places = ports.map((port) => ({ host: '127.0.0.1', port }));
  const received: boolean[] = [];
  const changed = (silent: boolean): void => {
    received.push(silent);
  };
  return { clock, heard: received, anchors: createAnchors({ anchors: places, clock, changed, ...more }) };
};

test('anchors count as silent when most of them are silent, and as responding when most respond again', async () => {
  const [one, two, three] = [await open(), await open(), await open()];
  const { anchors, clock, heard } = anchorsAt([one.port, two.port, three.port]);
  assert.is(anchors.last(), null);
  assert.is(await anchors.silent(), false);
  await one.close();
  await clock.advance(1_000);
  assert.is(await anchors.silent(), false);
  await two.close();
  await clock.advance(1_000);
  assert.is(await anchors.silent(), true);
  assert.is(anchors.last(), 'silent');
  await open(two.port);
  assert.is(await anchors.silent(), true);
  await clock.advance(10_000);
  assert.is(await anchors.silent(), false);
  assert.equal(heard, [true, false]);
  anchors.stop();
});

test('anchors are tried at most once per second for all callers, and every ten seconds while they are silent', async () => {
  const up = await open();
  const gone = [await open(), await open()];
  for (const { close } of gone) await close();
  const { anchors, clock } = anchorsAt([up.port, ...gone.map(({ port }) => port)]);
  /** Polls, because a connection may be established before the server reports it. */
  const isAsked = async (times: number): Promise<void> => {
    await eventually(() => up.asked() >= times);
    assert.is(up.asked(), times);
  };
  assert.equal(await Promise.all([anchors.silent(), anchors.silent(), anchors.silent()]), [true, true, true]);
  await isAsked(1);
  await clock.advance(9_000);
  assert.is(await anchors.silent(), true);
  await isAsked(1);
  await clock.advance(1_000);
  assert.is(await anchors.silent(), true);
  await isAsked(2);
  anchors.stop();
  assert.is(clock.pending(), 0);
});

test('anchors whose name look-up takes too long count as silent', async () => {
  const never = () => new Promise<never>(() => undefined);
  const { anchors, clock } = anchorsAt([1, 2, 3], { resolve: never });
  const requested = anchors.silent();
  await clock.advance(2_000);
  assert.is(await requested, true);
  anchors.stop();
});

test.run();
