import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { closeServers, httpServer } from '../../../../probes/web/servers.ts';
import { startService } from '../../../service.ts';

const test = suite('/v1/alerts/channels');
const service = await startService();
const { request, first, second } = service;
test.after.each(closeServers);
test.after(() => service.stop());

const PATH = '/v1/alerts/channels';
const MASK = '********';

interface Channel {
  id: string;
  name: string;
  type: string;
  configuration: Record<string, unknown>;
  enabled: boolean;
  last_used_at: string | null;
}
type Errors = { errors: { json: Record<string, string[]> } };

const create = async (type: string, configuration: object, name = 'On call'): Promise<Channel> => {
  const reply = await request('POST', PATH, { body: { name, type, configuration } });
  assert.is(reply.status, 201, reply.text);
  return reply.json() as Channel;
};
const asViewer = async (id: string) =>
  (await request('GET', `${PATH}/${id}`, { key: first.keys.viewer })).json() as Channel;
const patched = async (id: string, configuration: object) =>
  request('PATCH', `${PATH}/${id}`, { body: { configuration } });
const refusals = async (body: object, path = PATH) => {
  const reply = await request('POST', path, { body });
  assert.is(reply.status, 422, reply.text);
  return (reply.json() as Errors).errors.json;
};

const WEBHOOK = {
  url: 'http://127.0.0.1:9/hook/t0ken?x=1',
  headers: { Authorization: 'Bearer s3cret' },
  body_template: '{"text":"{{alert.title}}","key":"r0uting"}',
};

test('an e-mail channel can have several recipients', async () => {
  const channel = await create('email', { recipients: ['jane@example.com', 'Joe@EXAMPLE.com', 'jane@example.com'] });
  assert.equal(channel.configuration, { recipients: ['jane@example.com', 'Joe@example.com'] });
  assert.equal([channel.enabled, channel.last_used_at], [true, null]);
  assert.equal((await asViewer(channel.id)).configuration, { recipients: ['j***@example.com', 'J***@example.com'] });
  assert.equal(await refusals({ name: 'x', type: 'email', configuration: { recipients: ['a@b.example', 'nobody'] } }), {
    'configuration.recipients.1': ['Must be an e-mail address.'],
  });
  const many = Array.from({ length: 51 }, (_, index) => `a${index}@example.com`);
  assert.equal(Object.keys(await refusals({ name: 'x', type: 'email', configuration: { recipients: many } })), [
    'configuration.recipients',
  ]);
});

test('the error for an invalid channel names all invalid fields', async () => {
  const configuration = { headers: { Authorization: MASK }, method: 'DELETE' };
  assert.equal(Object.keys(await refusals({ type: 'webhook', configuration })).sort(), [
    'configuration.headers.Authorization',
    'configuration.method',
    'configuration.url',
    'name',
  ]);
  const unusable = { url: 'ftp://example.com', headers: { Host: 'x' }, body_template: '{{alert.title}', secret: 'no' };
  assert.equal(Object.keys(await refusals({ name: 'x', type: 'webhook', configuration: unusable })).sort(), [
    'configuration.body_template',
    'configuration.headers.Host',
    'configuration.secret',
    'configuration.url',
  ]);
  assert.equal(await refusals({ name: 'x', type: 'pager', configuration: {} }), {
    type: ['Must be one of: email, webhook, telegram, max, slack, ntfy, statuspage.'],
  });
});

test('viewers see only the origin of a webhook, and editors everything except its secret', async () => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const channel = await create('webhook', { ...WEBHOOK, secret });
  assert.equal(channel.configuration, { ...WEBHOOK, method: 'POST', secret: MASK });
  assert.equal((await asViewer(channel.id)).configuration, {
    url: 'http://127.0.0.1:9/***',
    method: 'POST',
    headers: { Authorization: MASK },
    body_template: MASK,
    secret: MASK,
  });
  const audited = (await request('GET', '/v1/audit?action=alert_channel.created', { key: first.keys.admin })).text;
  for (const hidden of ['t0ken', 's3cret', 'r0uting', 'whsec_']) assert.not.match(audited, hidden);
});

