import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createTelegram } from '../../../notifiers/telegram/index.ts';
import { closeServers, httpServer, saying } from '../../probes/web/servers.ts';
import { botContext, lineOf, messageOf } from '../bots.ts';

const test = suite('a bot of Telegram');
test.after.each(closeServers);

const bot_token = '123456:AAH-s3cret_token';

/** Starts a test double of the Bot API. It sends the given responses in order, and records the requests. */
const botApi = async (...answers: [status: number, body: object | string][]) => {
  const asked: {
    method: string | undefined;
    path: string | undefined;
    type: unknown;
    body: Record<string, unknown>;
  }[] = [];
  const { port } = await httpServer(({ method, url: path, headers }, response, body) => {
    asked.push({ method, path, type: headers['content-type'], body: JSON.parse(body) as Record<string, unknown> });
    const [status, answer] = answers[asked.length - 1] ?? [500, {}];
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(typeof answer === 'string' ? answer : JSON.stringify(answer));
  });
  const telegram = createTelegram(botContext(port));
  const send = (text: string, chat_id = '-100') =>
    telegram.send(messageOf(text), { bot_token, chat_id }, { signal: new AbortController().signal });
  return { asked, send, telegram };
};

const SENT = { ok: true, result: { message_id: 7 } };

test('a Telegram bot posts the text to the chat, without link previews', async () => {
  const { asked, send } = await botApi([200, SENT]);
  assert.is(lineOf(await send('The shop is down')), 'delivered 200');
  assert.equal(asked, [
    {
      method: 'POST',
      path: `/bot${bot_token}/sendMessage`,
      type: 'application/json',
      body: { chat_id: '-100', text: 'The shop is down', link_preview_options: { is_disabled: true } },
    },
  ]);
});

test('a Telegram bot truncates a long text without splitting a character', async () => {
  const { asked, send } = await botApi([200, SENT]);
  await send('😀'.repeat(3_000));
  const text = String(asked[0]?.body['text']);
  assert.ok(text.length <= 4_096);
  assert.match(text, /^(😀)+…$/u);
});

test('a Telegram bot waits as long as Telegram requests', async () => {
  const { send, telegram } = await botApi([
    429,
    { ok: false, error_code: 429, description: 'Too Many Requests: retry after 17', parameters: { retry_after: 17 } },
  ]);
  const sent = await send('x');
  assert.is(telegram.name, 'telegram');
  assert.is(sent.status === 'failed' && !sent.permanent && sent.notBefore, '2026-11-20T15:00:17.000000');
});

test('a Telegram bot sends to the new id of a group that became a supergroup, and reports that id', async () => {
  const moved = { ok: false, error_code: 400, parameters: { migrate_to_chat_id: -1_001_234_567_890 } };
  const { asked, send } = await botApi([400, moved], [200, SENT]);
  const sent = await send('x');
  assert.is(sent.status, 'delivered');
  assert.is(sent.moved_to, '-1001234567890');
  assert.equal(
    asked.map(({ body }) => body['chat_id']),
    ['-100', '-1001234567890'],
  );
});

test('a Telegram message fails permanently if the token or the chat is wrong, without naming either', async () => {
  for (const [status, words] of [
    [400, 'permanent status 400: Telegram did not accept the message: the chat may not exist.'],
    [401, 'permanent status 401: Telegram does not know the token of the bot.'],
    [403, 'permanent status 403: Telegram does not let the bot write to the chat.'],
    [502, 'again status 502: The answer of Telegram was 502.'],
  ] as const) {
    const { send } = await botApi([status, { ok: false, description: bot_token }]);
    assert.is(lineOf(await send('x')), words);
  }
});

test('a response that does not come from the Bot API of Telegram does not count as delivered', async () => {
  const { send } = await botApi([200, '<html>']);
  assert.is(lineOf(await send('x')), 'again protocol null: There was no valid answer from Telegram.');
});

test('a 2xx response of Telegram counts as delivered even if its body is incomplete', async () => {
  for (const rest of ['Content-Length: 20\r\n\r\n{', `\r\n${' '.repeat(70_000)}`]) {
    const { port } = await saying(`HTTP/1.1 200 OK\r\n${rest}`, (socket) => socket.end());
    const context = { signal: new AbortController().signal };
    const sent = await createTelegram(botContext(port)).send(messageOf('x'), { bot_token, chat_id: '5' }, context);
    assert.is(lineOf(sent), 'delivered 200');
  }
});

test('the configuration of a Telegram bot requires a token and a chat', async () => {
  const { telegram, send } = await botApi([200, SENT]);
  assert.equal(telegram.validate({ bot_token, chat_id: '@example' }), {});
  assert.equal(Object.keys(telegram.validate({ bot_token: 'with blank', chat_id: 'x/../y' })), [
    'bot_token',
    'chat_id',
  ]);
  assert.equal(telegram.maskedSettings({ bot_token, chat_id: '1' }), { bot_token: '********', chat_id: '1' });
  const unusable = await send('x', 'no number');
  assert.is(unusable.status === 'failed' && unusable.permanent, true);
});

test.run();
