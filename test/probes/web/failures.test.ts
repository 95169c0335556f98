import { once } from 'node:events';
import { connect } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LocalFailure } from '../../../network/local-failure.ts';
import { systemClock } from '../../../network/clock.ts';
import { ProbeFailure } from '../../../probes/engine/probe-failure.ts';
import { createStopwatch } from '../../../probes/engine/stopwatch.ts';
import { exchange } from '../../../probes/web/exchange.ts';
import { createBodyExamination } from '../../../probes/web/body-examination.ts';
import { firstRequest } from '../../../probes/web/request.ts';
import { rejects } from '../../rejects.ts';
import { closing, down, hostileIn, resetting, resettingLater } from './hostile.ts';
import { verdictOf, ok, probe, type TestRunOptions } from './probing.ts';
import { httpServer, rawServer, saying } from './servers.ts';
import { freePort } from '../../servers/ports.ts';

const failures = suite('web checks of failing servers');

const hostile = hostileIn(failures);

// Connections

failures('a web check of a port on which nothing listens reports a refused connection', async () => {
  const port = (await freePort()).toString();
  const outcome = await probe(`http://127.0.0.1:${port}/`);
  assert.equal(verdictOf(outcome), down('connect', `Connection refused by 127.0.0.1:${port}.`));
  assert.is(outcome.check_metadata['connected'], false);
  assert.is(outcome.check_metadata['address'], null);
  assert.is(outcome.check_metadata['status_code'], null);
  const six = await probe(`http://[::1]:${port}/`);
  assert.is(six.error_message, `Connection refused by [::1]:${port}.`);
  const both = await probe(`http://both.test:${port}/`, { hosts: { 'both.test': ['::1', '127.0.0.1'] } });
  assert.is(both.error_message, `Connection refused by [::1]:${port} and 127.0.0.1:${port}.`);
});

failures('a web check of a name without an address reports that the name was not found', async () => {
  const outcome = await probe('http://nowhere.test/');
  assert.equal(verdictOf(outcome), down('lookup', 'The host name nowhere.test was not found.'));
  const timings = outcome.check_metadata['timings'] as Record<string, unknown>;
  assert.ok(Number.isInteger(timings['lookup']));
  assert.is(timings['connect'], null);
});

failures('a web check distinguishes failures of name servers', async () => {
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
    assert.equal(verdictOf(outcome), down('lookup', sentence));
  }
  assert.is((await probe('http://a.test/', { hosts: { 'a.test': [] } })).error_message, sentences.ENOTFOUND);
});

failures('a look-up that the runner can’t perform says nothing about the target of a web check', async () => {
  for (const code of ['EMFILE', 'ENFILE', 'ENOMEM', 'EAI_MEMORY', 'EAI_SYSTEM', 'EFILE', 'ERR_INTERNAL_ASSERTION'])
    await rejects(
      probe('http://a.test/', { resolve: () => Promise.reject(Object.assign(new Error(code), { code })) }),
      LocalFailure,
      "The runner can't look up a.test.",
    );
  const fault = probe('http://a.test/', { resolve: () => Promise.reject(new TypeError('x is undefined')) });
  await rejects(fault, LocalFailure, "The runner can't look up a.test.");
});

failures('a web check times out if the name servers do not respond', async () => {
  const outcome = await probe('http://slow.test/', { timeout: 0.05, resolve: () => new Promise(() => undefined) });
  assert.equal(verdictOf(outcome), down('timeout', 'Timed out after 0.05 s looking up slow.test.'));
});

