import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { quarantineSubscriber, unsubscribe, verifySubscriber } from '../../../../commands/pages/subscribers.ts';
import { commandContext, derivedUuid } from '../../../../commands/engine/context.ts';
import { instantOf } from '../../../../domain/time.ts';
import { subscribers } from '../../../../projections/subscribers/projection.ts';
import { startService, type ServiceRequest } from '../../service.ts';

const test = suite('subscribers');
const service = await startService();
const { first, second } = service;
test.after(() => service.stop());

type Subscriber = Record<string, unknown> & { id: string; created_at: string };
interface Refused {
  message: string;
  errors: { json?: Record<string, string[]> };
}

const STRANGER: ServiceRequest = { key: null };

let pages = 0;
const newPage = async (settings: object = {}): Promise<string> => {
  const body = { name: `Page ${pages++}`, ...settings };
  return ((await service.request('POST', '/v1/pages', { body })).json() as { id: string }).id;
};

const subscribe = (page: string, body: object, ask: ServiceRequest = {}) =>
  service.request('POST', `/v1/pages/${page}/subscribers`, { ...ask, body });

const subscribed = async (page: string, body: object, ask: ServiceRequest = {}): Promise<Subscriber> => {
  const reply = await subscribe(page, body, ask);
  assert.is(reply.status, 201, reply.text);
  return reply.json() as Subscriber;
};

const read = async (page: string, id: string, ask: ServiceRequest = {}): Promise<Subscriber> => {
  const reply = await service.request('GET', `/v1/pages/${page}/subscribers/${id}`, ask);
  assert.is(reply.status, 200, reply.text);
  return reply.json() as Subscriber;
};

const list = async (page: string, query = '', ask: ServiceRequest = {}): Promise<Subscriber[]> =>
  (await service.request('GET', `/v1/pages/${page}/subscribers${query}`, ask)).json() as Subscriber[];

let commands = 0;
/** Creates the context of a command that the test itself runs, not a request. */
const ownContext = () =>
  commandContext({
    actor: { kind: 'system', id: 'test', role: null },
    organizationId: first.id,
    correlationId: 'test',
    commandId: derivedUuid(`subscribers ${commands++}`),
    repeatable: false,
    now: instantOf(service.time.now),
  });

const verified = async (id: string, number = 1): Promise<void> => {
  const context = ownContext();
  await service.commands.bind(verifySubscriber)(id, number, context);
  await service.readers.waitFor([subscribers.name], context);
};

const IVAN = { mode: 'email', email: 'ivan@Example.COM' };

test('everybody can subscribe to a public page by e-mail', async () => {
  const page = await newPage();
  const reply = await subscribe(page, IVAN, STRANGER);
  assert.is(reply.status, 201, reply.text);
  const { id, created_at, updated_at, purge_at, ...shown } = reply.json() as Subscriber;
  assert.match(id, /^[a-z0-9]{12}$/);
  assert.is(reply.headers['location'], `/v1/pages/${page}/subscribers/${id}`);
  assert.is(updated_at, created_at);
  assert.is(Date.parse(`${String(purge_at)}Z`) - Date.parse(`${created_at}Z`), 7 * 24 * 60 * 60 * 1_000);
  assert.equal(shown, {
    page_id: page,
    mode: 'email',
    email: 'i***@example.com',
    phone_number: null,
    display_phone_number: null,
    phone_country: null,
    endpoint: null,
    obfuscated_channel_name: null,
    workspace_name: null,
    page_access_user_id: null,
    component_ids: null,
    incident_id: null,
    deliver_notifications: true,
    display_at: null,
    has_pending_verification: true,
    is_verified: false,
    skip_confirmation_notification: false,
    quarantined_at: null,
  });
  const stored = await read(page, id);
  for (const [field, value] of Object.entries(shown)) assert.equal(stored[field], value, field);
});

