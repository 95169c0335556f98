import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SEVERITIES } from '../../../domain/alert-rule/fields.ts';
import type { NotificationMessage, SendOutcome } from '../../../notifiers/notifier.ts';
import { slackMessage } from '../../../notifiers/slack/message.ts';
import { closeServers, httpServer, saying } from '../../probes/web/servers.ts';
import { lineOf } from '../bots.ts';
import { channelNotifier, noticeOf } from '../channels/channel-notifier.ts';

const test = suite('an incoming webhook of Slack');
test.after.each(closeServers);

const PATH = '/services/T00000000/B00000000/s3cret';
const context = { signal: new AbortController().signal };

interface Attachment {
  color: string;
  fallback: string;
  text: string;
}
interface Posted {
  text: string;
  attachments?: Attachment[];
}

/** Returns the response that Slack documents for a request: its status, and `ok` or an error code. */
const judged = (type: string | undefined, body: string): [number, string] => {
  if (type !== 'application/json') return [400, 'invalid_payload'];
  const { text, attachments = [] } = JSON.parse(body) as Posted;
  if (text === '' && attachments.length === 0) return [400, 'no_text'];
  const texts = [text, ...attachments.map((one) => one.text)];
  if (texts.some((one) => one.length > 40_000)) return [400, 'msg_too_long'];
  // Text between < and > that is not a link could mention people.
  const controls = texts.flatMap((one) => one.match(/<[^>]*>/g) ?? []);
  if (controls.some((one) => !one.startsWith('<https://'))) return [400, 'invalid_payload'];
  return [200, 'ok'];
};

/** Starts a test double of Slack, which accepts the same requests as Slack. */
const slack = async () => {
  const posted: Posted[] = [];
  const { port } = await httpServer(({ method, url, headers }, response, body) => {
    const [status, reply] =
      method === 'POST' && url === PATH ? judged(headers['content-type'], body) : [404, 'no_service'];
    if (status === 200) posted.push(JSON.parse(body) as Posted);
    response.writeHead(status, { 'content-type': 'text/html' }).end(reply);
  });
  const send = (message: NotificationMessage): Promise<SendOutcome> =>
    channelNotifier('slack').send(message, { webhook_url: `http://127.0.0.1:${port}${PATH}` }, context);
  return { posted, send };
};

/** Sends a message to a server with a fixed response. @returns the outcome */
const answering = async (
  status: number,
  responseBody: string,
  headers: Record<string, string> = {},
): Promise<SendOutcome> => {
  const { port } = await httpServer((_, response) => response.writeHead(status, headers).end(responseBody));
  const webhook_url = `http://127.0.0.1:${port}${PATH}`;
  return channelNotifier('slack').send(noticeOf(), { webhook_url }, context);
};

test('a Slack message contains the title, and an attachment in the colour of the severity with the text and a link', async () => {
  const { posted, send } = await slack();
  assert.is(lineOf(await send(noticeOf())), 'delivered 200');
  assert.equal(posted, [
    {
      text: '🟠 [High] API is down',
      mrkdwn: false,
      unfurl_links: false,
      unfurl_media: false,
      attachments: [
        {
          color: '#f97316',
          fallback: '[High] API is down',
          text: 'API has been down since 15:00 UTC.\n\n<https://status.example.com/console/alerts/alert0000001|View>',
        },
      ],
    },
  ]);
});

test('Slack messages show severities and resolutions with different symbols and colours', () => {
  const styles = SEVERITIES.flatMap((severity) =>
    [false, true].map((over) => {
      const { text, attachments } = slackMessage(noticeOf({ severity, over })) as unknown as Required<Posted>;
      return `${over ? 'over' : severity}: ${text.split(' ')[0] ?? ''} ${attachments[0]?.color ?? ''}`;
    }),
  );
  assert.is(new Set(styles).size, SEVERITIES.length + 1);
  assert.is(new Set(styles.map((look) => look.split(': ')[1])).size, SEVERITIES.length + 1);
});

test("a text in a Slack message can't mention people or add links", async () => {
  const { posted, send } = await slack();
  const hostile = '<!channel> <@U0123> <https://evil.example|API> & &lt;';
  assert.is(lineOf(await send(noticeOf({ title: hostile, body: hostile }))), 'delivered 200');
  const escaped = '&lt;!channel&gt; &lt;@U0123&gt; &lt;https://evil.example|API&gt; &amp; &amp;lt;';
  assert.is(posted[0]?.text, `🟠 ${escaped}`);
  assert.match(posted[0]?.attachments?.[0]?.text ?? '', escaped);
  const url = 'https://status.example.com/?a=1&b=|x>y';
  const link = (slackMessage(noticeOf({ url })) as unknown as Required<Posted>).attachments[0]?.text.split('\n').at(-1);
  assert.is(link, '<https://status.example.com/?a=1&amp;b=%7Cx&gt;y|View>');
});

