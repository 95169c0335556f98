import type { Socket } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Reason } from '../../../runners/check-type.ts';
import { found, ok, probe, type Probing } from './probing.ts';
import { closedPort, httpServer, rawServer, saying, type Opened } from './servers.ts';

const failures = suite('a web check of a server that does not answer as it should');

/** A sentence in which the server's address stands for its port. */
type Sentence = (peer: string) => string;

const down = (reason: Reason, error_message: string) => ({ status: 'down', reason, error_message });

/** A server that misbehaves, and what the check says of it. */
const hostile = (
  sentence: string,
  server: () => Promise<Opened>,
  reason: Reason,
  message: Sentence,
  given: Probing = {},
): void => {
  failures(sentence, async () => {
    const { port, close } = await server();
    const peer = `127.0.0.1:${port.toString()}`;
    try {
      const outcome = await probe(`http://${peer}/`, given);
      assert.equal(found(outcome), down(reason, message(peer)));
      assert.is(outcome.response_time, null);
      assert.is(outcome.check_metadata['connected'], true);
    } finally {
      await close();
    }
  });
};

const closing = (socket: Socket): void => {
  socket.end();
};
const resetting = (socket: Socket): void => {
  socket.resetAndDestroy();
};
/** Resets once what was written is on its way. */
const resettingLater = (socket: Socket): void => {
  setTimeout(() => socket.resetAndDestroy(), 30);
};

// Connections

failures('a port on which nothing listens refuses the connection', async () => {
  const port = (await closedPort()).toString();
  const outcome = await probe(`http://127.0.0.1:${port}/`);
  assert.equal(found(outcome), down('connect', `Connection refused by 127.0.0.1:${port}.`));
  assert.is(outcome.check_metadata['connected'], false);
  assert.is(outcome.check_metadata['address'], null);
  assert.is(outcome.check_metadata['status_code'], null);
  const six = await probe(`http://[::1]:${port}/`);
  assert.is(six.error_message, `Connection refused by [::1]:${port}.`);
  const both = await probe(`http://both.test:${port}/`, { hosts: { 'both.test': ['::1', '127.0.0.1'] } });
  assert.is(both.error_message, `Connection refused by [::1]:${port} and 127.0.0.1:${port}.`);
});

failures('a name that has no address is not found', async () => {
  const outcome = await probe('http://nowhere.test/');
  assert.equal(found(outcome), down('lookup', 'The host name nowhere.test was not found.'));
  const timings = outcome.check_metadata['timings'] as Record<string, unknown>;
  assert.ok(Number.isInteger(timings['lookup']));
  assert.is(timings['connect'], null);
});

failures('name servers that fail are told apart', async () => {
  const sentences = {
    ENOTFOUND: 'The host name a.test was not found.',
    ENODATA: 'The host name a.test has no address.',
    EAI_AGAIN: 'The name servers gave no answer for a.test.',
    ESERVFAIL: 'The name servers could not answer for a.test.',
    EREFUSED: 'The host name a.test could not be looked up (EREFUSED).',
  };
  for (const [code, sentence] of Object.entries(sentences)) {
    const outcome = await probe('http://a.test/', {
      resolve: () => Promise.reject(Object.assign(new Error(code), { code })),
    });
    assert.equal(found(outcome), down('lookup', sentence));
  }
  assert.is((await probe('http://a.test/', { hosts: { 'a.test': [] } })).error_message, sentences.ENOTFOUND);
});

failures('name servers that say nothing use up the time', async () => {
  const outcome = await probe('http://slow.test/', { timeout: 0.05, resolve: () => new Promise(() => undefined) });
  assert.equal(found(outcome), down('timeout', 'Timed out after 0.05 s looking up slow.test.'));
});

