import { Value } from '@sinclair/typebox/value';
import type { Socket } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { RunAborted } from '../../../probes/engine/check-type.ts';
import { TcpMetadata } from '../../../domain/check/types/tcp.ts';
import { createByteSearch } from '../../../probes/tcp/search.ts';
import { verdictOf, ok, type TestRunOptions } from '../web/probing.ts';
import { rawServer } from '../web/servers.ts';
import { freePort } from '../../servers/ports.ts';
import { probe } from './probing.ts';

const tcp = suite('running tcp checks');

/** Runs a check of a server with this behaviour, and closes the server. */
const against = async (talk: (socket: Socket) => void, given: TestRunOptions = {}, host = '127.0.0.1') => {
  const server = await rawServer(talk, host);
  try {
    return { outcome: await probe(host, server.port, given), peer: `${host}:${server.port}` };
  } finally {
    await server.close();
  }
};
const searching = (search_text: string, more: TestRunOptions = {}): TestRunOptions => ({
  parameters: { search_text },
  ...more,
});
const silent = (): void => undefined;
/** Sends parts one after another, each in its own TCP segment. */
const inParts = (socket: Socket, parts: readonly (string | Buffer)[]): void => {
  const [part, ...rest] = parts;
  if (part === undefined || socket.destroyed) return;
  socket.write(part, () =>
    setTimeout(() => {
      inParts(socket, rest);
    }, 5),
  );
};

tcp('a tcp check without a text is ok after connecting, even if the server sends nothing', async () => {
  const { outcome } = await against(silent);
  assert.equal(verdictOf(outcome), ok);
  assert.ok(Number.isInteger(outcome.response_time));
  assert.ok(Value.Check(TcpMetadata, outcome.check_metadata));
  const { connected, host, address, timings } = outcome.check_metadata as Record<string, unknown>;
  assert.equal([connected, host, address], [true, '127.0.0.1', '127.0.0.1']);
  const phases = timings as Record<string, unknown>;
  assert.equal([phases['first_byte'], phases['transfer']], [null, null]);
});

tcp('a tcp check connects over IPv6, with and without the brackets of a URL', async () => {
  const server = await rawServer((socket) => socket.write('hello'), '::1');
  for (const host of ['::1', '[::1]']) {
    const outcome = await probe(host, server.port, searching('hello'));
    assert.equal(verdictOf(outcome), ok);
    assert.is(outcome.check_metadata['address'], '::1');
    assert.is(outcome.check_metadata['host'], '::1');
  }
  await server.close();
});

tcp('a tcp check tries the next address of a host if the first one refuses', async () => {
  const server = await rawServer(silent);
  const outcome = await probe('both.test', server.port, { hosts: { 'both.test': ['::1', '127.0.0.1'] } });
  assert.equal(verdictOf(outcome), ok);
  assert.is(outcome.check_metadata['address'], '127.0.0.1');
  assert.is(outcome.check_metadata['host'], 'both.test');
  await server.close();
});

tcp('a tcp check sends its text and finds the expected text, without waiting for the end of the response', async () => {
  const parameters = { send_text: 'PING\r\n', search_text: '+PONG' };
  const { outcome } = await against(
    (socket) => socket.once('data', (text) => socket.write(text.toString() === 'PING\r\n' ? '+PONG\r\n' : '-ERR')),
    { parameters },
  );
  assert.equal(verdictOf(outcome), ok);
  assert.ok(Number.isInteger(outcome.response_time));
});

tcp('a tcp check sends its whole text even if no response text is expected', async () => {
  const send_text = 'ä'.repeat(30_000);
  let received: (text: string) => void;
  const all = new Promise<string>((resolve) => (received = resolve));
  const server = await rawServer((socket) => {
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('end', () => {
      received(Buffer.concat(chunks).toString());
    });
  });
  assert.equal(verdictOf(await probe('127.0.0.1', server.port, { parameters: { send_text } })), ok);
  assert.is(await all, send_text);
  await server.close();
});

tcp('a tcp check finds a text that is split at any byte, even within a character', async () => {
  const bytes = Buffer.from('220 grüß dich');
  for (const at of [1, 5, 6, 7, 8]) {
    const parts = [bytes.subarray(0, at), bytes.subarray(at)];
    const { outcome } = await against((socket) => {
      inParts(socket, parts);
    }, searching('grüß'));
    assert.equal(verdictOf(outcome), ok, `cut at ${at}`);
  }
});

tcp('a tcp check finds a text of one character in the last of many pieces', () => {
  const search = createByteSearch('z');
  assert.equal(
    ['a', 'b', 'z'].map((piece) => search.write(Buffer.from(piece))),
    [false, false, true],
  );
});

tcp('a tcp check continues to read after the server has closed its half of the connection', async () => {
  const { outcome } = await against((socket) => socket.end('bye'), searching('bye'));
  assert.equal(verdictOf(outcome), ok);
});

tcp('a tcp check fails if the server closes without the text', async () => {
  const { outcome } = await against((socket) => socket.end('SSH-2.0-x'), searching('220'));
  assert.equal(verdictOf(outcome), {
    status: 'failed',
    reason: 'content',
    error_message: 'Text "220" was not found in the response.',
  });
  assert.ok(Number.isInteger(outcome.response_time));
});