test('responses to visitors do not reveal existing subscriptions', async () => {
  const page = await newPage();
  const { id } = await subscribed(page, IVAN);
  await verified(id);
  service.time.now += 60_000;
  const [known, unknown] = [
    await subscribed(page, IVAN, STRANGER),
    await subscribed(page, { mode: 'email', email: 'igor@example.com' }, STRANGER),
  ];
  assert.is(known.id, id);
  assert.equal({ ...known, id: '' }, { ...unknown, id: '' });
  assert.is((await read(page, id))['is_verified'], true);
});

test("a visitor's change of a subscription takes effect only after the subscriber has confirmed it", async () => {
  const page = await newPage();
  const { id } = await subscribed(page, IVAN);
  await verified(id);
  const component = (
    await service.request('POST', `/v1/pages/${page}/components`, { body: { name: 'Web' } })
  ).json() as { id: string };
  await subscribed(page, { ...IVAN, component_ids: [component.id] }, STRANGER);
  assert.is((await read(page, id))['component_ids'], null);
  await verified(id);
  assert.equal((await read(page, id))['component_ids'], [component.id]);
});

test('all notations of an address are the same subscriber', async () => {
  const page = await newPage();
  const ids = new Set<string>();
  for (const email of ['ivan@example.com', ' Ivan@EXAMPLE.com ', 'IVAN@example.com']) {
    ids.add((await subscribed(page, { mode: 'email', email }, STRANGER)).id);
  }
  for (const email of ['anna@bücher.example', 'anna@XN--BCHER-KVA.example']) {
    ids.add((await subscribed(page, { mode: 'email', email }, STRANGER)).id);
  }
  assert.is(ids.size, 2);
  assert.is((await list(page)).length, 2);
});

test('an invalid address is 422, and the error names the field', async () => {
  const page = await newPage({ allow_sms_subscribers: true });
  const bad: [body: object, field: string][] = [
    [{ mode: 'email' }, 'email'],
    [{ mode: 'email', email: null }, 'email'],
    ...[
      'ivan',
      '@example.com',
      'ivan@localhost',
      'ivan@[192.0.2.7]',
      'ivan@192.0.2.7',
      '"ivan petrov"@example.com',
      'ivan@example.com\r\nBcc: anna@example.com',
      'ivan\u202e@example.com',
      'ivan petrov@example.com',
      'ivan..petrov@example.com',
      'ivan@example..com',
      'ivan@-example.com',
      `${'i'.repeat(65)}@example.com`,
      `ivan@${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.example`,
      'ivan@example.com, anna@example.com',
      '<ivan@example.com>',
    ].map((email): [object, string] => [{ mode: 'email', email }, 'email']),
    [{ mode: 'sms', phone_country: 'RU' }, 'phone_number'],
    [{ mode: 'sms', phone_number: '+79123456789' }, 'phone_country'],
    [{ mode: 'sms', phone_number: '+79123456789', phone_country: 'XX' }, 'phone_country'],
    [{ mode: 'sms', phone_number: '12', phone_country: 'RU' }, 'phone_number'],
    [{ mode: 'sms', phone_number: '+79123456789', phone_country: 'DE' }, 'phone_number'],
    // Jamaica shares +1 with the United States.
    [{ mode: 'sms', phone_number: '+18765230123', phone_country: 'US' }, 'phone_number'],
    // A landline number, and a premium-rate number.
    [{ mode: 'sms', phone_number: '+74951234567', phone_country: 'RU' }, 'phone_number'],
    [{ mode: 'sms', phone_number: '+498001234567', phone_country: 'DE' }, 'phone_number'],
    [{ mode: 'webhook' }, 'endpoint'],
    [{ mode: 'webhook', endpoint: 'example.com' }, 'endpoint'],
    [{ mode: 'webhook', endpoint: 'ftp://example.com/' }, 'endpoint'],
    [{ mode: 'webhook', endpoint: 'https://user:secret@example.com/' }, 'endpoint'],
    [{ mode: 'webhook', endpoint: 'http://169.254.169.254/' }, 'endpoint'],
    [{ mode: 'webhook', endpoint: 'https://example.com/', email: 'ivan' }, 'email'],
    [{ ...IVAN, component_ids: ['comp00000001'] }, 'component_ids'],
    [{ ...IVAN, incident_id: 'inc000000001' }, 'incident_id'],
    [{ mode: 'pigeon' }, 'mode'],
    [{}, 'mode'],
  ];
  for (const [body, field] of bad) {
    const reply = await subscribe(page, body, STRANGER);
    assert.is(reply.status, 422, `${JSON.stringify(body)}: ${reply.text}`);
    assert.equal(Object.keys((reply.json() as Refused).errors.json ?? {}), [field], JSON.stringify(body));
  }
  assert.is((await list(page)).length, 0);
});

