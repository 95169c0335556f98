import { suite } from 'uvu';
import { handles, manyEndedEarly, manyTimes, noMoreThan } from '../handles.ts';
import type { TestRunOptions } from '../run-context.ts';
import { rawServer } from '../web/servers.ts';
import { freePort } from '../../servers/ports.ts';
import { probe } from './probing.ts';
import { answering, NXDOMAIN, REFUSED, SERVFAIL, type ReceivedQuestion, type Response } from './zone-server.ts';

const leaks = suite('open handles after dns checks');

const SERVERS: readonly [string, (requested: ReceivedQuestion) => Response | null, TestRunOptions][] = [
  ['that responds', ({ name, type }) => ({ answers: [{ type: 'A', name, data: `192.0.2.${type.length}` }] }), {}],
  ['that is silent', () => null, { timeout: 0.05 }],
  ['that refuses', () => ({ rcode: REFUSED }), {}],
  ['that fails with and without validation', () => ({ rcode: SERVFAIL }), {}],
  ['that knows no such name', () => ({ rcode: NXDOMAIN }), {}],
  [
    'that responds to the first query only',
    ({ name, type }) => (type === 'A' ? { answers: [{ type, name, data: '192.0.2.1' }] } : null),
    { timeout: 0.05 },
  ],
  ['that truncates responses and refuses TCP', () => ({ flags: 0x200 }), {}],
];

for (const [name, respond, given] of SERVERS) {
  leaks(`dns checks of a server ${name} leave no handles open`, async () => {
    const server = await answering(respond);
    const before = handles();
    await manyTimes(() => probe('x.test', { ...given, parameters: { dns_servers: [server.address] } }));
    await server.close();
    await noMoreThan(before);
  });
}

leaks(
  'dns checks leave no handles open after failed TLS handshakes, and with closed ports and refused or unknown servers',
  async () => {
    const server = await rawServer((socket) => socket.end('hello'));
    const closed = `127.0.0.1:${await freePort()}`;
    const servers = [`tls://127.0.0.1:${server.port}`, closed, `tls://${closed}`, '169.254.169.254', 'no.test'];
    const before = handles();
    await manyTimes(() => probe('x.test', { parameters: { dns_servers: servers }, timeout: 2 }));
    await manyTimes(() => probe('a..b', { parameters: { dns_servers: servers } }));
    await server.close();
    await noMoreThan(before);
  },
);

leaks('aborted dns checks leave no handles open', async () => {
  const server = await answering(() => null);
  const before = handles();
  await manyEndedEarly((signal) => probe('x.test', { parameters: { dns_servers: [server.address] }, signal }));
  await server.close();
  await noMoreThan(before);
});

leaks.run();
