import { createHmac } from 'node:crypto';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { NotificationMessage, SendOutcome } from '../../../notifiers/notifier.ts';
import { fakeClock, settled } from '../../network/fake-clock.ts';
import { createAuthority, hasOpenssl } from '../../probes/web/certificates.ts';
import { closeServers, httpServer, rawServer, saying } from '../../probes/web/servers.ts';
import { freePort } from '../../servers/ports.ts';
import { MESSAGE, post, webhookIn } from './post-message.ts';
import { realPause } from '../../waiting.ts';

const test = suite('delivering to a webhook');
test.after.each(closeServers);

const url = (port: number, path = '/hook?token=t0ken'): string => `http://127.0.0.1:${port}${path}`;

const whether = (sent: Exclude<SendOutcome, { status: 'delivered' }>): string =>
  sent.status === 'unavailable' ? 'unavailable' : sent.permanent ? 'permanent' : 'again';

/** Formats the outcome of an attempt on one line: whether a failure is permanent, its reason and its error message. */
const line = (sent: SendOutcome): string =>
  sent.status === 'delivered'
    ? `delivered ${String(sent.response_code)}`
    : `${whether(sent)} ${sent.reason} ${String(sent.response_code)}: ${sent.error_message}`;

const answering = async (head: string): Promise<string> => {
  const { port } = await saying(`HTTP/1.1 ${head}\r\nContent-Length: 0\r\n\r\n`);
  return line(await post({ url: url(port) }));
};

test('a webhook posts JSON, and counts as delivered if the response is 2xx', async () => {
  const seen: { method?: string; url?: string; headers: Record<string, unknown>; body: string }[] = [];
  const { port } = await httpServer(({ method = '', url: path = '', headers }, response, body) => {
    seen.push({ method, url: path, headers, body });
    response.writeHead(204).end();
  });
  assert.is(line(await post({ url: url(port) })), 'delivered 204');
  const [request] = seen;
  assert.is(seen.length, 1);
  assert.equal([request?.method, request?.url], ['POST', '/hook?token=t0ken']);
  assert.is(request?.headers['content-type'], 'application/json');
  assert.is(request?.headers['user-agent'], 'Uptrail');
  assert.is(request?.headers['webhook-id'], MESSAGE.id);
  assert.is(request?.headers['webhook-signature'], undefined);
  assert.equal(JSON.parse(request?.body ?? ''), { event: 'incident.created', incident: { name: 'The shop is down' } });
});

test('a webhook uses the content type of its settings', async () => {
  let seen: unknown;
  const { port } = await httpServer(({ headers }, response, body) => {
    seen = [headers['content-type'], JSON.parse(body)];
    response.end();
  });
  const headers = { 'Content-Type': 'application/vnd.example+json; charset=utf-8' };
  await post({ url: url(port), headers, template: '{"text":"{{message.subject}}"}' });
  assert.equal(seen, ['application/vnd.example+json; charset=utf-8', { text: 'The shop is down' }]);
});

/** Sends a GET webhook. @returns the request that the server receives */
const got = async (settings: object, message: Partial<NotificationMessage> = {}) => {
  let seen: { method: string | undefined; path: string; headers: Record<string, unknown>; body: string } | undefined;
  const { port } = await httpServer(({ method, url: path = '', headers }, response, body) => {
    seen = { method, path, headers, body };
    response.end();
  });
  const { path = '/hook?room=ops', ...others } = settings as { path?: string };
  const sent = await webhookIn({}).send(
    { ...MESSAGE, ...message },
    { url: url(port, path), method: 'GET', template: null, ...others },
    { signal: new AbortController().signal },
  );
  assert.is(line(sent), 'delivered 200');
  const { searchParams } = new URL(seen?.path ?? '', 'http://x');
  return { ...seen, room: searchParams.get('room'), payload: searchParams.get('payload') ?? '' };
};

test('a GET webhook has its message in the signed query, and no body', async () => {
  const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
  const seen = await got({ secret, headers: { 'Content-Type': 'application/json' } });
  assert.equal([seen.method, seen.body, seen.room], ['GET', '', 'ops']);
  assert.equal([seen.headers?.['content-type'], seen.headers?.['content-length']], [undefined, undefined]);
  assert.equal(JSON.parse(seen.payload), { event: 'incident.created', incident: { name: 'The shop is down' } });
  new Webhook(secret).verify(seen.payload, seen.headers as Record<string, string>);
  const filled = await got({ template: '{"text":"{{message.subject}} & more"}' });
  assert.equal(JSON.parse(filled.payload), { text: 'The shop is down & more' });
});

