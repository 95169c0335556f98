import { text, type Row } from '../../rows.ts';
import * as templates from './templates.ts';
import { literal, webhook, webhookTo, type ChannelDraft } from './webhook.ts';

type NotificationMapping = (config: Row) => ChannelDraft | null;

/** Returns a mapping to a webhook whose address is a field of the notification. */
const posting =
  (field: string, body: string): NotificationMapping =>
  (config) =>
    webhookTo(text(config, field), body);

/** Joins the address of a server and a path. */
const at = (server: string, path: string): string => `${server.trim().replace(/\/+$/, '')}${path}`;

const smtp: NotificationMapping = (config) => {
  const recipients = ['smtpTo', 'smtpCC', 'smtpBCC']
    .flatMap((field) => text(config, field).split(/[,;]/))
    .map((entry) => (/<([^<>]+)>/.exec(entry)?.[1] ?? entry).trim())
    .filter((address) => /^[^\s@]+@[^\s@]+$/.test(address));
  const different = [...new Map(recipients.map((address) => [address.toLowerCase(), address])).values()];
  if (different.length === 0) return null;
  const remark = 'sends e-mail from MAIL_FROM through SMTP_URL, not through the mail server that Uptime Kuma uses.';
  return { type: 'email', configuration: { recipients: different.slice(0, 50) }, remark };
};

const telegram: NotificationMapping = (config) => {
  const [token, chat] = [text(config, 'telegramBotToken').trim(), text(config, 'telegramChatID').trim()];
  if (token === '' || !/^(?:-?\d+|@\w+)$/.test(chat)) return null;
  const remarks = [
    ...(text(config, 'telegramMessageThreadID') === '' ? [] : ['sends to the chat, not to a topic of it.']),
    ...(/^(?:https:\/\/api\.telegram\.org\/?)?$/.test(text(config, 'telegramServerUrl').trim())
      ? []
      : ['sends through api.telegram.org, not through another server.']),
  ];
  return {
    type: 'telegram',
    configuration: { bot_token: token, chat_id: chat },
    ...(remarks.length > 0 && { remark: remarks.join(' ') }),
  };
};

/** Maps services that accept the requests of an incoming webhook of Slack. */
const slack =
  (field: string): NotificationMapping =>
  (config) => {
    const draft = webhookTo(text(config, field), null);
    return draft && { type: 'slack', configuration: { webhook_url: draft.configuration['url'] } };
  };

const ntfy: NotificationMapping = (config) => {
  const server = webhookTo(text(config, 'ntfyserverurl') || 'https://ntfy.sh', null);
  const topic = text(config, 'ntfytopic').trim();
  if (server === null || !/^[A-Za-z0-9_-]{1,64}$/.test(topic)) return null;
  // Older versions store no method, and send the user name if there is one.
  const method =
    text(config, 'ntfyAuthenticationMethod') || (text(config, 'ntfyusername') === '' ? '' : 'usernamePassword');
  const token = method === 'accessToken' || method === '' ? text(config, 'ntfyaccesstoken') : '';
  return {
    type: 'ntfy',
    configuration: { server_url: server.configuration['url'], topic, ...(token !== '' && { token }) },
    ...(method === 'usernamePassword' && {
      remark: 'was imported without user name and password. Create an access token of ntfy, and set it as token.',
    }),
  };
};

const dingDing: NotificationMapping = (config) => {
  const draft = webhookTo(text(config, 'webHookUrl'), templates.DINGDING);
  if (draft === null || text(config, 'secretKey') === '') return draft;
  const remark =
    'does not sign its messages, so DingDing refuses them. Choose keywords or IP addresses instead of the signature in the settings of the robot.';
  return { ...draft, remark };
};

const OPSGENIE_SERVERS: Readonly<Record<string, string>> = {
  eu: 'https://api.eu.opsgenie.com',
  us: 'https://api.opsgenie.com',
};

const opsgenie: NotificationMapping = (config) =>
  webhookTo(
    `${OPSGENIE_SERVERS[text(config, 'opsgenieRegion')] ?? OPSGENIE_SERVERS['us']}${templates.OPSGENIE_PATH}`,
    templates.OPSGENIE,
    {
      headers: { Authorization: `GenieKey ${text(config, 'opsgenieApiKey')}` },
    },
  );

const matrix: NotificationMapping = (config) =>
  webhookTo(
    at(
      text(config, 'homeserverUrl'),
      `/_matrix/client/v3/rooms/${encodeURIComponent(text(config, 'internalRoomId'))}/send/m.room.message/{{message.id}}`,
    ),
    templates.MATRIX,
    { method: 'PUT', headers: { Authorization: `Bearer ${text(config, 'accessToken')}` } },
  );

const homeAssistant: NotificationMapping = (config) =>
  webhookTo(
    at(
      text(config, 'homeAssistantUrl'),
      `/api/services/notify/${encodeURIComponent(text(config, 'notificationService') || 'notify')}`,
    ),
    templates.HOME_ASSISTANT,
    { headers: { Authorization: `Bearer ${text(config, 'longLivedAccessToken')}` } },
  );

const signal: NotificationMapping = (config) => {
  const recipients = text(config, 'signalRecipients')
    .split(',')
    .map((recipient) => `"${literal(recipient.trim())}"`);
  return webhookTo(
    text(config, 'signalURL'),
    `{"message": "{{message.text}}", "number": "${literal(text(config, 'signalNumber'))}", "recipients": [${recipients.join(', ')}]}`,
  );
};

const pushover: NotificationMapping = (config) =>
  webhookTo(
    'https://api.pushover.net/1/messages.json',
    `{"token": "${literal(text(config, 'pushoverapptoken'))}", "user": "${literal(text(config, 'pushoveruserkey'))}", ` +
      '"title": "{{message.subject|250}}", "message": "{{message.text|1024}}"}',
  );

/** The types of notifications that Uptrail has as well. */
export const SAME_TYPES: ReadonlyMap<string, NotificationMapping> = new Map(
  Object.entries({
    mattermost: slack('mattermostWebhookUrl'),
    ntfy,
    'rocket.chat': slack('rocketwebhookURL'),
    slack: slack('slackwebhookURL'),
    smtp,
    telegram,
    webhook,
  }),
);

/** The types of notifications that become a webhook with a body of the service. */
export const WEBHOOK_TYPES: ReadonlyMap<string, NotificationMapping> = new Map(
  Object.entries<NotificationMapping>({
    DingDing: dingDing,
    discord: posting('discordWebhookUrl', templates.DISCORD),
    Feishu: posting('feishuWebHookUrl', templates.FEISHU),
    GoogleChat: posting('googleChatWebhookURL', templates.TEXT),
    gotify: (config) =>
      webhookTo(
        at(
          text(config, 'gotifyserverurl'),
          `/message?token=${encodeURIComponent(text(config, 'gotifyapplicationToken'))}`,
        ),
        templates.GOTIFY,
      ),
    GrafanaOncall: posting('GrafanaOncallURL', templates.GRAFANA_ONCALL),
    HomeAssistant: homeAssistant,
    matrix,
    Opsgenie: opsgenie,
    PagerDuty: (config) =>
      webhookTo(
        text(config, 'pagerdutyIntegrationUrl') || 'https://events.pagerduty.com/v2/enqueue',
        templates.pagerDuty(literal(text(config, 'pagerdutyIntegrationKey'))),
      ),
    pushover,
    signal,
    teams: posting('webhookUrl', templates.TEAMS),
    WeCom: (config) =>
      webhookTo(
        `https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=${encodeURIComponent(text(config, 'weComBotKey'))}`,
        templates.DINGDING,
      ),
  }),
);