test('the error for a subscription names all invalid fields', async () => {
  const page = await newPage();
  const body = { mode: 'email', email: 'ivan', component_ids: ['nosuch000001'], incident_id: 5 };
  const reply = await subscribe(page, body, STRANGER);
  assert.equal(Object.keys((reply.json() as Refused).errors.json ?? {}).sort(), [
    'component_ids',
    'email',
    'incident_id',
  ]);
});

test('a phone number is shown masked', async () => {
  const page = await newPage({ allow_sms_subscribers: true });
  const body = { mode: 'sms', phone_number: '8 (912) 345-67-89', phone_country: 'ru' };
  const { id, phone_number, display_phone_number, phone_country } = await subscribed(page, body, STRANGER);
  assert.equal(
    { phone_number, display_phone_number, phone_country },
    { phone_number: '+7******6789', display_phone_number: '+7******6789', phone_country: 'RU' },
  );
  assert.is((await read(page, id))['phone_number'], '+7******6789');
  const again = await subscribed(page, { mode: 'sms', phone_number: '+79123456789', phone_country: 'RU' }, STRANGER);
  assert.is(again.id, id);
});

test('phone numbers of countries without service are refused', async () => {
  const few = await startService({ signUps: { smsCountries: new Set(['DE']) } });
  try {
    const made = await few.request('POST', '/v1/pages', { body: { name: 'Page', allow_sms_subscribers: true } });
    const { id } = made.json() as { id: string };
    const body = { mode: 'sms', phone_number: '+79123456789', phone_country: 'RU' };
    const reply = await few.request('POST', `/v1/pages/${id}/subscribers`, { body });
    assert.is(reply.status, 422);
    assert.equal((reply.json() as Refused).errors.json, {
      phone_country: ['This service sends no text messages to RU.'],
    });
  } finally {
    await few.stop();
  }
});

test('a mode that the page does not accept is 403, even for an editor', async () => {
  const endpoint = 'https://hook.example/';
  const page = await newPage({ allow_email_subscribers: false, allow_webhook_subscribers: false });
  for (const ask of [STRANGER, {}]) {
    assert.is((await subscribe(page, IVAN, ask)).status, 403);
    assert.is((await subscribe(page, { mode: 'webhook', endpoint }, ask)).status, 403);
    assert.is(
      (await subscribe(page, { mode: 'sms', phone_number: '+79123456789', phone_country: 'RU' }, ask)).status,
      403,
    );
  }
});

const openIncident = async (page: string): Promise<string> => {
  const body = { name: 'Login fails', body: 'We look into it.', status: 'investigating', components: {} };
  return ((await service.request('POST', `/v1/pages/${page}/incidents`, { body })).json() as { id: string }).id;
};

test('a page can accept only subscriptions to single incidents, or no such subscriptions', async () => {
  const page = await newPage({ allow_page_subscribers: false });
  const incident_id = await openIncident(page);
  assert.is((await subscribe(page, IVAN, STRANGER)).status, 403);
  assert.is((await subscribed(page, { ...IVAN, incident_id }, STRANGER))['incident_id'], incident_id);
  await service.request('PATCH', `/v1/pages/${page}`, { body: { allow_incident_subscribers: false } });
  assert.is((await subscribe(page, { ...IVAN, incident_id }, STRANGER)).status, 403);
});

