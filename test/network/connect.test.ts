import { createServer, type AddressInfo } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { connectToFirst, ConnectFailed } from '../../network/connect.ts';
import { connectSentence, lookupSentence, peerOf } from '../../network/failure-sentences.ts';
import { systemResolve, type Address } from '../../network/resolve.ts';
import { rejects } from '../rejects.ts';
import { fakeClock } from './fake-clock.ts';

const connecting = suite('connecting to a target');

const listening = (host: string, port = 0): Promise<{ port: number; close: () => Promise<void> }> =>
  new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.on('error', () => undefined).resume());
    server.on('error', reject);
    server.listen(port, host, () => {
      resolve({
        port: (server.address() as AddressInfo).port,
        close: () =>
          new Promise((closed) => {
            server.close(() => {
              closed();
            });
          }),
      });
    });
  });

const of = (...addresses: string[]): Address[] =>
  addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

const options = () => ({ clock: fakeClock(0), signal: new AbortController().signal });

connecting('connecting uses the first address that accepts the connection', async () => {
  const server = await listening('127.0.0.2');
  const { socket, address } = await connectToFirst(of('127.0.0.3', '127.0.0.2', '127.0.0.4'), server.port, options());
  assert.is(address.address, '127.0.0.2');
  assert.is(socket.remoteAddress, '127.0.0.2');
  socket.destroy();
  await server.close();
});

connecting('connecting leaves no timer after success or failure', async () => {
  const server = await listening('127.0.0.1');
  const { clock, signal } = options();
  const { socket } = await connectToFirst(of('127.0.0.1', '127.0.0.2'), server.port, { clock, signal });
  assert.is(clock.pending(), 0);
  socket.destroy();
  await server.close();
  await rejects(connectToFirst(of('127.0.0.1', '127.0.0.2'), server.port, { clock, signal }), ConnectFailed);
  assert.is(clock.pending(), 0);
});

connecting('a failed connect reports the error of each address', async () => {
  const server = await listening('127.0.0.1');
  await server.close();
  try {
    await connectToFirst(of('127.0.0.1', '::1'), server.port, options());
    assert.unreachable();
  } catch (error) {
    assert.instance(error, ConnectFailed);
    const { attempts, port } = error as ConnectFailed;
    assert.is(port, server.port);
    assert.equal(
      attempts.map(({ address, code }) => [address.address, code]),
      [
        ['127.0.0.1', 'ECONNREFUSED'],
        ['::1', 'ECONNREFUSED'],
      ],
    );
  }
});

connecting('connecting ends when its signal aborts', async () => {
  const stopped = new AbortController();
  const reason = new Error('The time is up.');
  stopped.abort(reason);
  await rejects(connectToFirst(of('127.0.0.1'), 9, { ...options(), signal: stopped.signal }), Error, 'The time is up.');
});

connecting('connect failures of several addresses are reported in one sentence, with equal failures combined', () => {
  const failed = (code: string, ...addresses: string[]) => of(...addresses).map((address) => ({ address, code }));
  const cases: [ReturnType<typeof failed>, string][] = [
    [failed('ECONNREFUSED', '127.0.0.1'), 'Connection refused by 127.0.0.1:81.'],
    [failed('ECONNREFUSED', '::1', '127.0.0.1'), 'Connection refused by [::1]:81 and 127.0.0.1:81.'],
    [failed('EHOSTUNREACH', '10.0.0.1'), 'No route to 10.0.0.1:81.'],
    [failed('ETIMEDOUT', '10.0.0.1'), 'No answer from 10.0.0.1:81.'],
    [failed('ECONNRESET', '10.0.0.1'), 'Connection reset by 10.0.0.1:81.'],
    [failed('EACCES', '10.0.0.1'), 'Connecting is not permitted to 10.0.0.1:81.'],
    [failed('EWEIRD', '10.0.0.1'), 'Connecting failed (EWEIRD) to 10.0.0.1:81.'],
    [
      [...failed('ENETUNREACH', '2001:db8::1'), ...failed('ECONNREFUSED', '10.0.0.1')],
      'No route to [2001:db8::1]:81; Connection refused by 10.0.0.1:81.',
    ],
  ];
  for (const [attempts, sentence] of cases) assert.is(connectSentence(attempts, 81), sentence);
  assert.is(peerOf('::1', 443), '[::1]:443');
  assert.is(lookupSentence('a.test', 'EAI_FAIL'), 'The host name a.test could not be looked up (EAI_FAIL).');
});

connecting('an IP address resolves to itself without a look-up', async () => {
  assert.equal(await systemResolve('127.0.0.1'), [{ address: '127.0.0.1', family: 4 }]);
  assert.equal(await systemResolve('::1'), [{ address: '::1', family: 6 }]);
});

connecting.run();