test('masked values of a channel stay unchanged when they are sent back, and are refused if the host is changed too', async () => {
  const channel = await create('webhook', WEBHOOK);
  const masked = { ...WEBHOOK, headers: { authorization: MASK }, body_template: MASK };
  const unchanged = (await patched(channel.id, { ...masked, url: 'http://127.0.0.1:9/other' })).json() as Channel;
  assert.equal(unchanged.configuration['headers'], { authorization: 'Bearer s3cret' });
  assert.is(unchanged.configuration['body_template'], WEBHOOK.body_template);
  const moved = await patched(channel.id, { ...masked, url: 'http://127.0.0.2:9/hook' });
  assert.is(moved.status, 422);
  assert.equal(Object.keys((moved.json() as Errors).errors.json).sort(), [
    'configuration.body_template',
    'configuration.headers.authorization',
  ]);
  const anew = { ...WEBHOOK, url: 'http://127.0.0.2:9/hook', headers: { Authorization: 'new' } };
  assert.is((await patched(channel.id, anew)).status, 200);
});

test('the masked URL of a channel stays unchanged when it is sent back, and any other masked URL is refused', async () => {
  const channel = await create('webhook', WEBHOOK);
  const url = (await asViewer(channel.id)).configuration['url'];
  for (const sent of [url, MASK]) {
    const unchanged = (await patched(channel.id, { ...WEBHOOK, url: sent })).json() as Channel;
    assert.is(unchanged.configuration['url'], WEBHOOK.url);
  }
  const moved = (await patched(channel.id, { ...WEBHOOK, url: 'http://127.0.0.1:9' })).json() as Channel;
  assert.is(moved.configuration['url'], 'http://127.0.0.1:9');
  const elsewhere = await patched(channel.id, { ...WEBHOOK, url: 'http://127.0.0.2:9/***' });
  assert.equal((elsewhere.json() as Errors).errors.json['configuration.url'], [
    'No stored text matches http://127.0.0.2:9/***. Send the whole text.',
  ]);
  assert.equal(await refusals({ name: 'x', type: 'webhook', configuration: { url } }), {
    'configuration.url': ['No stored text matches http://127.0.0.1:9/***. Send the whole text.'],
  });
});

test('masked recipients of a channel stay unchanged when they are sent back', async () => {
  const recipients = ['ivan@example.com', 'igor@example.com', 'jane@example.com'];
  const channel = await create('email', { recipients });
  const sent = async (given: string[]): Promise<unknown> => {
    const reply = await patched(channel.id, { recipients: given });
    const body = reply.json() as Channel & Errors;
    return reply.status === 200 ? body.configuration['recipients'] : body.errors.json;
  };
  const masked = (await asViewer(channel.id)).configuration['recipients'] as string[];
  assert.equal(masked, ['i***@example.com', 'i***@example.com', 'j***@example.com']);
  assert.equal(await sent(masked), recipients);
  assert.equal(await sent([...masked, 'new@example.com']), [...recipients, 'new@example.com']);
  assert.equal(await sent(['i***@example.com']), {
    'configuration.recipients.0': ['i***@example.com matches several stored addresses. Send the whole address.'],
  });
  assert.equal(await sent(['x***@example.com']), {
    'configuration.recipients.0': ['No stored text matches x***@example.com. Send the whole text.'],
  });
  assert.equal(await sent(['Ivan@Example.com', 'i***@example.com']), ['Ivan@example.com', 'igor@example.com']);
  assert.equal(await sent(['IVAN@example.com', 'ivan@EXAMPLE.com']), ['IVAN@example.com']);
  assert.equal(await refusals({ name: 'x', type: 'email', configuration: { recipients: masked } }), {
    'configuration.recipients.0': ['No stored text matches i***@example.com. Send the whole text.'],
    'configuration.recipients.1': ['No stored text matches i***@example.com. Send the whole text.'],
    'configuration.recipients.2': ['No stored text matches j***@example.com. Send the whole text.'],
  });
});

