import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { v1Routes } from '../../api/v1/index.ts';
import { quarantineSubscriber, verifySubscriber } from '../../commands/pages/subscribers.ts';
import { startService } from './service.ts';

const test = suite('sending documents back unchanged');
const service = await startService();
const { first, request } = service;
test.after(() => service.stop());

/** A created resource. It has a value for every field that some readers see masked. */
interface Made {
  path: string;
  /** the stream of the resource in the log */
  stream: string;
  /** fields for which sending the visible value counts as a change */
  touched?: readonly string[];
}

/** A key that may write every resource. */
const WRITER = first.keys.admin;
const HOOK = 'http://127.0.0.1:9/hook/t0ken?x=1';

const made = async (path: string, body: object): Promise<{ id: string }> => {
  const reply = await request('POST', path, { body });
  assert.ok(reply.status === 201 || reply.status === 200, reply.text);
  return reply.json() as { id: string };
};

let names = 0;
const name = () => `Example_${names++}`;

const newPage = () => made('/v1/pages', { name: name(), allow_sms_subscribers: true });

const channel = async (type: string, configuration: object): Promise<Made> => {
  const { id } = await made('/v1/alerts/channels', { name: name(), type, configuration });
  return { path: `/v1/alerts/channels/${id}`, stream: `alert_channel-${id}` };
};

const emailChannel = () =>
  channel('email', { recipients: ['ivan@example.com', 'Igor@example.com', 'jane@example.com'] });

const check = async (body: object): Promise<Made & { id: string }> => {
  const { id } = await made('/v1/checks', { name: name(), interval: 60, ...body });
  return { id, path: `/v1/checks/${id}`, stream: `check-${id}` };
};

const webCheck = () =>
  check({
    type: 'web',
    url: 'http://127.0.0.1:9/',
    parameters: {
      http_request: {
        method: 'POST',
        headers: { Authorization: 'Bearer s3cret', 'X-Api-Key': 'k3y', Accept: 'text/html' },
        body: 's3cret',
        username: 'jane',
        password: 's3cret',
      },
    },
  });

const secret = async (): Promise<Made & { id: string }> => {
  const { id } = await made('/v1/secrets', { secret_name: name(), secret_value: 's3cret' });
  return { id, path: `/v1/secrets/${id}`, stream: `secret-${id}`, touched: ['updated_at', 'updated_by', 'revision'] };
};

const subscriber = async (body: object, quarantined = false): Promise<Made> => {
  const page = await newPage();
  const { id } = await made(`/v1/pages/${page.id}/subscribers`, body);
  if (quarantined) {
    const context = service.context(first.id, `${id}/verified`);
    await service.commands.bind(verifySubscriber)(id, 1, context);
    const later = service.context(first.id, `${id}/quarantined`);
    await service.commands.bind(quarantineSubscriber)(id, 1, 'The address does not exist.', later);
    await service.readers.waitFor(['subscribers'], later);
  }
  return { path: `/v1/pages/${page.id}/subscribers/${id}`, stream: `subscriber-${id}` };
};

const component = async (group: boolean): Promise<Made> => {
  const page = await newPage();
  const [kind, body] = group ? ['component-groups', { components: [] }] : ['components', {}];
  const { id } = await made(`/v1/pages/${page.id}/${kind}`, { name: name(), ...body });
  return { path: `/v1/pages/${page.id}/${kind}/${id}`, stream: `page-${page.id}` };
};

const organization = async (): Promise<Made> => {
  const path = `/v1/organizations/${first.id}`;
  const invoice_details = { legal_name: 'First Ltd', tax_id: '7', address: null, email: 'bills@first.example' };
  assert.is((await request('PATCH', path, { key: WRITER, body: { auto_renew: true, invoice_details } })).status, 200);
  return { path, stream: `organization-${first.id}` };
};

