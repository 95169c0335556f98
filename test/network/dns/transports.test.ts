import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createAuthority, hasOpenssl } from '../../probes/web/certificates.ts';
import { closeServers, rawServer } from '../../probes/web/servers.ts';
import { freePort } from '../../servers/ports.ts';
import { answered, refused } from './querying.ts';
import {
  address,
  closeUdpServers,
  framed,
  httpsServer,
  responseTo,
  tcpServer,
  tlsServer,
  onBoth,
  udpServer,
  type HttpsResponder,
  type StreamResponder,
} from './servers.ts';

const over = suite('DNS queries over TCP, TLS and HTTPS');
over.after.each(async () => {
  await closeUdpServers();
  await closeServers();
});

const authority = hasOpenssl() ? createAuthority() : null;
over.after(() => authority?.close());
const trust = authority ? [authority.root] : [];
const certificate = authority?.make('resolver', { names: 'IP:127.0.0.1,DNS:dns.test' });
if (!certificate) console.log('  skipped: openssl is not installed, so nothing is asked over TLS');

const GOOD = address('192.0.2.1');
const many = (count: number) =>
  Array.from({ length: count }, (_, index) => address(`192.0.${index >> 8}.${index & 0xff}`));
const TRUNCATED = 0x200;
/** Time limit in milliseconds for silent servers. It is long enough to connect on a busy machine. */
const SILENCE_MS = 1_000;

/**
 * Starts a server that truncates its responses over UDP, and that responds over TCP on the same port with `respond`.
 */
const truncating = async (respond: StreamResponder): Promise<string> => {
  const { tcp } = await onBoth(
    () => tcpServer(respond),
    (query) => responseTo(query, { flags: TRUNCATED }),
  );
  return `127.0.0.1:${tcp.port}`;
};

over('a query is repeated over TCP if the UDP response is truncated', async () => {
  const server = await truncating((query) => framed(responseTo(query, { answers: many(400) })));
  const { transport, message, peer } = await answered([server]);
  assert.equal([transport, peer, message.answers.length], ['tcp', server, 400]);
  assert.equal(message.answers[399]?.data, '192.0.1.143');
});

over('a query is repeated over TCP even if the truncated UDP response ends within a record', async () => {
  const { tcp } = await onBoth(
    () => tcpServer((query) => framed(responseTo(query, { answers: [GOOD] }))),
    (query) => responseTo(query, { flags: TRUNCATED, answers: many(3) }).subarray(0, 70),
  );
  assert.is((await answered([`127.0.0.1:${tcp.port}`])).transport, 'tcp');
});

over('a response of 64 KiB in small pieces is accepted', async () => {
  const server = await truncating((query, socket) => {
    // The message has almost the maximum size: a header, a question and 4,092 records of 16 bytes.
    const head = responseTo(query);
    head.writeUInt16BE(4_092, 6);
    const record = Buffer.concat([Buffer.of(0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4), Buffer.of(192, 0, 2, 1)]);
    const records = Buffer.concat(Array.from({ length: 4_092 }, () => record));
    const message = framed(Buffer.concat([head, records]));
    for (let from = 0; from < message.length; from += 10_000) socket.write(message.subarray(from, from + 10_000));
    return undefined;
  });
  const { message } = await answered([server]);
  assert.is(message.answers.length, 4_092);
  assert.is(message.answers[4_091]?.name, 'www.example.test');
});

over('a query fails if the UDP response is truncated and the server does not respond over TCP', async () => {
  const port = await freePort();
  await udpServer((query) => responseTo(query, { flags: TRUNCATED }), { port });
  assert.equal(await refused([`127.0.0.1:${port}`]), [
    [
      'connect',
      'The answer of 127.0.0.1:port over UDP is truncated, and there is none over TCP: ' +
        'Connection refused by 127.0.0.1:port.',
    ],
  ]);
});

const BAD_STREAMS: readonly [string, StreamResponder, string, string][] = [
  [
    'closes the connection immediately',
    (_, socket) => void socket.end(),
    'protocol',
    '127.0.0.1:port closed the connection before it answered.',
  ],
  [
    'closes the connection within its response',
    (query, socket) => {
      socket.end(framed(responseTo(query, { answers: [GOOD] })).subarray(0, 20));
      return undefined;
    },
    'protocol',
    '127.0.0.1:port closed the connection in the middle of its answer.',
  ],
  [
    'resets the connection',
    (_, socket) => void socket.resetAndDestroy(),
    'protocol',
    '127.0.0.1:port reset the connection before it answered.',
  ],
  [
    'answers another question',
    (query) => {
      const bytes = responseTo(query, { answers: [GOOD] });
      bytes.writeUInt16BE(bytes.readUInt16BE() ^ 1);
      return framed(bytes);
    },
    'protocol',
    'What 127.0.0.1:port sent over TCP does not match the question.',
  ],
  [
    'sends an empty message',
    () => Buffer.of(0, 0),
    'protocol',
    'What 127.0.0.1:port sent over TCP does not match the question.',
  ],
  ['is silent', () => undefined, 'timeout', 'No answer from 127.0.0.1:port over TCP.'],
];

for (const [name, respond, reason, sentence] of BAD_STREAMS) {
  over(`a query over TCP fails if the server ${name}`, async () => {
    const server = await truncating(respond);
    const [[foundReason, found] = []] = await refused([server], reason === 'timeout' ? { timeLimit: SILENCE_MS } : {});
    assert.is(foundReason, reason);
    assert.ok(found?.endsWith(sentence), found);
  });
}