test('the audit log shows the recipients of a channel masked', async () => {
  const channel = await create('email', { recipients: ['hidden.person@example.com'] });
  const audited = await request('GET', `/v1/audit?resource_id=${channel.id}`, { key: first.keys.admin });
  assert.match(audited.text, 'h***@example.com');
  assert.not.match(audited.text, 'hidden.person');
});

test('tokens of a channel are masked for everybody and stay unchanged when they are sent back', async () => {
  const channel = await create('telegram', { bot_token: '12:s3cret', chat_id: -100 });
  assert.equal(channel.configuration, { bot_token: MASK, chat_id: '-100' });
  const changed = await patched(channel.id, { bot_token: MASK, chat_id: '@example' });
  assert.equal((changed.json() as Channel).configuration, { bot_token: MASK, chat_id: '@example' });
  assert.equal(await refusals({ name: 'x', type: 'max', configuration: { bot_token: MASK, chat_id: 5 } }), {
    'configuration.bot_token': ['No stored text matches ********. Send the whole text.'],
  });
  const other = await request('PATCH', `${PATH}/${channel.id}`, { body: { type: 'max' } });
  assert.equal([other.status, Object.keys((other.json() as Errors).errors.json)], [422, ['type']]);
});

test('everybody sees only the host of a Slack webhook, which stays unchanged when it is sent back', async () => {
  const webhook_url = 'https://hooks.slack.com/services/T0/B0/s3cret';
  const channel = await create('slack', { webhook_url });
  const shown = { webhook_url: 'https://hooks.slack.com/***' };
  assert.equal([channel.configuration, (await asViewer(channel.id)).configuration], [shown, shown]);
  const [stored] = await service.stores.main.readStream(`alert_channel-${channel.id}`);
  assert.not.match(JSON.stringify(stored?.data), 's3cret');
  for (const sent of [shown.webhook_url, MASK]) {
    const unchanged = await patched(channel.id, { webhook_url: sent });
    assert.equal((unchanged.json() as Channel).configuration, shown);
  }
  assert.is((await service.stores.main.readStream(`alert_channel-${channel.id}`)).length, 1, 'nothing has changed');
  const moved = await patched(channel.id, { webhook_url: 'https://hooks.example/other' });
  assert.equal((moved.json() as Channel).configuration, { webhook_url: 'https://hooks.example/***' });
  const audited = await request('GET', `/v1/audit?resource_id=${channel.id}`, { key: first.keys.admin });
  assert.match(audited.text, 'hooks.slack.com/***');
  assert.not.match(audited.text, /s3cret|other/);
  assert.equal(await refusals({ name: 'x', type: 'slack', configuration: shown }), {
    'configuration.webhook_url': ['No stored text matches https://hooks.slack.com/***. Send the whole text.'],
  });
  for (const [configuration, sentence] of [
    [{}, 'Missing required field.'],
    [{ webhook_url: 5 }, 'Must be a string.'],
    [{ webhook_url: 'ftp://hooks.example/' }, 'Must begin with https:// or http://.'],
  ] as const)
    assert.equal(await refusals({ name: 'x', type: 'slack', configuration }), {
      'configuration.webhook_url': [sentence],
    });
});