test('a GET webhook whose URL has placeholders adds no other values', async () => {
  const seen = await got({ path: '/{{event}}?text={{message.subject}}' });
  assert.equal([seen.path, seen.body], ['/incident.created?text=The%20shop%20is%20down', '']);
});

test('the URL of a GET webhook does not exceed the length that servers accept', async () => {
  const alert = { title: 'Down' };
  const large = await got({}, { data: { alert, check: { text: 'x'.repeat(10_000) }, result: null, rule: null } });
  assert.equal(JSON.parse(large.payload), { event: 'incident.created', alert });
  const huge = await got({}, { text: 'я'.repeat(9_000), data: { alert: { title: 'x'.repeat(10_000) } } });
  const { event, message } = JSON.parse(huge.payload) as { event: string; message: { subject: string; text: string } };
  assert.equal([event, message.subject, message.text.length], ['incident.created', MESSAGE.subject, 500]);
  assert.ok((huge.path ?? '').length < 8_000);
});

/** Successful responses that are unusual in one way. */
const ODD: readonly [what: string, answer: string][] = [
  ['an interim answer first', 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'],
  ['bare LFs', 'HTTP/1.1 200 OK\nContent-Length: 2\n\nok'],
  ['a blank before a colon', 'HTTP/1.1 200 OK\r\nContent-Length : 2\r\n\r\nok'],
  ['the same length twice', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok'],
  ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok'],
  ['a length that is no number', 'HTTP/1.1 200 OK\r\nContent-Length: two\r\n\r\nok'],
  [
    'a length and chunks',
    'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
  ],
  ['chunks that are none', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nok'],
  ['a control byte', 'HTTP/1.1 200 OK\r\nX-Name: a\u0001b\r\nContent-Length: 0\r\n\r\n'],
  ['a NUL among its headers', 'HTTP/1.1 200 OK\r\nX-Name: a\0b\r\nContent-Length: 0\r\n\r\n'],
  ['a line that is no header', 'HTTP/1.1 200 OK\r\nStatus 200\r\nContent-Length: 0\r\n\r\n'],
  ['20 KB of headers', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(20_000)}\r\nContent-Length: 0\r\n\r\n`],
  ['a part of its body', 'HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nok'],
];

for (const [what, answer] of ODD) {
  test(`a webhook counts as delivered if the response is 2xx with ${what}`, async () => {
    const { port } = await saying(answer, (socket) => socket.end());
    assert.is(line(await post({ url: url(port) })), 'delivered 200');
  });
}

test('a webhook is retried if the response has two Retry-After headers', async () => {
  const sent = await answering('503 Wait\r\nRetry-After: 10\r\nRetry-After: 20');
  assert.is(sent, 'again status 503: The answer of the webhook was 503.');
});

test('a webhook uses the method and the headers of its settings', async () => {
  let seen: unknown;
  const { port } = await httpServer(({ method, headers }, response) => {
    seen = [method, headers['authorization'], headers['x-room']];
    response.end();
  });
  await post({ url: url(port), method: 'PUT', headers: { Authorization: 'Bearer s3cret', 'X-Room': 'ops' } });
  assert.equal(seen, ['PUT', 'Bearer s3cret', 'ops']);
});

test('a webhook signs its id, time and body with its secret according to Standard Webhooks', async () => {
  const key = Buffer.alloc(32, 7);
  let seen: { headers: Record<string, unknown>; body: string } = { headers: {}, body: '' };
  const { port } = await httpServer(({ headers }, response, body) => {
    seen = { headers, body };
    response.end();
  });
  const clock = fakeClock(Date.parse('2026-11-20T15:00:00.900Z'));
  await post({ url: url(port), secret: `whsec_${key.toString('base64')}` }, { clock });
  const at = '1795186800';
  assert.is(seen.headers['webhook-timestamp'], at);
  const expected = createHmac('sha256', key).update(`${MESSAGE.id}.${at}.${seen.body}`).digest('base64');
  assert.is(seen.headers['webhook-signature'], `v1,${expected}`);
  assert.is(clock.pending(), 0);
});

test('a webhook is also signed with the previous secret, so receivers with either secret can verify it', async () => {
  const [secret, former_secret] = [7, 8].map((byte) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`) as [
    string,
    string,
  ];
  const other = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
  let seen: { headers: Record<string, string>; body: string } = { headers: {}, body: '' };
  const { port } = await httpServer(({ headers }, response, body) => {
    seen = { headers: headers as Record<string, string>, body };
    response.end();
  });
  await post({ url: url(port), secret, former_secret });
  for (const known of [secret, former_secret]) new Webhook(known).verify(seen.body, seen.headers);
  assert.throws(() => new Webhook(other).verify(seen.body, seen.headers));
});

test('a webhook fails permanently if the target refuses it', async () => {
  assert.is(await answering('400 Bad Request'), 'permanent status 400: The answer of the webhook was 400.');
  assert.is(await answering('401 Unauthorized'), 'permanent status 401: The answer of the webhook was 401.');
  assert.is(await answering('404 Not Found'), 'permanent status 404: The answer of the webhook was 404.');
  assert.is(await answering('410 Gone'), 'permanent status 410: The answer of the webhook was 410.');
});

test('a webhook is retried after responses that may be temporary', async () => {
  for (const status of [
    '408 Request Timeout',
    '425 Too Early',
    '429 Too Many Requests',
    '500 No',
    '503 No',
    '599 No',
  ]) {
    const code = status.slice(0, 3);
    assert.is(await answering(status), `again status ${code}: The answer of the webhook was ${code}.`);
  }
});

test('a webhook does not follow redirects', async () => {
  let requests = 0;
  const elsewhere = await httpServer((_, response) => {
    requests++;
    response.end();
  });
  const answer = await answering(`307 Elsewhere\r\nLocation: ${url(elsewhere.port)}`);
  assert.is(answer, 'permanent redirect 307: The answer of the webhook was 307, a redirect, which is not followed.');
  assert.is(requests, 0);
});

test('a webhook is retried at the time that the target requests', async () => {
  const now = Date.parse('2026-11-20T15:00:00Z');
  const after = async (value: string): Promise<unknown> => {
    const { port } = await saying(`HTTP/1.1 503 Later\r\nRetry-After: ${value}\r\nContent-Length: 0\r\n\r\n`);
    const sent = await post({ url: url(port) }, { clock: fakeClock(now) });
    return sent.status === 'failed' && sent.notBefore;
  };
  assert.is(await after('120'), '2026-11-20T15:02:00.000000');
  assert.is(await after('Fri, 20 Nov 2026 16:00:00 GMT'), '2026-11-20T16:00:00.000000');
  for (const nonsense of ['soon', '', '-5', '99999999999999', '9'.repeat(300)]) assert.is(await after(nonsense), null);
});

test('a webhook without a response is retried, and its error message contains the reason', async () => {
  const port = await freePort();
  const refused = 'again connect null: Connecting failed to the webhook (ECONNREFUSED).';
  assert.is(line(await post({ url: url(port) })), refused);
  const nowhere = await post({ url: 'https://nowhere.invalid/' });
  assert.is(line(nowhere), 'again lookup null: Looking up the host name failed for the webhook (ENOTFOUND).');
  const closing = await rawServer((socket) => socket.once('data', () => socket.end()));
  const invalid = 'again protocol null: There was no valid HTTP answer from the webhook.';
  assert.is(line(await post({ url: url(closing.port) })), invalid);
  const resetting = await rawServer((socket) => socket.once('data', () => socket.resetAndDestroy()));
  assert.is(line(await post({ url: url(resetting.port) })), invalid);
  const babbling = await saying('SSH-2.0-OpenSSH_9.6\r\n');
  assert.is(line(await post({ url: url(babbling.port) })), invalid);
  const greeting = await rawServer((socket) => socket.write('220 mail.example ESMTP\r\n'));
  assert.is(line(await post({ url: url(greeting.port) })), invalid);
  const verbose = await saying(`HTTP/1.1 200 OK\r\nX-A: ${'a'.repeat(70_000)}\r\n\r\n`);
  assert.is(line(await post({ url: url(verbose.port) })), invalid);
});

test('a webhook waits ten seconds for a response', async () => {
  let connected = (): void => undefined;
  const connection = new Promise<void>((resolve) => (connected = resolve));
  const silent = await rawServer((socket) => socket.once('data', connected));
  const clock = fakeClock(0);
  const sent = post({ url: url(silent.port) }, { clock });
  await connection;
  await clock.advance(9_999);
  assert.is(silent.open(), 1);
  await clock.advance(1);
  const waited = 'again timeout null: Timed out after 10 s waiting for an answer from the webhook.';
  assert.is(line(await sent), waited);
  assert.is(clock.pending(), 0);
});

test('the outcome of a webhook depends only on the head of the response', async () => {
  const endless = await rawServer((socket) => {
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      const more = (): void => {
        if (socket.writable) socket.write(Buffer.alloc(16_384), more);
      };
      more();
    });
  });
  assert.is(line(await post({ url: url(endless.port) })), 'delivered 200');
  const cut = await saying('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc', (socket) => socket.end());
  assert.is(line(await post({ url: url(cut.port) })), 'delivered 200');
  const clock = fakeClock(0);
  let answered = (): void => undefined;
  const begun = new Promise<void>((resolve) => (answered = resolve));
  const slow = await saying('HTTP/1.1 202 OK\r\nContent-Length: 100\r\n\r\nabc', () => {
    answered();
  });
  const sent = post({ url: url(slow.port) }, { clock });
  await begun;
  await realPause(50, 'nothing tells that the sender has read the head of the answer');
  await clock.advance(10_000);
  assert.is(line(await sent), 'delivered 202');
});

