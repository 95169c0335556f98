import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CHANNEL_TYPES as DECLARED } from '../../../notifiers/channels/index.ts';
import {
  bodyOf,
  configurationOf,
  fieldsOf,
  newChannel,
  targetOf,
  TYPES,
  valuesOfChannel,
  type Channel,
} from '../../../console/screens/alert-channels/draft.ts';

const test = suite('the alert channel form');

const channel = (type: Channel['type'], configuration: object): Channel => ({
  id: 'k3v9x0q2m7ab',
  name: 'On call',
  type,
  configuration: configuration as Channel['configuration'],
  enabled: true,
  last_used_at: null,
  managed_by: null,
  revision: 1,
  created_at: '2026-11-20T15:00:00.000000',
  updated_at: '2026-11-20T15:00:00.000000',
});

test('the channel form has the types and fields that the service declares', () => {
  assert.equal(
    TYPES,
    DECLARED.map(({ name }) => name),
  );
  for (const { name, configuration } of DECLARED) {
    const fields = fieldsOf(name as Channel['type']).map((field) => field.name as string);
    assert.equal(fields, Object.keys(configuration.properties), name);
  }
  const secrets = TYPES.flatMap((type) =>
    fieldsOf(type).flatMap(({ name, isSecret }) => (isSecret ? `${type} ${name}` : [])),
  );
  assert.equal(secrets, ['webhook secret', 'telegram bot_token', 'max bot_token', 'slack webhook_url', 'ntfy token']);
});

test('the channel form sends an unchanged channel as it was read, with masked secrets', () => {
  const shown = {
    webhook: {
      url: 'https://hooks.example.com/x',
      method: 'PUT',
      headers: { Authorization: 'Bearer x' },
      body_template: null,
      secret: '********',
    },
    email: { recipients: ['ops@example.com'] },
    ntfy: { server_url: 'https://ntfy.sh', topic: 'alerts', token: null },
    slack: { webhook_url: 'https://hooks.slack.com/***' },
    telegram: { bot_token: '********', chat_id: '-100123' },
    statuspage: { page_id: 'k3v9x0q2m7ab', component_id: 'x4w8b2h7t1zq', component_status: 'partial_outage' },
  };
  for (const [type, configuration] of Object.entries(shown)) {
    const body = bodyOf(valuesOfChannel(channel(type as Channel['type'], configuration)));
    assert.equal(body, { name: 'On call', type, enabled: true, configuration });
  }
});

test('the channel form starts with defaults, and omits empty fields', () => {
  assert.equal(configurationOf(newChannel('ntfy')), { server_url: 'https://ntfy.sh', topic: '', token: null });
  const values = {
    ...newChannel('webhook'),
    headers: [
      { name: ' X-Team ', value: 'ops' },
      { name: '', value: '' },
    ],
  };
  assert.equal(configurationOf(values), {
    url: '',
    method: 'POST',
    headers: { 'X-Team': 'ops' },
    body_template: null,
    secret: null,
  });
});

test('the destination of a channel is shown in one line', () => {
  assert.is(
    targetOf(channel('email', { recipients: ['a@example.com', 'b@example.com'] })),
    'a@example.com, b@example.com',
  );
  assert.is(targetOf(channel('ntfy', { server_url: 'https://ntfy.sh', topic: 'x' })), 'https://ntfy.sh/x');
  assert.is(targetOf(channel('slack', { webhook_url: 'https://hooks.slack.com/***' })), 'https://hooks.slack.com/***');
});

test.run();