test('viewers do not see the topic and token of an ntfy channel', async () => {
  const channel = await create('ntfy', { topic: 'alerts-t0pic', token: 'tk_s3cret' });
  assert.equal(channel.configuration, { server_url: 'https://ntfy.sh', topic: 'alerts-t0pic', token: MASK });
  assert.equal((await asViewer(channel.id)).configuration, { server_url: 'https://ntfy.sh', topic: MASK, token: MASK });
  const [stored] = await service.stores.main.readStream(`alert_channel-${channel.id}`);
  assert.not.match(JSON.stringify(stored?.data), /s3cret|t0pic/);
  const unchanged = await patched(channel.id, { server_url: 'https://ntfy.sh/', topic: MASK, token: MASK });
  const { configuration } = unchanged.json() as Channel;
  assert.equal(configuration, { server_url: 'https://ntfy.sh/', topic: 'alerts-t0pic', token: MASK });
  const moved = await patched(channel.id, { server_url: 'https://ntfy.example', topic: MASK, token: MASK });
  assert.equal(Object.keys((moved.json() as Errors).errors.json), ['configuration.topic', 'configuration.token']);
  const open = await patched(channel.id, { server_url: null, topic: 'other' });
  assert.equal((open.json() as Channel).configuration, { server_url: 'https://ntfy.sh', topic: 'other', token: null });
  const audited = await request('GET', `/v1/audit?resource_id=${channel.id}`, { key: first.keys.admin });
  assert.not.match(audited.text, /s3cret|t0pic|other/);
  assert.equal(await refusals({ name: 'x', type: 'ntfy', configuration: { topic: MASK, token: 7 } }), {
    'configuration.topic': ['No stored text matches ********. Send the whole text.'],
    'configuration.token': ['Must be a string.'],
  });
  const unusable = { server_url: 'https://ntfy.sh/topic', topic: 'a b', token: 'a b' };
  assert.equal(await refusals({ name: 'x', type: 'ntfy', configuration: unusable }), {
    'configuration.server_url': ['Must be the address of the server alone, such as https://ntfy.sh.'],
    'configuration.topic': ['Must have 1 to 64 letters, digits, hyphens and underscores.'],
    'configuration.token': ['Must be an access token: visible ASCII characters.'],
  });
});

test('testing a Slack or ntfy channel sends a message', async () => {
  const bodies: Record<string, unknown>[] = [];
  const { port } = await httpServer(({ url }, response, body) => {
    bodies.push({ url, ...(JSON.parse(body) as object) });
    response.end(url === '/' ? '{"id":"abc"}' : 'ok');
  });
  const server_url = `http://127.0.0.1:${port}`;
  for (const [type, configuration] of [
    ['slack', { webhook_url: `${server_url}/services/s3cret` }],
    ['ntfy', { server_url, topic: 'alerts' }],
  ] as const) {
    const tested = await request('POST', `${PATH}/test`, { body: { type, configuration } });
    const { success, status_code, error_message } = tested.json() as Record<string, unknown>;
    assert.equal([success, status_code, error_message], [true, 200, null], tested.text);
  }
  const [slack, ntfy] = bodies;
  assert.equal([slack?.['url'], slack?.['text']], ['/services/s3cret', '🟡 Test of an alert channel']);
  assert.equal(
    [ntfy?.['topic'], ntfy?.['title'], ntfy?.['priority'], ntfy?.['sequence_id']],
    ['alerts', 'Test of an alert channel', 3, undefined],
  );
});

