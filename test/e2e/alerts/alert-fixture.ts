import { simpleParser } from 'mailparser';
import * as assert from 'uvu/assert';
import type { Mailbox } from '../../notifiers/email/mailbox.ts';
import { openMailbox } from '../../notifiers/email/mailbox.ts';
import { httpServer, type Opened } from '../../probes/web/servers.ts';
import { createCheck } from '../checking.ts';
import { callApi, type RunningProgram } from '../program.ts';
import { createResource, stoppableServer, type ShownAlert } from './alerting.ts';
import { eventually } from '../../waiting.ts';

export type { ShownAlert };

export const KEY = 'the-admin-key-of-this-test';

/** A message about an alert, as one of its receivers received it. */
export interface ReceivedMessage {
  /** the type of the channel, or the e-mail address of the receiver */
  by: string;
  /** id of the alert that the message links to */
  alert: string;
  event: 'alert.fired' | 'alert.resolved';
  /** the same id for all repetitions of a message; null if the channel has no message ids */
  id: string | null;
  text: string;
}

export const RECIPIENTS = ['ina@example.com', 'ole@example.com'] as const;
/** The receivers that get every message. */
export const RECEIVERS = ['webhook', 'telegram', 'max', 'slack', 'ntfy', ...RECIPIENTS] as const;

const TOKENS = { telegram: '123456:telegram-token-of-this-test-0123456789', max: 'max-token-of-this-test' } as const;
const SLACK_PATH = '/services/T00000000/B00000000/slack-secret-of-this-test';
const NTFY = { topic: 'alerts-of-this-test', token: 'tk_ntfytokenofthistest' };
const CHATS = { telegram: '-1001234567890', max: '987654321' } as const;

/** Returns the id of the alert that a text links to; empty if there is none. */
const linkedIn = (text: string): string => /\/console\/alerts\/([a-z0-9]{12})/.exec(text)?.[1] ?? '';

/** Opens receivers of alerts: a webhook, a mail server, and doubles of Telegram, MAX, Slack and ntfy. */
export const openReceivers = async () => {
  const received: ReceivedMessage[] = [];
  const wrong: string[] = [];

  const webhook = await httpServer(({ method, headers }, response, body) => {
    const payload = JSON.parse(body) as { event: ReceivedMessage['event']; alert: { id: string } };
    if (method !== 'PUT' || headers['x-team'] !== 'operators') wrong.push(`webhook: ${method ?? ''}`);
    const id = headers['webhook-id'] as string;
    received.push({ by: 'webhook', alert: payload.alert.id, event: payload.event, id, text: body });
    response.writeHead(204).end();
  });

  const receive = (by: string, text: string): void => {
    const event = text.includes('Resolved: ') ? 'alert.resolved' : 'alert.fired';
    received.push({ by, alert: linkedIn(text), event, id: null, text });
  };
  const telegram = await httpServer(({ url }, response, body) => {
    const { chat_id, text } = JSON.parse(body) as { chat_id: string; text: string };
    if (url !== `/bot${TOKENS.telegram}/sendMessage` || chat_id !== CHATS.telegram) wrong.push(url ?? '');
    receive('telegram', text);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true,"result":{"message_id":1}}');
  });
  const max = await httpServer(({ url = '', headers }, response, body) => {
    const { searchParams, pathname } = new URL(url, 'http://localhost');
    const isRight = pathname === '/messages' && searchParams.get('chat_id') === CHATS.max;
    if (!isRight || headers.authorization !== TOKENS.max) wrong.push(url);
    receive('max', (JSON.parse(body) as { text: string }).text);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"message":{"body":{"mid":"1"}}}');
  });

  const slack = await httpServer(({ url }, response, body) => {
    const { text, attachments } = JSON.parse(body) as { text: string; attachments: { text: string }[] };
    if (url !== SLACK_PATH) wrong.push(`slack: ${url ?? ''}`);
    receive('slack', [text, ...attachments.map((one) => one.text)].join('\n'));
    response.writeHead(200, { 'content-type': 'text/html' }).end('ok');
  });
  const ntfy = await httpServer(({ url, headers }, response, body) => {
    const payload = JSON.parse(body) as Record<'topic' | 'title' | 'message' | 'click' | 'sequence_id', string>;
    const { topic, title, message, click, sequence_id } = payload;
    const isRight = url === '/' && topic === NTFY.topic && headers.authorization === `Bearer ${NTFY.token}`;
    // All messages of an alert have the same `sequence_id`, so ntfy replaces the firing message by the recovery
    // message.
    if (!isRight || sequence_id !== `alert-${linkedIn(click)}`) wrong.push(`ntfy: ${body}`);
    receive('ntfy', [title, message, click].join('\n'));
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ id: 'xE73Iyuabi', ...payload }));
  });

  const mailbox: Mailbox = await openMailbox();
  const mails = (async () => {
    for (;;) {
      const next = await mailbox.next().catch(() => null);
      if (!next) return;
      const { text = '', subject = '', messageId = null } = await simpleParser(next.content);
      const event = subject.includes('Resolved: ') ? 'alert.resolved' : 'alert.fired';
      for (const by of next.to)
        received.push({ by, alert: linkedIn(text), event, id: messageId, text: `${subject}\n${text}` });
    }
  })();

  const base = ({ port }: Opened): string => `http://127.0.0.1:${port}`;
  return {
    received,
    /** requests that a real receiver would have rejected */
    wrong,
    environment: {
      SMTP_URL: mailbox.url,
      MAIL_FROM: 'status@example.org',
      TELEGRAM_API_URL: base(telegram),
      MAX_API_URL: base(max),
    },
    channels: [
      { name: 'Mail', type: 'email', configuration: { recipients: RECIPIENTS } },
      {
        name: 'Hook',
        type: 'webhook',
        configuration: { url: `${base(webhook)}/hook`, method: 'PUT', headers: { 'X-Team': 'operators' } },
      },
      { name: 'Telegram', type: 'telegram', configuration: { bot_token: TOKENS.telegram, chat_id: CHATS.telegram } },
      { name: 'MAX', type: 'max', configuration: { bot_token: TOKENS.max, chat_id: CHATS.max } },
      { name: 'Slack', type: 'slack', configuration: { webhook_url: `${base(slack)}${SLACK_PATH}` } },
      { name: 'ntfy', type: 'ntfy', configuration: { server_url: base(ntfy), ...NTFY } },
    ],
    /** messages of an alert, by receiver */
    ofAlert: (alert: string, event: ReceivedMessage['event']): Map<string, ReceivedMessage[]> =>
      new Map(
        RECEIVERS.map((by) => [
          by,
          received.filter((one) => one.by === by && one.alert === alert && one.event === event),
        ]),
      ),
    close: async (): Promise<void> => {
      await mailbox.close();
      await mails;
    },
  };
};