test('a Slack message is truncated to the limits of Slack without splitting a character or an escape', async () => {
  const { posted, send } = await slack();
  for (const piece of ['&', '<', '😀', 'x\n', '\u0000', '"\\']) {
    const long = piece.repeat(100_000);
    assert.is(lineOf(await send(noticeOf({ title: long, body: long }))), 'delivered 200', piece);
    const { text = '', attachments = [] } = posted.at(-1) ?? {};
    assert.ok(text.endsWith('…'), piece);
    for (const one of [text, attachments[0]?.text ?? '']) {
      assert.not.match(one, /&(?!amp;|lt;|gt;)/);
      assert.not.match(one, /[\uD800-\uDBFF](?![\uDC00-\uDFFF])/);
    }
  }
});

test('a Slack message without a notice contains only the text', async () => {
  const { posted, send } = await slack();
  const message = { id: 'delivery0002', event: 'digest', subject: '', text: 'Several <things>', data: {} };
  assert.is(lineOf(await send(message)), 'delivered 200');
  assert.equal([posted[0]?.text, posted[0]?.attachments], ['Several &lt;things&gt;', undefined]);
  await send(noticeOf({ body: '', url: null }));
  assert.is(posted[1]?.attachments, undefined);
});

test('a Slack message is not retried after a permanent refusal', async () => {
  for (const [status, code, sentence] of [
    [400, 'invalid_payload', 'Slack did not accept the message.'],
    [403, 'invalid_token', 'Slack does not let the webhook write to its channel.'],
    [404, 'no_service', 'Slack does not know the webhook: it was removed, or its channel was.'],
    [410, 'channel_is_archived', 'The channel of the webhook is archived.'],
    [302, 'found', 'The answer of Slack was 302, a redirect, which is not followed.'],
  ] as const) {
    const line = lineOf(await answering(status, code, { location: 'http://127.0.0.1:1/' }));
    const reason = status === 302 ? 'redirect' : 'status';
    assert.is(line, `permanent ${reason} ${status}: ${sentence}`);
  }
});

test('a Slack message is retried after a temporary refusal, at the time that Slack requests', async () => {
  const busy = await answering(429, 'rate_limited', { 'retry-after': '30' });
  assert.is(busy.status === 'failed' && !busy.permanent && busy.notBefore, '2026-11-20T15:00:30.000000');
  assert.is(lineOf(await answering(500, 'rollup_error')), 'again status 500: The answer of Slack was 500.');
});

test('a Slack message counts as delivered only if the response is ok', async () => {
  for (const said of ['ok', 'ok\n', '{"ok":true}', '{"success":true}'])
    assert.is(lineOf(await answering(200, said)), 'delivered 200', said);
  for (const said of ['', '<html>Sign in</html>', '{"ok":false,"error":"s3cret"}', '[]', 'null'])
    assert.is(lineOf(await answering(200, said)), 'again protocol null: There was no valid answer from Slack.', said);
});

test('a 2xx response of Slack counts as delivered even if its body is incomplete', async () => {
  for (const rest of ['Content-Length: 20\r\n\r\no', `\r\n${' '.repeat(70_000)}`]) {
    const { port } = await saying(`HTTP/1.1 200 OK\r\n${rest}`, (socket) => socket.end());
    const webhook_url = `http://127.0.0.1:${port}${PATH}`;
    assert.is(lineOf(await channelNotifier('slack').send(noticeOf(), { webhook_url }, context)), 'delivered 200');
  }
});

test('the target policy for webhooks also applies to Slack, and error messages do not contain the webhook URL', async () => {
  const slack = channelNotifier('slack');
  const webhook_url = `https://hooks.slack.com${PATH}`;
  assert.equal(slack.validate({ webhook_url }), {});
  assert.equal(slack.maskedSettings({ webhook_url }), { webhook_url: 'https://hooks.slack.com/***' });
  for (const wrong of [
    '',
    'hooks.slack.com',
    'ftp://hooks.slack.com/',
    'http://169.254.169.254/',
    'https://a:b@x.example/',
  ])
    assert.equal(Object.keys(slack.validate({ webhook_url: wrong })), ['webhook_url'], wrong);
  const strict = channelNotifier('slack', { policy: 'public', hosts: { 'hooks.example': ['127.0.0.1'] } });
  assert.equal(strict.validate({ webhook_url: 'http://hooks.example/' })['webhook_url'], ['Must begin with https://.']);
  const refused = await strict.send(noticeOf(), { webhook_url: 'https://127.0.0.1/s3cret' }, context);
  assert.is(lineOf(refused), 'permanent settings null: The webhook_url of Slack can not be used any more.');
  const rebound = await strict.send(noticeOf(), { webhook_url: 'https://hooks.example/s3cret' }, context);
  assert.is(lineOf(rebound), 'permanent target null: The policy does not allow the address of Slack.');
});

test.run();
