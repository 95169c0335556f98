import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SEVERITIES } from '../../../domain/alert-rule/fields.ts';
import type { NotificationMessage, SendOutcome, NotifierSettings } from '../../../notifiers/notifier.ts';
import { closeServers, httpServer, saying } from '../../probes/web/servers.ts';
import { lineOf } from '../bots.ts';
import { channelNotifier, noticeOf } from '../channels/channel-notifier.ts';
import { ntfyServer } from './server.ts';

const test = suite('a topic of ntfy');
test.after.each(closeServers);

const TOKEN = 'tk_s3cret';
const context = { signal: new AbortController().signal };
const send = (
  server_url: string,
  message: NotificationMessage,
  settings: NotifierSettings = {},
): Promise<SendOutcome> =>
  channelNotifier('ntfy').send(message, { server_url, topic: 'alerts', token: null, ...settings }, context);

test('an ntfy topic receives the title, the text, the severity as priority, and the link', async () => {
  const { url, shown } = await ntfyServer();
  assert.is(lineOf(await send(url, noticeOf())), 'delivered 200');
  assert.equal(shown, [
    {
      topic: 'alerts',
      title: '[High] API is down',
      message: 'API has been down since 15:00 UTC.',
      priority: 4,
      tags: ['rotating_light'],
      click: 'https://status.example.com/console/alerts/alert0000001',
      sequence_id: 'alert-alert0000001',
    },
  ]);
});

test('the priority of an ntfy message follows the severity of the alert, and is low for a resolution', async () => {
  const { url, shown } = await ntfyServer();
  for (const over of [false, true])
    for (const severity of SEVERITIES) await send(url, noticeOf({ severity, over, about: null }));
  assert.equal(
    shown.map(({ priority }) => priority),
    [2, 3, 4, 5, 2, 3, 3, 3],
  );
  assert.ok(shown.slice(4).every(({ tags }) => tags?.[0] === 'white_check_mark'));
});

test('an ntfy server replaces an alert by its resolution, and a server of an old version shows both', async () => {
  for (const updates of [true, false]) {
    const { url, shown } = await ntfyServer({ updates });
    await send(url, noticeOf());
    await send(url, noticeOf({ about: 'alert-alert0000002', title: 'Another one' }));
    await send(url, noticeOf({ over: true, title: 'Resolved: API is down' }));
    const titles = shown.map(({ title }) => title);
    if (updates) assert.equal(titles, ['Resolved: API is down', 'Another one']);
    else assert.equal(titles, ['[High] API is down', 'Another one', 'Resolved: API is down']);
  }
});

test('an ntfy message contains the token if the topic requires one', async () => {
  const { url, shown } = await ntfyServer({ token: TOKEN });
  assert.is(lineOf(await send(url, noticeOf(), { token: TOKEN })), 'delivered 200');
  assert.is(shown.length, 1);
  const none = 'permanent status 403: The ntfy server does not let the channel write to its topic.';
  assert.is(lineOf(await send(url, noticeOf())), none);
  const wrong = 'permanent status 401: The ntfy server does not know the token.';
  assert.is(lineOf(await send(url, noticeOf(), { token: 'tk_other' })), wrong);
});

test('an ntfy message is truncated to the limits of the server without splitting a character', async () => {
  const { url, shown } = await ntfyServer();
  for (const piece of ['x', 'я', '😀', '"\\', '\u0001', 'line\n', '\ud800']) {
    const long = piece.repeat(50_000);
    const click = `https://status.example.com/${'a'.repeat(2_000)}`;
    assert.is(
      lineOf(await send(url, noticeOf({ title: long, body: long, url: click, about: null }))),
      'delivered 200',
      piece,
    );
    const { message = '', click: led } = shown.at(-1) ?? {};
    assert.ok(message.endsWith('…') && message.length > 500, piece);
    if (piece === '😀') assert.match(message, /^(😀)+…$/u);
    assert.is(led, click);
  }
  await send(url, noticeOf({ url: `https://status.example.com/${'a'.repeat(3_000)}`, about: null }));
  assert.is(shown.at(-1)?.click, undefined);
});