test('a webhook ignores interim responses', async () => {
  const { port } = await saying(
    'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 410 Gone\r\nContent-Length: 0\r\n\r\n',
  );
  assert.match(line(await post({ url: url(port) })), /^permanent status 410/);
  const switching = await saying('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n');
  assert.match(line(await post({ url: url(switching.port) })), /^again protocol null/);
});

test('a webhook is not sent to an address that the policy refuses, under any host name', async () => {
  let received = 0;
  const { port } = await httpServer((_, response) => {
    received++;
    response.end();
  });
  const named = { url: `https://hook.example:${port}/` };
  const world = { policy: 'public', hosts: { 'hook.example': ['127.0.0.1', '169.254.169.254'] } } as const;
  const refusal = 'permanent target null: The policy does not allow the address of the webhook.';
  assert.is(line(await post(named, world)), refusal);
  const metadata = await post({ url: 'http://meta.example/' }, { hosts: { 'meta.example': ['169.254.169.254'] } });
  assert.is(line(metadata), refusal);
  assert.is(received, 0);
});

test('a webhook whose settings are no longer valid fails without an attempt', async () => {
  const refused = await post({ url: 'http://127.0.0.1:1/' }, { policy: 'public' });
  assert.is(line(refused), 'permanent settings null: The rules for webhooks do not allow its url.');
});