/** Factories of resources, by the path that documents are sent back to. */
const RESOURCES: Readonly<Record<string, readonly (() => Promise<Made>)[]>> = {
  '/v1/alerts/channels/{channel_id}': [
    emailChannel,
    () =>
      channel('webhook', {
        url: HOOK,
        headers: { Authorization: 'Bearer s3cret', 'Content-Type': 'application/json; charset=utf-8' },
        body_template: '{"text":"{{alert.title}}","key":"r0uting"}',
        secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
      }),
    () => channel('webhook', { url: 'http://hooks.example{{#fired}}/t0ken{{/fired}}', method: 'GET' }),
    () => channel('telegram', { bot_token: '12:s3cret', chat_id: -100 }),
    () => channel('max', { bot_token: 's3cret', chat_id: 5 }),
    () => channel('slack', { webhook_url: HOOK }),
    () => channel('ntfy', { topic: 't0pic', token: 'tk_s3cret' }),
  ],
  '/v1/alerts/rules/{rule_id}': [
    async () => {
      const channel_id = (await emailChannel()).path.split('/').at(-1);
      const { id: check_id } = await webCheck();
      const rule = { name: name(), check_id, condition: 'check_failed', channel_ids: [channel_id] };
      const { id } = await made('/v1/alerts/rules', rule);
      return { path: `/v1/alerts/rules/${id}`, stream: `alert_rule-${id}` };
    },
  ],
  '/v1/checks/{check_id}': [
    webCheck,
    () => check({ type: 'tcp', host: '127.0.0.1', port: 9, parameters: { send_text: 's3cret' } }),
  ],
  '/v1/checks/{check_id}/secrets': [
    async () => {
      const { id: secret_id } = await secret();
      const { path, stream } = await check({ type: 'web', url: 'http://127.0.0.1:9/' });
      await made(`${path}/secrets`, { secret_id, env_variable: 'TOKEN' });
      return { path: `${path}/secrets`, stream };
    },
  ],
  '/v1/secrets/{secret_id}': [secret],
  '/v1/pages/{page_id}/subscribers/{subscriber_id}': [
    () => subscriber({ mode: 'email', email: 'ivan@example.com' }),
    () => subscriber({ mode: 'email', email: 'ivan@example.com' }, true),
    () => subscriber({ mode: 'sms', phone_number: '+79161234567', phone_country: 'RU' }),
    () => subscriber({ mode: 'webhook', endpoint: 'https://hooks.example.com/t0ken', email: 'ivan@example.com' }),
  ],
  '/v1/pages/{page_id}': [
    async () => {
      const { id } = await newPage();
      return { path: `/v1/pages/${id}`, stream: `page-${id}` };
    },
  ],
  '/v1/pages/{page_id}/passwords/{password_id}': [
    async () => {
      const { id: page } = await newPage();
      const password = { name: name(), password: 'correct horse', password_hint: 'as in the comic' };
      const { id } = await made(`/v1/pages/${page}/passwords`, password);
      return { path: `/v1/pages/${page}/passwords/${id}`, stream: `page-${page}` };
    },
  ],
  '/v1/pages/{page_id}/components/{component_id}': [() => component(false)],
  '/v1/pages/{page_id}/component-groups/{component_id}': [() => component(true)],
  '/v1/pages/{page_id}/incidents/{incident_id}/postmortem': [
    async () => {
      const page = await newPage();
      const incident = { name: name(), body: 'It is down.', status: 'resolved', components: {} };
      const { id } = await made(`/v1/pages/${page.id}/incidents`, incident);
      const path = `/v1/pages/${page.id}/incidents/${id}/postmortem`;
      assert.is((await request('PUT', path, { body: { body_draft: 'Why' } })).status, 200);
      return { path, stream: `incident-${id}` };
    },
  ],
  '/v1/incident-templates/{incident_template_id}': [
    async () => {
      const { id: page_id } = await newPage();
      const { id: web } = await made(`/v1/pages/${page_id}/components`, { name: 'Web' });
      const template = { name: name(), page_id, status: 'identified', components: { [web]: 'major_outage' } };
      const { id } = await made('/v1/incident-templates', template);
      return { path: `/v1/incident-templates/${id}`, stream: `incident_template-${id}` };
    },
  ],
  '/v1/check-groups/{group_id}': [
    async () => {
      const { id } = await made('/v1/check-groups', { name: name() });
      return { path: `/v1/check-groups/${id}`, stream: `check_group-${id}` };
    },
  ],
  '/v1/heartbeats/{heartbeat_key}': [
    async () => {
      const { id } = await made('/v1/heartbeats', { name: name(), period_seconds: 60 });
      return { path: `/v1/heartbeats/${id}`, stream: `heartbeat-${id}` };
    },
  ],
  '/v1/organizations/{org_id}': [organization],
};