test('an incident can be subscribed to until a week after its end', async () => {
  const page = await newPage();
  const incident_id = await openIncident(page);
  const path = `/v1/pages/${page}/incidents/${incident_id}`;
  await service.request('PATCH', path, { body: { status: 'resolved', body: 'It works again.' } });
  await subscribed(page, { ...IVAN, incident_id }, STRANGER);
  const before = service.time.now;
  service.time.now += 7 * 24 * 60 * 60 * 1_000;
  const reply = await subscribe(page, { mode: 'email', email: 'anna@example.com', incident_id }, STRANGER);
  service.time.now = before;
  assert.is(reply.status, 422, reply.text);
});

test('a subscription to an ended incident shows when the subscription will be removed', async () => {
  const page = await newPage();
  const incident_id = await openIncident(page);
  const path = `/v1/pages/${page}/incidents/${incident_id}`;
  const start = service.time.now;
  const day = (count: number) => instantOf(start + count * 24 * 60 * 60 * 1_000);
  const body = { ...IVAN, incident_id, skip_confirmation_notification: true };
  const { id } = await subscribed(page, body);
  const pending = await subscribed(page, { mode: 'email', email: 'anna@example.com', incident_id }, STRANGER);
  const ofPage = await subscribed(page, {
    mode: 'email',
    email: 'page@example.com',
    skip_confirmation_notification: true,
  });
  const shown = async () => new Map((await list(page)).map(({ id: one, purge_at }) => [one, purge_at] as const));
  const purges = async () => {
    const [one, all] = [(await read(page, id))['purge_at'], await shown()];
    assert.is(all.get(id), one);
    return [one, all.get(pending.id), all.get(ofPage.id)];
  };
  assert.equal(await purges(), [null, day(7), null]);
  service.time.now = start + 2 * 24 * 60 * 60 * 1_000;
  await service.request('PATCH', path, { body: { status: 'resolved', body: 'It works again.' } });
  assert.equal(await purges(), [day(9), day(7), null]);
  await service.request('PATCH', path, { body: { status: 'investigating', body: 'Not yet.' } });
  assert.equal(await purges(), [null, day(7), null]);
  service.time.now = start + 3 * 24 * 60 * 60 * 1_000;
  assert.is((await service.request('DELETE', path)).status, 204);
  assert.equal(await purges(), [day(10), day(7), null]);
  service.time.now = start;
});

test('an incident of another page cannot be subscribed to', async () => {
  const incident_id = await openIncident(await newPage());
  assert.is((await subscribe(await newPage(), { ...IVAN, incident_id }, STRANGER)).status, 422);
});

test('a subscription can name components and groups', async () => {
  const page = await newPage();
  const make = async (body: object) =>
    ((await service.request('POST', `/v1/pages/${page}/components`, { body })).json() as { id: string }).id;
  const [web, group] = [await make({ name: 'Web' }), await make({ name: 'All', group: true })];
  assert.equal((await subscribed(page, { ...IVAN, component_ids: [web, web] }, STRANGER))['component_ids'], [web]);
  assert.is(
    (await subscribed(page, { mode: 'email', email: 'all@example.com', component_ids: [] }))['component_ids'],
    null,
  );
  const grouped = await subscribed(page, { mode: 'email', email: 'group@example.com', component_ids: [group] });
  assert.equal(grouped['component_ids'], [group]);
});

test('a page that is not public is 404 without a key', async () => {
  const page = await newPage({ viewers_must_be_team_members: true });
  assert.is((await subscribe(page, IVAN, STRANGER)).status, 404);
  assert.is((await subscribe('nosuchpage01', IVAN, STRANGER)).status, 404);
  assert.is((await subscribe(page, IVAN, { key: first.keys.viewer })).status, 403);
  await subscribed(page, IVAN);
});

test('a page with IP restrictions is 404 without a key, also from allowed addresses', async () => {
  const page = await newPage({ ip_restrictions: '127.0.0.0/8, ::1/128' });
  assert.is((await subscribe(page, IVAN, STRANGER)).status, 404);
  assert.is((await subscribe(page, IVAN, { key: first.keys.viewer })).status, 403);
  await subscribed(page, IVAN);
});

