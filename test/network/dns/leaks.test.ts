import { suite } from 'uvu';
import { handles, manyEndedEarly, manyTimes, noMoreThan } from '../../probes/handles.ts';
import { createAuthority, hasOpenssl } from '../../probes/web/certificates.ts';
import { rawServer } from '../../probes/web/servers.ts';
import { freePort } from '../../servers/ports.ts';
import { queryServersAt, type QueryOptionsOfTest } from './querying.ts';
import {
  address,
  framed,
  httpsServer,
  responseTo,
  tcpServer,
  tlsServer,
  onBoth,
  udpServer,
  type UdpResponder,
} from './servers.ts';

const leaks = suite('DNS queries leave no handles behind');

const at = (port: number): string => `127.0.0.1:${port}`;
const QUICKLY: QueryOptionsOfTest = { timeLimit: 20 };

const UDP: readonly [string, UdpResponder, QueryOptionsOfTest][] = [
  ['that answers', (query) => responseTo(query, { answers: [address('192.0.2.1')] }), {}],
  ['that says nothing', () => undefined, QUICKLY],
  ['that says something else', (query) => query, QUICKLY],
  [
    'whose answers are malformed',
    (query) => responseTo(query, { answers: [address('192.0.2.1')] }).subarray(0, -1),
    {},
  ],
  ['that does not know EDNS', (query) => responseTo(query, { rcode: 1 }), {}],
];

for (const [name, respond, given] of UDP) {
  leaks(`queries to a server ${name} leave no handles behind`, async () => {
    const server = await udpServer(respond);
    const before = handles();
    await manyTimes(() => queryServersAt([at(server.port)], given));
    await server.close();
    await noMoreThan(before);
  });
}

leaks('truncated responses leave no handles behind', async () => {
  const { tcp, udp } = await onBoth(
    () => tcpServer((query) => framed(responseTo(query))),
    (query) => responseTo(query, { flags: 0x200 }),
  );
  const before = handles();
  await manyTimes(() => queryServersAt([at(tcp.port)]));
  await tcp.close();
  await manyTimes(() => queryServersAt([at(tcp.port)]));
  await udp.close();
  await noMoreThan(before);
});

leaks('closed, refused and unknown servers leave no handles behind', async () => {
  const port = await freePort();
  const before = handles();
  await manyTimes(() => queryServersAt([at(port), 'nowhere.test', '169.254.169.254', `tls://${at(port)}`]));
  await noMoreThan(before);
});

leaks('aborted queries leave no handles behind', async () => {
  const server = await udpServer(() => undefined);
  const stream = await rawServer(() => undefined);
  const before = handles();
  await manyEndedEarly((signal) => queryServersAt([at(server.port), `tls://${at(stream.port)}`], { signal }));
  await manyEndedEarly((signal) => queryServersAt([`tls://${at(stream.port)}`], { signal }));
  await server.close();
  await stream.close();
  await noMoreThan(before);
});

if (hasOpenssl()) {
  const authority = createAuthority();
  leaks.after(() => {
    authority.close();
  });
  const certificate = authority.make('leaking', { names: 'IP:127.0.0.1' });
  const trust = [authority.root];

  leaks('queries over TLS leave no handles behind', async () => {
    const server = await tlsServer(certificate, (query) => framed(responseTo(query)));
    const before = handles();
    await manyTimes(() => queryServersAt([`tls://${at(server.port)}`], { trust }));
    await server.close();
    await noMoreThan(before);
  });

  for (const speaks of ['h2', 'http/1.1'] as const) {
    leaks(`queries over HTTPS to a failing server that speaks ${speaks} leave no handles behind`, async () => {
      let count = 0;
      const server = await httpsServer(
        certificate,
        (body, _, response, cut) => {
          count += 1;
          if (count % 200 === 0) cut();
          else if (count % 4 === 0) response.writeHead(500).end();
          else response.writeHead(200, { 'content-type': 'application/dns-message' }).end(responseTo(body));
        },
        speaks,
      );
      const before = handles();
      await manyTimes(() => queryServersAt([`https://${at(server.port)}/`], { trust, timeLimit: 10_000 }));
      await server.close();
      await noMoreThan(before);
    });
  }
} else console.log('  skipped: openssl is not installed, so nothing is asked over TLS');

leaks.run();
