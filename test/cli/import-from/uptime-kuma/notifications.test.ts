import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inTemporaryFolder } from '../../../service/temporary.ts';
import { imported } from './importing.ts';

const test = suite('notifications of Uptime Kuma');

test(
  'every type of notification that has an equivalent becomes a channel that the service accepts',
  inTemporaryFolder(async (folder) => {
    const url = 'https://hooks.example.com/a';
    const configs = [
      {
        type: 'webhook',
        webhookURL: url,
        webhookContentType: 'json',
        webhookAdditionalHeaders: '{"X-Token":"s3cret","Content-Type":"application/json"}',
      },
      {
        type: 'webhook',
        webhookURL: url,
        webhookContentType: 'custom',
        webhookCustomBody: '{"t":"{{ msg }}","m":"{{ monitorJSON[\'name\'] }}","s":{{heartbeatJSON.status}}}',
      },
      {
        type: 'webhook',
        webhookURL: url,
        webhookContentType: 'custom',
        webhookCustomBody: '{"t":"{% if x %}{{ y }}{% endif %}"}',
      },
      { type: 'telegram', telegramBotToken: '123456:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', telegramChatID: '-1001' },
      { type: 'slack', slackwebhookURL: 'https://hooks.slack.com/services/T/B/x' },
      { type: 'mattermost', mattermostWebhookUrl: 'https://mm.example.com/hooks/x' },
      {
        type: 'ntfy',
        ntfyserverurl: 'https://ntfy.example.com',
        ntfytopic: 'ops',
        ntfyAuthenticationMethod: 'accessToken',
        ntfyaccesstoken: 'tk_s3cret',
      },
      { type: 'discord', discordWebhookUrl: url },
      { type: 'teams', webhookUrl: url },
      { type: 'PagerDuty', pagerdutyIntegrationKey: 's3cret"{{x' },
      { type: 'Opsgenie', opsgenieApiKey: 's3cret', opsgenieRegion: 'eu' },
      { type: 'gotify', gotifyserverurl: 'https://gotify.example.com/', gotifyapplicationToken: 's3cret' },
      { type: 'matrix', homeserverUrl: 'https://matrix.example.com', internalRoomId: '!a:b', accessToken: 's3cret' },
      {
        type: 'HomeAssistant',
        homeAssistantUrl: 'https://ha.example.com',
        longLivedAccessToken: 's3cret',
        notificationService: 'notify',
      },
      { type: 'signal', signalURL: url, signalNumber: '+1', signalRecipients: '+2,+3' },
      { type: 'pushover', pushoverapptoken: 's3cret', pushoveruserkey: 's3cret' },
      ...['DingDing', 'Feishu', 'GoogleChat', 'GrafanaOncall', 'WeCom'].map((type) => ({
        type,
        webHookUrl: url,
        feishuWebHookUrl: url,
        googleChatWebhookURL: url,
        GrafanaOncallURL: url,
        weComBotKey: 's3cret',
      })),
      { type: 'rocket.chat', rocketwebhookURL: 'https://rocket.example.com/hooks/x' },
    ];
    const { configuration, unmapped } = imported(folder, '2.0', {
      notification: [
        ...configs.map((config, index) => ({ name: `${config.type} ${index}`, config: JSON.stringify(config) })),
        { name: 'pigeon', config: '{"type":"pigeon"}' },
        { name: 'damaged', config: '{"type":' },
      ],
    });
    assert.is(configuration.channels?.length, configs.length);
    assert.not.match(unmapped.join('\n'), /s3cret|hooks\.example/);
    assert.match(
      unmapped.join('\n'),
      /"pigeon": was not imported, because Uptrail has no channel of the type "pigeon"/,
    );
    assert.match(unmapped.join('\n'), /"damaged": was not imported, because its configuration is not readable\./);
  }),
);

test(
  'a notification whose credentials a channel cannot have says so',
  inTemporaryFolder(async (folder) => {
    const ntfy = { type: 'ntfy', ntfyserverurl: 'https://ntfy.example.com', ntfytopic: 'ops' };
    const configs = {
      signed: { type: 'DingDing', webHookUrl: 'https://hooks.example.com/a', secretKey: 's3cret' },
      unsigned: { type: 'DingDing', webHookUrl: 'https://hooks.example.com/a' },
      'with password': { ...ntfy, ntfyusername: 'me', ntfypassword: 's3cret' },
      'without password': { ...ntfy, ntfyAuthenticationMethod: 'none', ntfyusername: 'me', ntfypassword: 's3cret' },
    };
    const { configuration, unmapped } = imported(folder, '1.18', {
      notification: Object.entries(configs).map(([name, config]) => ({ name, config: JSON.stringify(config) })),
    });
    assert.is(configuration.channels?.length, 4);
    assert.match(unmapped.join('\n'), /^"signed": does not sign its messages, so DingDing refuses them\./m);
    assert.match(unmapped.join('\n'), /^"with password": was imported without user name and password\./m);
    assert.not.match(JSON.stringify([configuration, unmapped]), /s3cret/);
  }),
);

test.run();