test('if a viewer subscribes an address to a public page, the same rules apply as for a visitor', async () => {
  const page = await newPage();
  const body = { ...IVAN, skip_confirmation_notification: true };
  const { skip_confirmation_notification, is_verified } = await subscribed(page, body, { key: first.keys.viewer });
  assert.equal(
    { skip_confirmation_notification, is_verified },
    { skip_confirmation_notification: false, is_verified: false },
  );
});

test('an editor can subscribe an address without a confirmation', async () => {
  const page = await newPage();
  const body = { ...IVAN, skip_confirmation_notification: true };
  const added = await subscribed(page, body);
  assert.equal(
    [
      added['is_verified'],
      added['has_pending_verification'],
      added['purge_at'],
      added['skip_confirmation_notification'],
    ],
    [true, false, null, true],
  );
  assert.is(added['display_at'], added.created_at);
  assert.is((await subscribe(page, body)).status, 409);
  assert.is((await subscribe(page, { ...body, email: 'a@b.example' }, { ...STRANGER })).status, 201);
});

test('a request with a key to subscribe an active address is 409, and such a request for an unconfirmed address sends another confirmation request', async () => {
  const page = await newPage();
  const { id } = await subscribed(page, IVAN, STRANGER);
  assert.is((await subscribed(page, IVAN)).id, id);
  await verified(id);
  const reply = await subscribe(page, IVAN);
  assert.is(reply.status, 409);
  assert.is((reply.json() as Refused).message, 'This address is already subscribed to the page.');
});

test('subscribing an active webhook is 409 for everybody', async () => {
  const page = await newPage();
  const body = { mode: 'webhook', endpoint: 'https://hook.example/in?token=1#part', email: 'ops@example.com' };
  const { id, endpoint, email } = await subscribed(page, body, STRANGER);
  assert.equal({ endpoint, email }, { endpoint: 'https://hook.example/***', email: 'o***@example.com' });
  await verified(id);
  assert.is((await subscribe(page, body, STRANGER)).status, 409);
  assert.is((await subscribe(page, body)).status, 409);
  assert.is((await read(page, id))['endpoint'], 'https://hook.example/in?token=1');
  assert.is((await read(page, id, { key: first.keys.viewer }))['endpoint'], 'https://hook.example/***');
});

test('the secret of a webhook is shown once', async () => {
  const page = await newPage();
  const body = { mode: 'webhook', endpoint: 'https://hook.example/' };
  const headers = { 'idempotency-key': 'once' };
  const added = await subscribed(page, body, { headers });
  assert.match(String(added['secret']), /^whsec_[A-Za-z0-9+/]{43}=$/);
  const replayed = await subscribe(page, body, { headers });
  assert.is(replayed.headers['idempotent-replayed'], 'true');
  assert.equal('secret' in (replayed.json() as object), false);
  assert.equal('secret' in (await read(page, added.id)), false);
  const rotated = await service.request('POST', `/v1/pages/${page}/subscribers/${added.id}/rotate-secret`);
  assert.is(rotated.status, 200, rotated.text);
  const { secret } = rotated.json() as { secret: string };
  assert.match(secret, /^whsec_/);
  assert.is.not(secret, added['secret']);
});

test('only webhook subscribers have a secret', async () => {
  const page = await newPage();
  const added = await subscribed(page, IVAN);
  assert.equal('secret' in added, false);
  const reply = await service.request('POST', `/v1/pages/${page}/subscribers/${added.id}/rotate-secret`);
  assert.is(reply.status, 400, reply.text);
});

test('a visitor does not get the secret of a webhook that an editor has added', async () => {
  const page = await newPage();
  const body = { mode: 'webhook', endpoint: 'https://hook.example/' };
  await subscribed(page, body);
  assert.is((await subscribe(page, body, STRANGER)).status, 409);
});

