import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMax } from '../../../notifiers/max/index.ts';
import { closeServers, httpServer, saying } from '../../probes/web/servers.ts';
import { botContext, lineOf, messageOf } from '../bots.ts';

const test = suite('a bot of MAX');
test.after.each(closeServers);

const bot_token = 'f9LHodD0cOI-s3cret';

const answering = async (status: number, body: object, headers: Record<string, string> = {}) => {
  const asked: unknown[] = [];
  const { port } = await httpServer(({ method, url: path, headers: given }, response, text) => {
    asked.push({ method, path, authorization: given['authorization'], body: JSON.parse(text) as unknown });
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  });
  const max = createMax(botContext(port));
  const send = (text: string, chat_id = '-72') =>
    max.send(messageOf(text), { bot_token, chat_id }, { signal: new AbortController().signal });
  return { asked, send, max };
};

const SENT = { message: { body: { mid: 'mid.1' } } };

test('a MAX bot posts the text to the chat, with the token only in a header', async () => {
  const { asked, send } = await answering(200, SENT);
  assert.is(lineOf(await send('The shop is down')), 'delivered 200');
  assert.equal(asked, [
    {
      method: 'POST',
      path: '/messages?chat_id=-72&disable_link_preview=true',
      authorization: bot_token,
      body: { text: 'The shop is down' },
    },
  ]);
});

test('a MAX bot truncates a text to 4,000 characters', async () => {
  const { asked, send } = await answering(200, SENT);
  await send('x'.repeat(5_000));
  assert.is((asked[0] as { body: { text: string } }).body.text.length, 4_000);
});

test('a MAX bot reports why a message failed, and waits as long as MAX requests', async () => {
  const refused = await answering(401, { code: 'verify.token', message: bot_token });
  assert.is(lineOf(await refused.send('x')), 'permanent status 401: MAX does not know the token of the bot.');
  const busy = await answering(429, {}, { 'retry-after': '30' });
  const sent = await busy.send('x');
  assert.is(sent.status === 'failed' && !sent.permanent && sent.notBefore, '2026-11-20T15:00:30.000000');
  const strange = await answering(200, { ok: true });
  assert.is(lineOf(await strange.send('x')), 'again protocol null: There was no valid answer from MAX.');
});

test('a 2xx response of MAX counts as delivered even if its body is incomplete', async () => {
  for (const rest of ['Content-Length: 20\r\n\r\n{', `\r\n${' '.repeat(70_000)}`]) {
    const { port } = await saying(`HTTP/1.1 200 OK\r\n${rest}`, (socket) => socket.end());
    const context = { signal: new AbortController().signal };
    const sent = await createMax(botContext(port)).send(messageOf('x'), { bot_token, chat_id: '5' }, context);
    assert.is(lineOf(sent), 'delivered 200');
  }
});

test('the configuration of a MAX bot requires a token and the number of a chat', async () => {
  const { max, send } = await answering(200, SENT);
  assert.equal(max.validate({ bot_token, chat_id: '5' }), {});
  assert.equal(Object.keys(max.validate({ bot_token: '', chat_id: '@name' })), ['bot_token', 'chat_id']);
  assert.equal(max.maskedSettings({ bot_token, chat_id: '5' }), { bot_token: '********', chat_id: '5' });
  const unusable = await send('x', '1&chat_id=2');
  assert.is(unusable.status === 'failed' && unusable.permanent, true);
});

test.run();