test('an aborted webhook has no outcome', async () => {
  let connected = (): void => undefined;
  const asked = new Promise<void>((resolve) => (connected = resolve));
  const silent = await rawServer((socket) => socket.once('data', connected));
  const ending = new AbortController();
  const reason = new Error('The service stops.');
  const sent = post({ url: url(silent.port) }, {}, ending.signal).catch((error: unknown) => error);
  await asked;
  ending.abort(reason);
  assert.is(await sent, reason);
  await settled();
  const before = await post({ url: url(silent.port) }, {}, ending.signal).catch((error: unknown) => error);
  assert.is(before, reason);
});

if (hasOpenssl()) {
  test("a webhook verifies the target's certificate", async () => {
    const authority = createAuthority();
    try {
      const certificate = authority.make('hook', { names: 'DNS:hook.test' });
      const server = createHttpsServer(certificate, (_, response) => response.end());
      server.on('tlsClientError', () => undefined);
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      const hosts = { 'hook.test': ['127.0.0.1'], 'other.test': ['127.0.0.1'] };
      const trusting = { hosts, trust: [authority.root] };
      const at = (host: string): { url: string } => ({ url: `https://${host}:${port}/` });
      assert.is(line(await post(at('hook.test'), trusting)), 'delivered 200');
      const misnamed = 'again tls null: TLS failed with the webhook (ERR_TLS_CERT_ALTNAME_INVALID).';
      assert.is(line(await post(at('other.test'), trusting)), misnamed);
      assert.match(
        line(await post(at('hook.test'), { hosts })),
        /^again tls null: TLS failed with the webhook \([A-Z_]+\)\.$/,
      );
      server.close();
    } finally {
      authority.close();
    }
  });
} else console.log('  skipped: openssl is not installed (a webhook checks the certificate of its target)');

test.run();