test('visitors cannot list, read, change or remove subscribers', async () => {
  const page = await newPage();
  const { id } = await subscribed(page, IVAN);
  const path = `/v1/pages/${page}/subscribers`;
  for (const [method, target] of [
    ['GET', path],
    ['GET', `${path}/${id}`],
    ['PATCH', `${path}/${id}`],
    ['DELETE', `${path}/${id}`],
    ['POST', `${path}/${id}/rotate-secret`],
  ] as const) {
    assert.is((await service.request(method, target, STRANGER)).status, 401, `${method} ${target}`);
    if (method !== 'GET') {
      assert.is((await service.request(method, target, { key: first.keys.viewer })).status, 403, `${method} ${target}`);
    }
    assert.is((await service.request(method, target, { key: second.keys.admin })).status, 404, `${method} ${target}`);
  }
});

test('subscribers are listed newest first and can be filtered', async () => {
  const page = await newPage({ allow_sms_subscribers: true });
  const [ivan, anna] = [
    await subscribed(page, IVAN),
    await subscribed(page, { mode: 'email', email: 'anna@example.com' }),
  ];
  service.time.now += 1_000;
  const sms = await subscribed(page, { mode: 'sms', phone_number: '+79123456789', phone_country: 'RU' });
  await verified(anna.id);
  const ids = async (query = '') => (await list(page, query)).map(({ id }) => id);
  assert.is((await ids())[0], sms.id);
  assert.equal(new Set(await ids()), new Set([sms.id, ivan.id, anna.id]));
  assert.equal(await ids('?mode=sms'), [sms.id]);
  assert.equal(await ids('?status=active'), [anna.id]);
  assert.equal(new Set(await ids('?status=pending&mode=email')), new Set([ivan.id]));
  assert.is((await service.request('GET', `/v1/pages/${page}/subscribers?status=gone`)).status, 400);
  const reply = await service.request('GET', `/v1/pages/${page}/subscribers`);
  assert.is(reply.headers['cache-control'], 'no-store');
  assert.match(String(reply.headers['content-type']), 'application/json');
});

test('PATCH and PUT can change the components of a subscription and turn its messages off', async () => {
  const page = await newPage();
  const component = (
    await service.request('POST', `/v1/pages/${page}/components`, { body: { name: 'Web' } })
  ).json() as {
    id: string;
  };
  const added = await subscribed(page, IVAN);
  const path = `/v1/pages/${page}/subscribers/${added.id}`;
  const change = async (body: object, method = 'PATCH') => service.request(method, path, { body });
  const narrowed = (await change({ component_ids: [component.id], deliver_notifications: false })).json() as Subscriber;
  assert.equal([narrowed['component_ids'], narrowed['deliver_notifications']], [[component.id], false]);
  assert.is((await change({ component_ids: ['nosuch000001'] })).status, 422);
  assert.is((await change({ deliver_notifications: null })).status, 422);
  // A deleted component is accepted, because clients send whole objects back.
  await service.request('DELETE', `/v1/pages/${page}/components/${component.id}`);
  assert.is((await change({ ...narrowed, deliver_notifications: true }, 'PUT')).status, 200);
  assert.is(((await change({ component_ids: null })).json() as Subscriber)['component_ids'], null);
});

test('an editor can add a subscriber without messages, but a visitor cannot', async () => {
  const page = await newPage();
  const quiet = await subscribed(page, { ...IVAN, deliver_notifications: false });
  assert.is(quiet['deliver_notifications'], false);
  assert.is((await subscribed(page, { ...IVAN, deliver_notifications: true }))['deliver_notifications'], true);
  assert.is((await subscribed(page, { mode: 'email', email: 'anna@example.com' }))['deliver_notifications'], true);
  const stranger = await subscribe(
    page,
    { mode: 'email', email: 'eve@example.com', deliver_notifications: false },
    STRANGER,
  );
  assert.is(stranger.status, 422);
  assert.match(stranger.text, 'deliver_notifications');
  for (const email of ['eve', 5]) {
    const everything = { mode: 'email', email, incident_id: 'k3v9x0q2m7ab', deliver_notifications: false };
    const { errors } = (await subscribe(page, everything, STRANGER)).json() as { errors: { json: object } };
    assert.equal(Object.keys(errors.json).sort(), ['deliver_notifications', 'email', 'incident_id']);
  }
});