tcp('a tcp check fails if the text is not in the first 10 MiB', async () => {
  const block = Buffer.alloc(1024 * 1024, 'x');
  const { outcome } = await against((socket) => {
    const on = (): void => {
      if (!socket.destroyed) socket.write(block, on);
    };
    on();
  }, searching('y'));
  assert.is(outcome.error_message, 'Text "y" was not found in the first 10 MiB of the response.');
  assert.equal([outcome.status, outcome.reason], ['failed', 'content']);
});

const BROKEN: readonly [string, (socket: Socket) => void, TestRunOptions, string, (peer: string) => string][] = [
  [
    'closes without a response',
    (socket) => socket.end(),
    searching('x'),
    'protocol',
    (peer) => `${peer} closed the connection without an answer.`,
  ],
  [
    'resets the connection',
    (socket) =>
      socket.once('data', () => {
        socket.resetAndDestroy();
      }),
    { parameters: { send_text: 'x', search_text: 'x' } },
    'protocol',
    (peer) => `${peer} reset the connection before it answered.`,
  ],
  [
    'sends nothing',
    silent,
    searching('x', { timeout: 0.5 }),
    'timeout',
    (peer) => `Timed out after 0.5 s waiting for the text "x" from ${peer} (0 bytes so far).`,
  ],
  [
    'sends another text and stays connected',
    (socket) => socket.write('abc'),
    searching('x', { timeout: 0.5 }),
    'timeout',
    (peer) => `Timed out after 0.5 s waiting for the text "x" from ${peer} (3 bytes so far).`,
  ],
];
for (const [what, talk, given, reason, sentence] of BROKEN) {
  tcp(`a tcp check of a server that ${what} is down`, async () => {
    const { outcome, peer } = await against(talk, given);
    assert.equal(verdictOf(outcome), { status: 'down', reason, error_message: sentence(peer) });
    assert.is(outcome.response_time, null);
    assert.is(outcome.check_metadata['connected'], true);
  });
}

tcp('a tcp check times out if a server sends endlessly and slowly', async () => {
  const { outcome } = await against(
    (socket) => {
      const drip = setInterval(() => socket.write('.'), 5);
      socket.on('close', () => {
        clearInterval(drip);
      });
    },
    searching('x', { timeout: 0.5 }),
  );
  assert.equal([outcome.status, outcome.reason], ['down', 'timeout']);
  assert.match(
    outcome.error_message ?? '',
    /^Timed out after 0\.5 s waiting for the text "x" from .* bytes so far\)\.$/,
  );
});

tcp('a tcp check is down for a closed port, over IPv4 and IPv6', async () => {
  const port = await freePort();
  for (const [host, peer] of [
    ['127.0.0.1', `127.0.0.1:${port}`],
    ['::1', `[::1]:${port}`],
  ] as const) {
    const outcome = await probe(host, port);
    assert.equal(verdictOf(outcome), {
      status: 'down',
      reason: 'connect',
      error_message: `Connection refused by ${peer}.`,
    });
    assert.equal([outcome.check_metadata['connected'], outcome.check_metadata['address']], [false, null]);
    assert.ok(Value.Check(TcpMetadata, outcome.check_metadata));
  }
});

tcp('a tcp check is down if the host is unknown or the look-up takes too long', async () => {
  assert.equal(verdictOf(await probe('nowhere.test', 9)), {
    status: 'down',
    reason: 'lookup',
    error_message: 'The host name nowhere.test was not found.',
  });
  const stuck = await probe('slow.test', 9, { timeout: 0.02, resolve: () => new Promise(() => undefined) });
  assert.is(stuck.error_message, 'Timed out after 0.02 s looking up slow.test.');
});

tcp('a tcp check never connects to an address that the policy refuses, in any spelling', async () => {
  const server = await rawServer(silent);
  let connections = 0;
  const counted = await rawServer(() => connections++);
  const rules = { policy: 'public' } as const;
  const refused = await probe('127.0.0.1', counted.port, { rules });
  assert.equal([refused.status, refused.reason], ['failed', 'target']);
  assert.match(refused.error_message ?? '', /^The target policy does not allow 127\.0\.0\.1 \(/);
  const named = await probe('own.test', counted.port, { rules, hosts: { 'own.test': ['::ffff:127.0.0.1'] } });
  assert.is(named.reason, 'target');
  assert.is((await probe('169.254.169.254', 80)).reason, 'target');
  assert.is(connections, 0);
  // If a host has several addresses, one allowed address suffices.
  const mixed = { 'mixed.test': ['169.254.169.254', '127.0.0.1'] };
  assert.is((await probe('mixed.test', server.port, { hosts: mixed })).check_metadata['address'], '127.0.0.1');
  await server.close();
  await counted.close();
});

tcp('an aborted tcp check rejects', async () => {
  const ending = new AbortController();
  const server = await rawServer(() => {
    ending.abort();
  });
  const given = searching('x', { signal: ending.signal });
  for (let round = 0; round < 2; round++) {
    try {
      await probe('127.0.0.1', server.port, given);
      assert.unreachable('it ended well');
    } catch (error) {
      assert.instance(error, RunAborted);
    }
  }
  await server.close();
});

tcp.run();