export type Receivers = Awaited<ReturnType<typeof openReceivers>>;

/** Starts the watched target: a server that can be stopped, and started again on the same port. */
export const openTarget = async () => {
  const target = await stoppableServer();
  await target.start();
  return target;
};

/** Creates a check of a target through the API, with an alert rule and channels of all types. */
export const createAlertFixture = async (program: RunningProgram, target: { url: string }, receivers: Receivers) => {
  const make = async (path: string, body: object): Promise<string> =>
    (await createResource(program, KEY, path, body)).id;
  const page = await make('/v1/pages', { name: 'Acme' });
  const component = await make(`/v1/pages/${page}/components`, { name: 'Shop' });
  const definition = { name: 'Shop', type: 'web', url: target.url, interval: 86_400, timeout: 5 };
  const check = await createCheck(program, KEY, definition);
  await check.reaches('up', 30);
  const configuration = { page_id: page, component_id: component, component_status: 'major_outage' };
  const channels: string[] = [];
  for (const channel of [...receivers.channels, { name: 'Page', type: 'statuspage', configuration }]) {
    channels.push(await make('/v1/alerts/channels', channel));
  }
  const rule = await make('/v1/alerts/rules', {
    name: 'Shop answers',
    check_id: check.id,
    condition: 'check_failed',
    severity: 'critical',
    channel_ids: channels,
    cooldown_period: 0,
  });
  return { page, component, check, channels, rule };
};

export const getJson = async <T>(program: RunningProgram, path: string): Promise<T> => {
  const { status, body } = await callApi(program, KEY, 'GET', path);
  assert.is(status, 200, JSON.stringify(body));
  return body as T;
};

/** Starts a run of a check immediately, without waiting for its next scheduled run. */
export const runNow = async (program: RunningProgram, { path }: { path: string }): Promise<void> => {
  const { status, body } = await callApi(program, KEY, 'POST', `${path}/execute`);
  assert.is(status, 202, JSON.stringify(body));
};

export const alertsOf = async (program: RunningProgram, rule: string, status?: string): Promise<ShownAlert[]> => {
  const search = `rule_id=${rule}&per_page=100${status === undefined ? '' : `&status=${status}`}`;
  return (await getJson<{ alerts: ShownAlert[] }>(program, `/v1/alerts?${search}`)).alerts;
};

/**
 * Polls until a condition holds. On timeout, the error shows the newest value.
 *
 * @returns the value that fulfils the condition
 */
export const waitUntil = async <T>(
  what: string,
  look: () => Promise<T> | T,
  holds: (seen: T) => boolean,
): Promise<T> => {
  const last: { seen?: T } = {};
  await eventually(
    async () => {
      last.seen = await look();
      assert.ok(holds(last.seen), JSON.stringify(last.seen));
      return true;
    },
    { within: 60_000, what },
  );
  return last.seen as T;
};