test('a status page channel may name a component of the organization, but no component group', async () => {
  const made = async (path: string, body: object, key = first.keys.editor) =>
    (await request('POST', path, { body, key })).json() as { id: string };
  const page = await made('/v1/pages', { name: 'Status', subdomain: 'channels' });
  const component = await made(`/v1/pages/${page.id}/components`, { name: 'Web' });
  const group = await made(`/v1/pages/${page.id}/component-groups`, { name: 'All', components: [component.id] });
  const foreign = await made('/v1/pages', { name: 'Other', subdomain: 'other' }, second.keys.editor);
  const set = { page_id: page.id, component_id: component.id, component_status: 'major_outage' };
  const channel = await create('statuspage', set);
  assert.equal(channel.configuration, set);
  const wrong = async (changes: object) =>
    Object.keys(await refusals({ name: 'x', type: 'statuspage', configuration: { ...set, ...changes } }));
  assert.equal(await wrong({ page_id: foreign.id }), ['configuration.page_id']);
  assert.equal(await wrong({ component_id: 'k3v9x0q2m7ab' }), ['configuration.component_id']);
  if (group.id) assert.equal(await wrong({ component_id: group.id }), ['configuration.component_id']);
  assert.equal(await wrong({ component_status: 'up' }), ['configuration.component_status']);
  const tested = (await request('POST', `${PATH}/${channel.id}/test`)).json() as { success: boolean };
  assert.is(tested.success, true);
  const shown = (await request('GET', `/v1/pages/${page.id}/components/${component.id}`)).json();
  assert.is((shown as { status: string }).status, 'operational');
  await request('DELETE', `/v1/pages/${page.id}/components/${component.id}`);
  assert.is((await patched(channel.id, set)).status, 200);
  assert.is((await patched(channel.id, { ...set, component_id: 'k3v9x0q2m7ab' })).status, 422);
});

test('a channel cannot be deleted while an alert rule uses it', async () => {
  const channel = await create('telegram', { bot_token: '12:s3cret', chat_id: 1 });
  const check = { name: 'Shop', type: 'web', url: 'http://127.0.0.1:9/', interval: 60 };
  const { id: check_id } = (await request('POST', '/v1/checks', { body: check })).json() as { id: string };
  const rule = { name: 'Shop is down', check_id, condition: 'check_failed', channel_ids: [channel.id] };
  const made = await request('POST', '/v1/alerts/rules', { body: rule });
  assert.is(made.status, 201, made.text);
  const refused = await request('DELETE', `${PATH}/${channel.id}`);
  assert.is(refused.status, 400);
  assert.match(refused.text, /used by the rule \\"Shop is down\\"/);
  await request('DELETE', `/v1/alerts/rules/${(made.json() as { id: string }).id}`);
  assert.is((await request('DELETE', `${PATH}/${channel.id}`)).status, 204);
  assert.is((await request('DELETE', `${PATH}/${channel.id}`)).status, 404);
});

test('a channel cannot be deleted while a heartbeat uses it', async () => {
  const channel = await create('telegram', { bot_token: '12:s3cret', chat_id: 1 });
  const beat = await request('POST', '/v1/heartbeats', { body: { name: 'Backup', period_seconds: 60 } });
  const path = `/v1/heartbeats/${(beat.json() as { id: string }).id}/channels`;
  assert.is((await request('POST', path, { body: { channel_ids: [channel.id] } })).status, 200);
  const refused = await request('DELETE', `${PATH}/${channel.id}`);
  assert.is(refused.status, 400);
  assert.match(refused.text, /used by the heartbeat \\"Backup\\"/);
  await request('DELETE', `${path}/${channel.id}`);
  assert.is((await request('DELETE', `${PATH}/${channel.id}`)).status, 204);
});

test("testing a channel sends a message and does not reveal the receiver's response", async () => {
  const seen: { method: string | undefined; body: unknown }[] = [];
  let status = 200;
  const { port } = await httpServer(({ method }, response, body) => {
    seen.push({ method, body: JSON.parse(body) as unknown });
    response.writeHead(status).end('internal secrets');
  });
  const configuration = {
    url: `http://127.0.0.1:${port}/`,
    method: 'PUT',
    body_template: '"{{alert.title}}"',
  };
  const unsaved = await request('POST', `${PATH}/test`, { body: { type: 'webhook', configuration } });
  assert.is(unsaved.status, 200, unsaved.text);
  const { success, status_code, error_message } = unsaved.json() as Record<string, unknown>;
  assert.equal([success, status_code, error_message], [true, 200, null]);
  assert.equal(seen, [{ method: 'PUT', body: 'Test of an alert channel' }]);
  const channel = await create('webhook', { url: configuration.url });
  status = 500;
  const failed = await request('POST', `${PATH}/${channel.id}/test`);
  const outcome = failed.json() as Record<string, unknown>;
  assert.equal([outcome['success'], outcome['status_code']], [false, 500]);
  assert.is(outcome['error_message'], 'The answer of the webhook was 500.');
  assert.not.match(failed.text, 'internal');
  const body = seen[1]?.body as { event: string; test: boolean; organization: object };
  assert.equal([body.event, body.test, body.organization], ['alert.fired', true, { id: first.id }]);
  assert.is((await request('POST', `${PATH}/${channel.id}/test`, { key: first.keys.viewer })).status, 403);
});