test('an unsubscribed subscriber is in no list but can still be removed', async () => {
  const page = await newPage();
  const { id } = await subscribed(page, IVAN);
  await verified(id);
  const context = ownContext();
  await service.commands.bind(unsubscribe)(id, 1, context);
  await service.readers.waitFor([subscribers.name], context);
  assert.equal(await list(page), []);
  assert.equal(
    (await list(page, '?status=unsubscribed')).map((one) => one.id),
    [id],
  );
  service.time.now += 1_000;
  const { id: newer } = await subscribed(page, { mode: 'email', email: 'newer@example.com' });
  assert.equal(
    (await list(page, '?status=unsubscribed,pending')).map((one) => one.id),
    [newer, id],
  );
  const ended = await read(page, id);
  assert.equal([ended['is_verified'], ended['deliver_notifications']], [false, false]);
  const path = `/v1/pages/${page}/subscribers/${id}`;
  assert.is((await service.request('PATCH', path, { body: { deliver_notifications: false } })).status, 400);
  assert.is((await service.request('DELETE', path)).status, 204);
  assert.is((await service.request('GET', path)).status, 404);
});

test('setting `deliver_notifications` ends the quarantine of a subscriber', async () => {
  const page = await newPage();
  const { id } = await subscribed(page, IVAN);
  await verified(id);
  const context = ownContext();
  await service.commands.bind(quarantineSubscriber)(id, 1, 'The address does not exist.', context);
  await service.readers.waitFor([subscribers.name], context);
  assert.ok((await read(page, id))['quarantined_at']);
  const body = { deliver_notifications: true };
  const released = await service.request('PATCH', `/v1/pages/${page}/subscribers/${id}`, { body });
  assert.is((released.json() as Subscriber)['quarantined_at'], null);
  assert.is((released.json() as Subscriber)['purge_at'], null);
});

test('a removed subscriber is erased everywhere and can subscribe again', async () => {
  const page = await newPage();
  const { id } = await subscribed(page, { mode: 'email', email: 'forget@example.com' });
  const path = `/v1/pages/${page}/subscribers/${id}`;
  const audited = async () =>
    (
      (await service.request('GET', `/v1/audit?resource_id=${id}`, { key: first.keys.admin })).json() as {
        audit_logs: { action: string; changes: Record<string, { new: unknown }> }[];
      }
    ).audit_logs;
  assert.equal(
    (await audited()).map(({ action, changes }) => [action, changes['email']?.new]),
    [['subscriber.created', 'f***@example.com']],
  );
  service.time.now += 1_000;
  assert.is((await service.request('DELETE', path)).status, 204);
  assert.is((await service.request('GET', path)).status, 404);
  assert.is((await service.request('DELETE', path)).status, 404);
  assert.equal(
    (await audited()).map(({ action, changes }) => [action, changes['email']?.new]),
    [
      ['subscriber.deleted', undefined],
      ['subscriber.created', '[forgotten]'],
    ],
  );
  const again = await subscribed(page, { mode: 'email', email: 'forget@example.com' }, STRANGER);
  assert.is(again.id, id);
  assert.is((await read(page, id))['email'], 'f***@example.com');
});

test('the same address on another page is another subscriber', async () => {
  const [one, other] = [await newPage(), await newPage()];
  assert.is.not((await subscribed(one, IVAN)).id, (await subscribed(other, IVAN)).id);
});

test('two concurrent subscriptions of an address create one subscriber', async () => {
  const page = await newPage();
  const replies = await Promise.all(Array.from({ length: 20 }, () => subscribe(page, IVAN, STRANGER)));
  assert.equal(new Set(replies.map(({ status }) => status)), new Set([201]));
  assert.is((await list(page)).length, 1);
});

test('deleting a page hides its subscribers', async () => {
  const page = await newPage();
  const { id } = await subscribed(page, IVAN);
  await service.request('DELETE', `/v1/pages/${page}`);
  assert.is((await service.request('GET', `/v1/pages/${page}/subscribers/${id}`)).status, 404);
  assert.is((await service.request('GET', `/v1/pages/${page}/subscribers`)).status, 404);
  assert.is((await subscribe(page, IVAN, STRANGER)).status, 404);
});

test.run();