failures('an address that the policy refuses is a failed check', async () => {
  const refused = (error_message: string) => ({ status: 'failed', reason: 'target', error_message });
  const cases: [string, Probing, string][] = [
    ['http://169.254.169.254/', {}, '169.254.169.254 (link-local)'],
    ['http://0.0.0.0:80/', {}, '0.0.0.0 (unspecified)'],
    ['http://[::]/', {}, ':: (unspecified)'],
    ['http://224.0.0.1/', {}, '224.0.0.1 (multicast)'],
    ['http://255.255.255.255/', {}, '255.255.255.255 (broadcast)'],
    ['http://0251.0376.0251.0376/', {}, '169.254.169.254 (link-local)'],
    ['http://127.0.0.1/', { rules: { policy: 'public' } }, '127.0.0.1 (loopback)'],
    ['http://127.1/', { rules: { policy: 'public' } }, '127.0.0.1 (loopback)'],
    ['http://10.0.0.1/', { rules: { policy: 'public' } }, '10.0.0.1 (private)'],
    ['http://127.0.0.1/', { rules: { policy: 'internal', deny: '127.0.0.0/8' } }, '127.0.0.1 (denied)'],
    [
      'http://in.test/',
      { rules: { policy: 'public' }, hosts: { 'in.test': ['10.0.0.1', '::1'] } },
      'in.test at 10.0.0.1 (private)',
    ],
  ];
  for (const [url, given, target] of cases)
    assert.equal(found(await probe(url, given)), refused(`The target policy does not allow ${target}.`), url);
});

failures('of several addresses only the allowed ones are connected to', async () => {
  const server = await httpServer((_, response) => response.end('x'));
  const outcome = await probe(`http://mixed.test:${server.port.toString()}/`, {
    hosts: { 'mixed.test': ['169.254.169.254', '127.0.0.1'] },
  });
  await server.close();
  assert.equal(found(outcome), ok);
  assert.is(outcome.check_metadata['address'], '127.0.0.1');
});

// No answer, or half of one

const silent: Probing = { timeout: 0.1 };

hostile(
  'that accepts and says nothing',
  () => rawServer(() => undefined),
  'timeout',
  (peer) => `Timed out after 0.1 s waiting for an answer from ${peer}.`,
  silent,
);
hostile(
  'that closes at once',
  () => rawServer(closing),
  'protocol',
  (peer) => `${peer} closed the connection without an answer.`,
);
hostile(
  'that closes when it is asked',
  () => saying('', closing),
  'protocol',
  (peer) => `${peer} closed the connection without an answer.`,
);
hostile(
  'that resets the connection when it is asked',
  () => saying('', resetting),
  'protocol',
  (peer) => `${peer} reset the connection before it answered.`,
);
hostile(
  'that sends its head one byte a moment',
  () =>
    rawServer((socket) => {
      const bytes = Array.from('HTTP/1.1 200 OK\r\nX-Slow: yes\r\n\r\n');
      const timer = setInterval(() => socket.write(bytes.shift() ?? ' '), 20);
      socket.on('close', () => {
        clearInterval(timer);
      });
    }),
  'timeout',
  (peer) => `Timed out after 0.1 s waiting for an answer from ${peer}.`,
  silent,
);
hostile(
  'that ends within its head',
  () => saying('HTTP/1.1 200 OK\r\nContent-Le', closing),
  'protocol',
  (peer) => `${peer} closed the connection without an answer.`,
);
hostile(
  'that says no more after its head',
  () => saying('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n'),
  'timeout',
  (peer) => `Timed out after 0.1 s receiving the response from ${peer} (0 bytes so far).`,
  silent,
);
hostile(
  'that sends one byte of its body a moment',
  () =>
    saying('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nabc', (socket) => {
      const timer = setInterval(() => socket.write('\r'), 500);
      socket.on('close', () => {
        clearInterval(timer);
      });
    }),
  'timeout',
  (peer) => `Timed out after 0.1 s receiving the response from ${peer} (3 bytes so far).`,
  silent,
);
failures('that never stops sending uses up the time, whatever was found', async () => {
  for (const parameters of [{}, { search_text: 'xx' }]) {
    const endless = await saying('HTTP/1.1 200 OK\r\n\r\n', (socket) => {
      const more = (): void => {
        while (socket.writable && socket.write('x'.repeat(10_000)));
      };
      socket.on('drain', more);
      more();
    });
    const outcome = await probe(`http://127.0.0.1:${endless.port.toString()}/`, { timeout: 0.2, parameters });
    await endless.close();
    assert.is(outcome.reason, 'timeout');
    assert.match(
      outcome.error_message ?? '',
      /^Timed out after 0\.2 s receiving the response from .* \(\d+ bytes so far\)\.$/,
    );
  }
});
hostile(
  'that announces more than it sends',
  () => saying('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort', closing),
  'protocol',
  (peer) => `${peer} closed the connection before the response was complete.`,
);
hostile(
  'that announces that it closes, and more than it sends',
  () => saying('HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 100\r\n\r\nshort', closing),
  'protocol',
  (peer) => `${peer} sent a body that is not as long as its Content-Length says.`,
);
hostile(
  'that resets the connection within the body',
  () => saying('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort', resettingLater),
  'protocol',
  (peer) => `${peer} reset the connection before the response was complete.`,
);
hostile(
  'that ends within a chunk',
  () => saying('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n10\r\nabc', closing),
  'protocol',
  (peer) => `${peer} closed the connection before the response was complete.`,
);
hostile(
  'that never sends its last chunk',
  () => saying('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n', closing),
  'protocol',
  (peer) => `${peer} closed the connection before the response was complete.`,
);