test('testing a channel with a masked token uses the stored token', async () => {
  const channel = await create('telegram', { bot_token: '12:s3cret', chat_id: 1 });
  const body = { type: 'telegram', configuration: { bot_token: MASK, chat_id: '2' }, channel_id: channel.id };
  const tested = await request('POST', `${PATH}/test`, { body });
  assert.is(tested.status, 200, tested.text);
  assert.not.match(tested.text, 's3cret');
  const foreign = await request('POST', `${PATH}/test`, { body, key: second.keys.editor });
  assert.equal(Object.keys((foreign.json() as Errors).errors.json), ['channel_id']);
});

test('the audit log names the user who tested a channel, whether or not the channel is stored', async () => {
  service.time.now += 3_600_000;
  const channel = await create('telegram', { bot_token: '12:s3cret', chat_id: 1 }, 'Audited');
  const sent = { type: 'telegram', configuration: { bot_token: MASK, chat_id: '2' }, channel_id: channel.id };
  const unsaved = { type: 'webhook', configuration: { url: 'http://127.0.0.1:9/t0ken' } };
  for (const [path, body] of [
    [`${PATH}/${channel.id}/test`, {}],
    [`${PATH}/test`, sent],
    [`${PATH}/test`, unsaved],
  ] as const) {
    service.time.now += 1_000;
    assert.is((await request('POST', path, { body })).status, 200);
  }
  const log = (await request('GET', '/v1/audit?action=alert_channel.tested', { key: first.keys.admin })).json() as {
    audit_logs: { resource_id: string; resource_name: string | null; actor_type: string; changes: object }[];
  };
  const [third, second, one] = log.audit_logs;
  assert.equal(
    [one, second].map((entry) => [entry?.resource_id, entry?.resource_name, entry?.actor_type]),
    [
      [channel.id, 'Audited', 'api_key'],
      [channel.id, 'Audited', 'api_key'],
    ],
  );
  assert.equal(
    [one, second, third].map((entry) => entry?.changes),
    [
      { type: { old: null, new: 'telegram' }, configuration: { old: null, new: 'stored' } },
      { type: { old: null, new: 'telegram' }, configuration: { old: null, new: 'sent' } },
      { type: { old: null, new: 'webhook' }, configuration: { old: null, new: 'sent' } },
    ],
  );
  assert.not.equal(third?.resource_id, channel.id);
  assert.is((await request('GET', `${PATH}/${third?.resource_id ?? ''}`)).status, 404);
  assert.is(((await request('GET', PATH)).json() as Channel[]).find(({ id }) => id === channel.id)?.last_used_at, null);
  assert.is((await request('GET', `${PATH}/${channel.id}`)).status, 200);
});

test('channels can be tested ten times a minute', async () => {
  service.time.now += 3_600_000;
  const channel = await create('telegram', { bot_token: '12:s3cret', chat_id: 1 });
  const tries = [];
  for (let count = 0; count < 11; count++) tries.push((await request('POST', `${PATH}/${channel.id}/test`)).status);
  assert.equal(tries, [...Array.from({ length: 10 }, () => 200), 429]);
  assert.is(
    (
      await request('POST', `${PATH}/test`, {
        body: { type: 'telegram', configuration: { bot_token: '1', chat_id: 1 } },
        key: second.keys.editor,
      })
    ).status,
    200,
  );
});

test.run();