test('an ntfy message without a notice contains only the text', async () => {
  const { url, shown } = await ntfyServer();
  await send(url, { id: 'delivery0002', event: 'digest', subject: '', text: 'Several things', data: {} });
  await send(url, noticeOf({ title: 'Only a title', body: '', url: null, about: null }));
  assert.equal(shown[0], { topic: 'alerts', message: 'Several things' });
  assert.is(shown[1]?.message, 'Only a title');
});

test("an ntfy message is retried after temporary failures, and error messages do not repeat the server's text", async () => {
  const answering = async (
    status: number,
    responseBody: string,
    headers: Record<string, string> = {},
  ): Promise<string> => {
    const { port } = await httpServer((_, response) => response.writeHead(status, headers).end(responseBody));
    return lineOf(await send(`http://127.0.0.1:${port}`, noticeOf(), { token: TOKEN }));
  };
  const error = JSON.stringify({ code: 42_901, http: 429, error: `limit reached: ${TOKEN}` });
  for (const [status, line] of [
    [429, 'again status 429: The answer of the ntfy server was 429.'],
    [507, 'again status 507: The answer of the ntfy server was 507.'],
    [502, 'again status 502: The answer of the ntfy server was 502.'],
    [400, 'permanent status 400: The ntfy server did not accept the message.'],
    [404, 'permanent status 404: There is no ntfy server at the address.'],
    [413, 'permanent status 413: The ntfy server did not accept the message: it is too long for it.'],
    [301, 'permanent redirect 301: The answer of the ntfy server was 301, a redirect, which is not followed.'],
  ] as const)
    assert.is(await answering(status, error, { location: 'http://127.0.0.1:1/' }), line);
  for (const foreign of ['', '<html>Welcome</html>', '{}', '{"id":7}', '[]'])
    assert.is(
      await answering(200, foreign),
      'again protocol null: There was no valid answer from the ntfy server.',
      foreign,
    );
  const { port } = await saying('HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n{', (socket) => socket.end());
  assert.is(lineOf(await send(`http://127.0.0.1:${port}`, noticeOf())), 'delivered 200');
});

test('an ntfy channel requires a server URL without a path, and a topic; a token is optional', () => {
  const ntfy = channelNotifier('ntfy');
  const good = { server_url: 'https://ntfy.sh', topic: 'alerts-q8Zt_', token: null };
  const wrong = (changes: NotifierSettings): string[] => Object.keys(ntfy.validate({ ...good, ...changes }));
  assert.equal(wrong({}), []);
  assert.equal(wrong({ server_url: 'http://127.0.0.1:8080/', token: TOKEN }), []);
  for (const server_url of [
    '',
    'ntfy.sh',
    'ftp://ntfy.sh',
    'https://ntfy.sh/alerts',
    'https://ntfy.sh/?a',
    'https://ntfy.sh/#a',
    'https://a:b@ntfy.sh',
    'http://169.254.169.254',
  ])
    assert.equal(wrong({ server_url }), ['server_url'], server_url);
  for (const topic of ['', 'a b', 'a/b', 'тема', 'x'.repeat(65)]) assert.equal(wrong({ topic }), ['topic'], topic);
  for (const token of ['', 'a b', 'a\r\nX: y']) assert.equal(wrong({ token }), ['token'], token);
  assert.equal(ntfy.maskedSettings({ ...good, token: TOKEN }), { ...good, topic: '********', token: '********' });
});

test('the target policy for webhooks also applies to ntfy servers', async () => {
  const strict = channelNotifier('ntfy', { policy: 'public', hosts: { 'ntfy.example': ['10.0.0.1'] } });
  const settings = { server_url: 'https://ntfy.example', topic: 'alerts', token: null };
  const refused = 'permanent target null: The policy does not allow the address of the ntfy server.';
  assert.is(lineOf(await strict.send(noticeOf(), settings, context)), refused);
  const unusable = await strict.send(noticeOf(), { ...settings, server_url: 'http://ntfy.example' }, context);
  assert.is(lineOf(unusable), 'permanent settings null: The server_url of the ntfy server can not be used any more.');
});

test.run();