failures('a web check fails if the policy refuses the address', async () => {
  const refused = (error_message: string) => ({ status: 'failed', reason: 'target', error_message });
  const cases: [string, TestRunOptions, string][] = [
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
    assert.equal(verdictOf(await probe(url, given)), refused(`The target policy does not allow ${target}.`), url);
});

failures('a web check uses only the allowed addresses of a host', async () => {
  const server = await httpServer((_, response) => response.end('x'));
  const outcome = await probe(`http://mixed.test:${server.port}/`, {
    hosts: { 'mixed.test': ['169.254.169.254', '127.0.0.1'] },
  });
  await server.close();
  assert.equal(verdictOf(outcome), ok);
  assert.is(outcome.check_metadata['address'], '127.0.0.1');
});

// No response, or half of one

const silent: TestRunOptions = { timeout: 0.5 };

hostile(
  'a web check of a server that accepts and sends nothing is down',
  () => rawServer(() => undefined),
  'timeout',
  (peer) => `Timed out after 0.5 s waiting for an answer from ${peer}.`,
  silent,
);
hostile(
  'a web check of a server that closes immediately is down',
  () => rawServer(closing),
  'protocol',
  (peer) => `${peer} closed the connection without an answer.`,
);
hostile(
  'a web check of a server that closes after the request is down',
  () => saying('', closing),
  'protocol',
  (peer) => `${peer} closed the connection without an answer.`,
);
hostile(
  'a web check of a server that resets after the request is down',
  () => saying('', resetting),
  'protocol',
  (peer) => `${peer} reset the connection before it answered.`,
);
hostile(
  'a web check of a server that sends its head byte by byte is down',
  () =>
    rawServer((socket) => {
      const bytes = Array.from('HTTP/1.1 200 OK\r\nX-Slow: yes\r\n\r\n');
      const timer = setInterval(() => socket.write(bytes.shift() ?? ' '), 20);
      socket.on('close', () => {
        clearInterval(timer);
      });
    }),
  'timeout',
  (peer) => `Timed out after 0.5 s waiting for an answer from ${peer}.`,
  silent,
);
hostile(
  'a web check of a server that ends within its head is down',
  () => saying('HTTP/1.1 200 OK\r\nContent-Le', closing),
  'protocol',
  (peer) => `${peer} closed the connection within the headers of its answer.`,
);
hostile(
  'a web check of a server that sends nothing after its head is down',
  () => saying('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n'),
  'timeout',
  (peer) => `Timed out after 0.5 s receiving the response from ${peer} (0 bytes so far).`,
  silent,
);
hostile(
  'a web check of a server that sends its body byte by byte is down',
  () =>
    saying('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nabc', (socket) => {
      const timer = setInterval(() => socket.write('\r'), 500);
      socket.on('close', () => {
        clearInterval(timer);
      });
    }),
  'timeout',
  (peer) => `Timed out after 0.5 s receiving the response from ${peer} (3 bytes so far).`,
  silent,
);
failures(
  'a web check reads an endless response only up to ten mebibytes, or until the searched text is found',
  async () => {
    let sent = 0;
    for (const [search_text, most] of [
      [undefined, 30],
      ['xx', 10],
    ] as const) {
      const endless = await saying('HTTP/1.1 200 OK\r\n\r\n', (socket) => {
        sent = 0;
        const more = (): void => {
          do sent += 65_536;
          while (!socket.destroyed && socket.write('x'.repeat(65_536)));
        };
        socket.on('drain', more);
        more();
      });
      const outcome = await probe(`http://127.0.0.1:${endless.port}/`, {
        parameters: search_text === undefined ? {} : { search_text },
      });
      await endless.close();
      assert.equal(verdictOf(outcome), ok);
      // The server has sent more than the check has read, because sockets buffer data.
      assert.ok(sent < most * 1_048_576, sent.toString());
    }
  },
);
hostile(
  'a web check of a server that announces more than it sends is down',
  () => saying('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort', closing),
  'protocol',
  (peer) => `${peer} closed the connection before the response was complete.`,
);
hostile(
  'a web check of a server that announces its close, and more than it sends, is down',
  () => saying('HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 100\r\n\r\nshort', closing),
  'protocol',
  (peer) => `${peer} closed the connection before the response was complete.`,
);
hostile(
  'a web check of a server that resets within the body is down',
  () => saying('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort', resettingLater),
  'protocol',
  (peer) => `${peer} reset the connection before the response was complete.`,
);
hostile(
  'a web check of a server that ends within a chunk is down',
  () => saying('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n10\r\nabc', closing),
  'protocol',
  (peer) => `${peer} closed the connection before the response was complete.`,
);
hostile(
  'a web check of a server that never sends its last chunk is down',
  () => saying('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n', closing),
  'protocol',
  (peer) => `${peer} closed the connection before the response was complete.`,
);

failures('a response is not complete if this process itself closes the connection', async () => {
  const server = await rawServer(() => undefined);
  const peer = `127.0.0.1:${server.port}`;
  const socket = connect(server.port, '127.0.0.1');
  await once(socket, 'connect');
  const exchanged = exchange(firstRequest(`http://${peer}/`), {
    socket,
    peer,
    examination: createBodyExamination({ text: '', absent: '', json: false }),
    stopwatch: createStopwatch(systemClock),
    signal: new AbortController().signal,
    onHead: () => true,
    onNote: () => undefined,
    onProgress: () => undefined,
    onEnd: () => undefined,
  });
  setTimeout(() => socket.destroy(), 20);
  await rejects(exchanged, ProbeFailure, `${peer} closed the connection without an answer.`);
  await server.close();
});

failures.run();