// What is no HTTP

const invalid = (sentence: string, answer: string | Buffer, words: string): void => {
  hostile(
    sentence,
    () => saying(answer),
    'protocol',
    () => `The response is not valid HTTP: ${words}.`,
  );
};

invalid('that speaks another protocol', 'SSH-2.0-OpenSSH_9.2\r\n', 'Expected HTTP/, RTSP/ or ICE/');
invalid(
  'that answers with a page and no head',
  '<html><body>hi</body></html>\r\n\r\n',
  'Expected HTTP/, RTSP/ or ICE/',
);
invalid('that has no status', 'HTTP/1.1 OK\r\n\r\n', 'Invalid status code');
invalid('that counts HTTP in its own way', 'HTTP/9.9 200 OK\r\n\r\n', 'Invalid HTTP version');
invalid('that has a blank in the name of a header', 'HTTP/1.1 200 OK\r\nBad Header: x\r\n\r\n', 'Invalid header token');
invalid('that has a header without a name', 'HTTP/1.1 200 OK\r\n: x\r\n\r\n', 'Invalid header token');
invalid('that has a NUL in a header', 'HTTP/1.1 200 OK\r\nX: a\0b\r\n\r\n', 'Invalid header value char');
hostile(
  'that has two lengths',
  () => saying('HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx'),
  'protocol',
  (peer) => `${peer} sent a body that is not as long as its Content-Length says.`,
);
invalid(
  'that has a length that is no number',
  'HTTP/1.1 200 OK\r\nContent-Length: ten\r\n\r\n',
  'Invalid character in Content-Length',
);
invalid(
  'that has a length and chunks',
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\nabc',
  "Content-Length can't be present with Transfer-Encoding",
);
invalid(
  'that has a chunk of no size',
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n',
  'Invalid character in chunk size',
);
invalid(
  'that goes on after a chunk',
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n0\r\n\r\n',
  'Expected LF after chunk data',
);
invalid(
  'that switches to a protocol that nobody asked for',
  'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
  'bad upgrade',
);
hostile(
  'that sends megabytes of headers',
  () =>
    saying('HTTP/1.1 200 OK\r\n', (socket) => {
      for (let i = 0; i < 5_000; i++) socket.write(`X-${i.toString()}: ${'v'.repeat(100)}\r\n`);
    }),
  'protocol',
  () => 'The response headers are larger than 64 KiB.',
);
hostile(
  'that sends one header without an end',
  () =>
    saying('HTTP/1.1 200 OK\r\nX: ', (socket) => {
      for (let i = 0; i < 200; i++) socket.write('v'.repeat(1_000));
    }),
  'protocol',
  () => 'The response headers are larger than 64 KiB.',
);

// What is odd, but an answer

const odd = (sentence: string, answer: string | readonly string[], then: (socket: Socket) => void = closing): void => {
  failures(sentence, async () => {
    const server = await saying(answer, then);
    const outcome = await probe(`http://127.0.0.1:${server.port.toString()}/`, { parameters: { search_text: 'ok' } });
    await server.close();
    assert.equal(found(outcome), ok);
  });
};

odd('a body that ends with the connection is complete', 'HTTP/1.1 200 OK\r\n\r\nall ok');
odd('HTTP/1.0 is spoken still', 'HTTP/1.0 200 OK\r\n\r\nall ok');
odd(
  'bytes after the end of the body are nothing',
  'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 500 No\r\n\r\n',
);
odd(
  'a server that does not close is not waited for',
  'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok',
  () => undefined,
);
odd(
  'hints before the answer are passed over',
  'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok',
);
odd(
  'trailers are passed over',
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-Trailer: x\r\n\r\n',
);
odd('a status without words will do', 'HTTP/1.1 200 \r\nContent-Length: 2\r\n\r\nok');
odd(
  'headers may be named as properties are',
  'HTTP/1.1 200 OK\r\n__proto__: x\r\nconstructor: y\r\nContent-Length: 2\r\n\r\nok',
);

failures.run();