/**
 * Paths with PUT or PATCH that need no such test: no reader sees the resource masked or with missing fields, or the
 * resource is read at another path.
 */
const OTHERS: ReadonlySet<string> = new Set([
  '/v1/pages/{page_id}/incidents/{incident_id}',
  '/v1/pages/{page_id}/incidents/{incident_id}/incident_updates/{incident_update_id}',
  '/v1/pages/{page_id}/incidents/{incident_id}/postmortem/publish',
  '/v1/pages/{page_id}/incidents/{incident_id}/postmortem/unpublish',
  '/v1/checks/{check_id}/group',
  '/v1/runners/{runner_id}',
  '/v1/users/profile',
  '/v1/users/{user_id}',
]);

test('every changeable resource is covered by this test', () => {
  const changed = v1Routes.filter(({ methods }) => methods.some((method) => method === 'put' || method === 'patch'));
  const known = new Set([...Object.keys(RESOURCES), ...OTHERS]);
  assert.equal(
    [...new Set(changed.map(({ path }) => path))].filter((path) => !known.has(path)),
    [],
  );
});

/**
 * Returns the document of a resource as writers see it, and the number of its events.
 *
 * @param saw whether the reader saw the fields in `touched` unmasked
 */
const stateOf = async ({ path, stream, touched }: Made, saw: boolean) => {
  const read = await request('GET', path, { key: WRITER });
  assert.is(read.status, 200, read.text);
  const events = await service.stores.main.readStream(stream);
  // `SecretValueRead` records a read and does not change the secret.
  if (!touched || !saw) {
    return { document: read.json(), events: events.filter(({ type }) => type !== 'SecretValueRead').length };
  }
  const entries = Object.entries(read.json() as object).filter(([field]) => !touched.includes(field));
  return { document: Object.fromEntries(entries) as unknown };
};

for (const [path, examples] of Object.entries(RESOURCES)) {
  for (const reader of ['viewer', 'editor', 'billing', 'admin'] as const) {
    test(`${path}: sending back what a reader with the role ${reader} sees changes nothing`, async () => {
      const methods = v1Routes.find((route) => route.path === path && route.methods.includes('put'))?.methods ?? [];
      for (const make of examples) {
        const one = await make();
        const saw = reader === 'editor' || reader === 'admin';
        const before = await stateOf(one, saw);
        const read = await request('GET', one.path, { key: first.keys[reader] });
        assert.is(read.status, 200, read.text);
        for (const method of methods) {
          const sent = await request(method.toUpperCase(), one.path, { key: WRITER, body: read.json() as object });
          assert.is(sent.status, 200, `${method} ${JSON.stringify(read.json())}: ${sent.text}`);
          assert.equal(await stateOf(one, saw), before);
        }
      }
    });
  }
}

test('a creation with masked values is refused, because no stored value exists that they could stand for', async () => {
  const masked = ['Is masked. Send the whole address.'];
  const page = `/v1/pages/${(await newPage()).id}/subscribers`;
  const report = { name: name(), report_type: 'uptime', schedule: 'weekly', recipients: ['i***@example.com'] };
  for (const [path, body, field] of [
    [page, { mode: 'email', email: 'i***@example.com' }, 'email'],
    [page, { mode: 'webhook', endpoint: 'https://hooks.example.com/***' }, 'endpoint'],
    ['/v1/reports', report, 'recipients.0'],
  ] as const) {
    const refused = await request('POST', path, { body });
    assert.is(refused.status, 422, refused.text);
    assert.equal((refused.json() as { errors: { json: object } }).errors.json, { [field]: masked });
  }
  const recipients = ['Ivan@example.com', 'ivan@EXAMPLE.com', 'igor@example.com'];
  const reply = await request('POST', '/v1/reports', { body: { ...report, recipients } });
  assert.is(reply.status, 202, reply.text);
  assert.equal((reply.json() as { recipients: string[] }).recipients, ['Ivan@example.com', 'igor@example.com']);
});

test.run();