if (certificate) {
  const respondWell: StreamResponder = (query) => framed(responseTo(query, { answers: [GOOD] }));

  over('a query over TLS verifies the certificate', async () => {
    const { port } = await tlsServer(certificate, respondWell);
    const list = [`tls://127.0.0.1:${port}`];
    const { transport, message, time } = await answered(list, { trust });
    assert.equal([transport, message.answers.length], ['tls', 1]);
    assert.ok(time > 0);
    assert.is((await refused(list))[0]?.[0], 'tls');
  });

  over('a query over TLS to a named server checks the name in the certificate', async () => {
    const { port } = await tlsServer(certificate, respondWell);
    const hosts = { 'dns.test': ['127.0.0.1'], 'other.test': ['127.0.0.1'] };
    assert.is((await answered([`tls://dns.test:${port}`], { trust, hosts })).transport, 'tls');
    const [[reason] = []] = await refused([`tls://other.test:${port}`], { trust, hosts });
    assert.is(reason, 'tls');
  });

  over('a query over TLS fails if the server hangs in the handshake or does not speak TLS', async () => {
    const { port } = await rawServer(() => undefined);
    assert.equal(await refused([`tls://127.0.0.1:${port}`], { timeLimit: SILENCE_MS }), [
      ['timeout', 'No answer to the TLS handshake from 127.0.0.1:port.'],
    ]);
    const plain = await tcpServer(() => Buffer.from('hello'));
    const [[reason] = []] = await refused([`tls://127.0.0.1:${plain.port}`], { timeLimit: 2_000 });
    assert.is(reason, 'timeout');
  });

  const MEDIA_TYPE = 'application/dns-message';
  const saysHttps: HttpsResponder = (body, request, response) => {
    const right = request.method === 'POST' && request.url === '/dns-query?a=b';
    response.writeHead(right && request.headers['content-type'] === MEDIA_TYPE ? 200 : 400, {
      'content-type': MEDIA_TYPE,
    });
    response.end(responseTo(body, { answers: many(400) }));
  };
  const urlOf = ({ port }: { port: number }): string => `https://127.0.0.1:${port}/dns-query?a=b`;

  for (const [speaks, version] of [
    ['h2', '2.0'],
    ['http/1.1', '1.1'],
    ['both', '2.0'],
  ] as const) {
    over(`a query over HTTPS uses HTTP/${version} if the server speaks ${speaks}`, async () => {
      const versions: string[] = [];
      const handle: HttpsResponder = (body, request, response, cut) => {
        versions.push(request.httpVersion);
        saysHttps(body, request, response, cut);
      };
      const server = await httpsServer(certificate, handle, speaks);
      const { transport, message } = await answered([urlOf(server)], { trust });
      assert.equal([transport, message.answers.length, versions], ['https', 400, [version]]);
    });
  }

  const BAD_ANSWERS: readonly [string, HttpsResponder, string][] = [
    [
      'with another status',
      (_, __, response) => response.writeHead(503).end(),
      '127.0.0.1:port answered with HTTP status 503 instead of a DNS message.',
    ],
    [
      'with a redirect',
      (_, __, response) => response.writeHead(302, { location: '/' }).end(),
      '127.0.0.1:port answered with HTTP status 302 instead of a DNS message.',
    ],
    [
      'with a page',
      (_, __, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
      'The answer of 127.0.0.1:port over HTTPS is not a DNS message (its content type is not application/dns-message).',
    ],
    [
      'to another question',
      (body, __, response) => {
        body.write('xxx', 13);
        response.writeHead(200, { 'content-type': MEDIA_TYPE }).end(responseTo(body));
      },
      'What 127.0.0.1:port sent over HTTPS does not match the question.',
    ],
    [
      'with too much',
      (_, __, response) => response.writeHead(200, { 'content-type': MEDIA_TYPE }).end(Buffer.alloc(70_000)),
      'The answer of 127.0.0.1:port is larger than 64 KiB.',
    ],
    [
      'and ends in the middle',
      (_, __, response, cut) => {
        response.writeHead(200, { 'content-type': MEDIA_TYPE }).write('x');
        setTimeout(cut, 20);
      },
      '127.0.0.1:port closed the connection in the middle of its answer.',
    ],
  ];
  for (const speaks of ['h2', 'http/1.1'] as const) {
    for (const [name, handleRequest, sentence] of BAD_ANSWERS) {
      over(`a query over HTTPS fails if a server that speaks ${speaks} responds ${name}`, async () => {
        const server = await httpsServer(certificate, handleRequest, speaks);
        assert.equal(await refused([urlOf(server)], { trust }), [['protocol', sentence]]);
      });
    }
    over(`a query over HTTPS fails if a server that speaks ${speaks} is silent`, async () => {
      const server = await httpsServer(certificate, () => undefined, speaks);
      assert.equal(await refused([urlOf(server)], { trust, timeLimit: SILENCE_MS }), [
        ['timeout', 'No answer from 127.0.0.1:port over HTTPS.'],
      ]);
    });
  }

  over('no query is sent over TLS or HTTPS to an address that the policy refuses', async () => {
    for (const scheme of ['tls', 'https'])
      assert.equal(
        await refused([`${scheme}://ns.test/`.replace(/^(tls.*)\/$/, '$1')], {
          hosts: { 'ns.test': ['169.254.169.254'] },
        }),
        [['target', 'The target policy does not allow ns.test at 169.254.169.254 (link-local).']],
      );
  });
}

over.run();
