import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createBroadcast, type Broadcast } from '../../../http/media/broadcast.ts';
import { eventually } from '../../waiting.ts';

const test = suite('broadcasts to streams');

/** Serves streams of a broadcast. The path of a request contains the channel and the name of the client. */
const serving = async (broadcast: Broadcast<string>, stopping?: AbortSignal) => {
  const server = createServer((request, response) => {
    const [, channel = '', client = ''] = request.url?.split('/') ?? [];
    response.writeHead(200);
    broadcast
      .stream(channel, client, () => (client === 'nobody' ? null : `hello ${client};`))
      .attach(response, stopping);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const open = async (channel: string, client: string) => {
    const outgoing = get({ host: '127.0.0.1', port, path: `/${channel}/${client}`, agent: false });
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
    const state = { text: '', ended: false, incoming };
    incoming.on('data', (chunk: Buffer) => (state.text += chunk.toString()));
    incoming.on('close', () => (state.ended = true));
    incoming.on('error', () => undefined);
    return state;
  };
  return {
    open,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};

test('broadcast messages of each channel arrive in order', async () => {
  const broadcast = createBroadcast<string>();
  const { open, stop } = await serving(broadcast);
  const streams = await Promise.all(['a', 'b'].map((client) => open('one', client)));
  const other = await open('two', 'c');
  await Promise.all([broadcast.publish('one', '1;'), broadcast.publish('one', '2;'), broadcast.publish('two', '3;')]);
  await eventually(() => other.text === 'hello c;3;');
  for (const { text } of streams) assert.match(text, /^hello [ab];1;2;$/);
  await stop();
});

test('a broadcast stream ends at the first message that its client is not allowed to receive, or immediately if the client has no access', async () => {
  const broadcast = createBroadcast<string>();
  const { open, stop } = await serving(broadcast);
  const [a, b, nobody] = [await open('one', 'a'), await open('one', 'b'), await open('one', 'nobody')];
  await eventually(() => nobody.ended);
  assert.is(nobody.text, '');
  await broadcast.publish('one', '1;', async (client) => client === 'a');
  await eventually(() => a.text === 'hello a;1;' && b.ended);
  assert.is(b.text, 'hello b;');
  await broadcast.publish('one', '2;', async () => {
    throw new Error('not known');
  });
  await eventually(() => a.ended);
  assert.is(a.text, 'hello a;1;');
  await eventually(() => broadcast.channels().length === 0);
  await stop();
});

test('a broadcast stream whose client does not read is closed without delaying other streams', async () => {
  const broadcast = createBroadcast<string>();
  const { open, stop } = await serving(broadcast);
  const [slow, quick] = [await open('one', 'slow'), await open('one', 'quick')];
  slow.incoming.pause();
  const message = 'x'.repeat(1_000_000);
  let sent = 0;
  await eventually(async () => {
    await broadcast.publish('one', message);
    sent += 1;
    return slow.incoming.destroyed || slow.incoming.socket.destroyed || sent >= 40;
  });
  await eventually(() => quick.text.length === 'hello quick;'.length + sent * message.length);
  slow.incoming.resume();
  await eventually(() => slow.ended);
  assert.not.ok(slow.incoming.complete);
  await stop();
});

test('broadcasts to many streams do not block the event loop', async () => {
  const broadcast = createBroadcast<string>();
  const writes = { count: 0, atFirstTurn: 0 };
  const response = () =>
    ({
      writableLength: 0,
      once: () => undefined,
      write: () => {
        writes.count += 1;
        return true;
      },
    }) as unknown as Parameters<ReturnType<typeof broadcast.stream>['attach']>[0];
  const many = 200_000;
  for (let index = 0; index < many; index++) broadcast.stream('one', '', () => '').attach(response(), undefined);
  writes.count = 0;
  setImmediate(() => (writes.atFirstTurn = writes.count));
  await broadcast.publish('one', 'x');
  assert.is(writes.count, many);
  assert.ok(writes.atFirstTurn < many);
});

test('all streams of a broadcast end when the service stops', async () => {
  const stopping = new AbortController();
  const broadcast = createBroadcast<string>();
  const { open, stop } = await serving(broadcast, stopping.signal);
  const streams = [await open('one', 'a'), await open('two', 'b')];
  stopping.abort();
  await eventually(() => streams.every(({ ended }) => ended));
  assert.ok(streams.every(({ incoming }) => incoming.complete));
  const late = await open('one', 'late');
  await eventually(() => late.ended);
  assert.is(late.text, '');
  await stop();
});

test.run();
