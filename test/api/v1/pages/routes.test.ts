import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Page } from '../../../../api/v1/pages/schema.ts';
import { deleteIncident, logPastIncident, openIncident } from '../../../../commands/pages/incidents.ts';
import { stepContext } from '../../../../commands/engine/context.ts';
import { instantOf } from '../../../../domain/time.ts';
import { aContext } from '../../../commands/simulated-processes.ts';
import type { Reply } from '../../http.ts';
import { startService, type ServiceRequest } from '../../service.ts';

const NOW = Date.UTC(2026, 10, 20, 15, 4, 5, 123);

const test = suite('status pages');
const service = await startService({ now: NOW });
const { first, second } = service;
test.after(() => service.stop());
test.before.each(() => {
  service.time.now = NOW;
});

let names = 0;
/** Returns a unique name. */
const aName = (): string => `Page ${++names}`;

const { request } = service;
const pageOf = (reply: Reply): Page => reply.json() as Page;
const post = (body: object, ask: ServiceRequest = {}): Promise<Reply> => request('POST', '/v1/pages', { ...ask, body });
const create = async (body: object = {}, ask: ServiceRequest = {}): Promise<Page> => {
  const reply = await post({ name: aName(), ...body }, ask);
  assert.is(reply.status, 200, reply.text);
  return pageOf(reply);
};
const get = (id: string, ask: ServiceRequest = {}): Promise<Reply> => request('GET', `/v1/pages/${id}`, ask);
const patch = (id: string, body: object, ask: ServiceRequest = {}): Promise<Reply> =>
  request('PATCH', `/v1/pages/${id}`, { ...ask, body });
const fieldsOf = (reply: Reply): Record<string, string[]> =>
  (reply.json() as { errors: { json?: Record<string, string[]> } }).errors.json ?? {};

const EVERY_FIELD = {
  page_description: 'All that Acme runs',
  domain: 'status.acme.example',
  language: 'ru',
  time_zone: 'Europe/Moscow',
  template: 'wide',
  template_id: 'wide00000001',
  allow_email_subscribers: false,
  allow_incident_subscribers: false,
  allow_page_subscribers: false,
  allow_rss_atom_feeds: false,
  allow_sms_subscribers: true,
  allow_webhook_subscribers: false,
  hidden_from_search: true,
  viewers_must_be_team_members: true,
  ip_restrictions: '192.0.2.7, 2001:db8::/32',
  show_measurements: true,
  show_edits: false,
  redirect_to_domain: true,
  allow_embedding: ['https://acme.example', 'https://intranet.acme.example:8443'],
  city: 'Moscow',
  country: 'RU',
  state: 'Moscow',
  headline: 'How we are',
  url: 'https://acme.example/',
  support_url: 'https://acme.example/help?from=status',
  company_logo: 'https://acme.example/logo.png',
  email_logo: 'https://acme.example/mail.png',
  favicon_logo: 'http://acme.example/favicon.ico',
  transactional_logo: 'https://acme.example/small.png',
  hero_cover: 'https://acme.example/cover.jpg',
  notifications_email_footer: 'You get this because …',
  notifications_from_email: 'status@acme.example',
  css_blues: '.a { color: blue }',
  css_greens: '.a { color: green }',
  css_oranges: '.a { color: orange }',
  css_reds: '.a { color: red }',
  css_yellows: '.a { color: yellow }',
  css_body_background_color: '#ffffff',
  css_border_color: '#EEE',
  css_button_border_color: '#010203',
  css_button_color: '#040506',
  css_button_hover_color: '#070809',
  css_button_text_color: '#0a0b0c',
  css_font_color: '#0d0e0f',
  css_graph_color: '#101112',
  css_light_font_color: '#131415',
  css_link_color: '#161718',
  css_no_data: '#191a1b',
  css_spinner_color: '#1c1d1e',
  managed_by: 'apply',
};

const NULLABLE = Object.entries(EVERY_FIELD)
  .filter(
    ([field, value]) =>
      typeof value !== 'boolean' &&
      !['page_description', 'language', 'time_zone', 'template', 'template_id'].includes(field),
  )
  .map(([field]) => field);

test('a page is created from its name alone, with every field in the response', async () => {
  const name = 'Café Acme & Sons';
  const page = await create({ name });
  const nulls = Object.fromEntries(NULLABLE.map((field) => [field, null]));
  assert.match(page.id, /^[a-z0-9]{12}$/);
  assert.equal(page, {
    ...nulls,
    id: page.id,
    organization_id: first.id,
    name,
    page_description: '',
    subdomain: 'cafe-acme-sons',
    language: 'en',
    time_zone: 'UTC',
    template: 'default',
    template_id: 'default00000',
    allow_email_subscribers: true,
    allow_incident_subscribers: true,
    allow_page_subscribers: true,
    allow_rss_atom_feeds: true,
    allow_sms_subscribers: false,
    allow_webhook_subscribers: true,
    hidden_from_search: false,
    viewers_must_be_team_members: false,
    show_measurements: false,
    show_edits: true,
    allow_history: true,
    redirect_to_domain: false,
    activity_score: 0,
    created_at: '2026-11-20T15:04:05.123000',
    updated_at: '2026-11-20T15:04:05.123000',
    revision: 1,
  });
  assert.equal(pageOf(await get(page.id)), page);
});

test('creating a page responds 200 with the Location of the new page', async () => {
  const reply = await post({ name: aName() });
  assert.is(reply.status, 200);
  assert.is(reply.headers.location, `/v1/pages/${pageOf(reply).id}`);
});

test('every field of a page can be set on creation, changed and, if nullable, cleared', async () => {
  const page = await create(EVERY_FIELD);
  for (const [field, value] of Object.entries(EVERY_FIELD)) assert.equal(page[field as keyof Page], value, field);

  const later = await create();
  await request('DELETE', `/v1/pages/${page.id}`);
  const changed = await request('PUT', `/v1/pages/${later.id}`, { body: EVERY_FIELD });
  assert.equal(pageOf(changed), { ...later, ...EVERY_FIELD, revision: 2 });

  for (const field of NULLABLE) {
    const cleared = pageOf(await patch(later.id, { [field]: null }));
    assert.is(cleared[field as keyof Page], null, field);
  }
  for (const field of ['name', 'subdomain', 'language', 'time_zone', 'page_description', 'allow_rss_atom_feeds']) {
    const reply = await patch(later.id, { [field]: null });
    assert.is(reply.status, 422, field);
    assert.equal(Object.keys(fieldsOf(reply)), [field]);
  }
});

test('PUT and PATCH of a page keep absent fields and set the time of the change', async () => {
  const page = await create({ headline: 'Before' });
  for (const method of ['PUT', 'PATCH']) {
    service.time.now += 1_000;
    const name = aName();
    const changed = pageOf(await request(method, `/v1/pages/${page.id}`, { body: { name } }));
    const updated_at = `2026-11-20T15:04:0${method === 'PUT' ? '6' : '7'}.123000`;
    assert.equal(changed, { ...page, name, updated_at, revision: method === 'PUT' ? 2 : 3 });
  }
});

test('sending a whole page back changes nothing, and unknown and read-only fields are ignored', async () => {
  const page = await create(EVERY_FIELD_BUT_DOMAIN);
  service.time.now += 1_000;
  const same = await request('PUT', `/v1/pages/${page.id}`, { body: page });
  assert.equal(pageOf(same), page);
  const body = { id: 'x', organization_id: 7, activity_score: 'high', created_at: 'x', updated_at: null, no_such: 1 };
  assert.equal(pageOf(await patch(page.id, body)), page);
  assert.not.equal((await create(body)).id, 'x');
});

const EVERY_FIELD_BUT_DOMAIN = Object.fromEntries(Object.entries(EVERY_FIELD).filter(([field]) => field !== 'domain'));

test('the error for a page names every invalid field, and nothing is stored', async () => {
  const broken = {
    name: '',
    subdomain: '-a',
    domain: 'a b',
    language: 'xx',
    time_zone: 'Mars',
    ip_restrictions: '1.2.3',
    show_measurements: 'yes',
    show_edits: 1,
    redirect_to_domain: 'no',
    allow_embedding: 'https://acme.example',
    url: 'ftp://acme.example',
    hero_cover: 'cover.jpg',
    city: 'x'.repeat(101),
    headline: 'x'.repeat(201),
    page_description: 'x'.repeat(10_001),
    css_reds: 'x'.repeat(10_001),
    css_no_data: 'red',
    css_font_color: '#12345',
    notifications_from_email: 'nobody',
    hidden_from_search: 'yes',
  };
  const refused = await post(broken);
  assert.is(refused.status, 422);
  assert.equal(Object.keys(fieldsOf(refused)).sort(), Object.keys(broken).sort());
  const page = await create();
  const change = await patch(page.id, { ...broken, state: 'kept?' });
  assert.is(change.status, 422);
  assert.equal(Object.keys(fieldsOf(change)).sort(), Object.keys(broken).sort());
  assert.is(pageOf(await get(page.id)).state, null);
  assert.equal(fieldsOf(await post({})), { name: ['Missing required field.'] });
});

test('the error for an invalid embedding origin contains the index of the origin', async () => {
  const page = await create();
  const allow_embedding = ['https://acme.example', 'https://*.acme.example', 'https://acme.example; sandbox'];
  for (const reply of [await post({ name: aName(), allow_embedding }), await patch(page.id, { allow_embedding })]) {
    assert.is(reply.status, 422);
    assert.equal(Object.keys(fieldsOf(reply)), ['allow_embedding.1', 'allow_embedding.2']);
  }
  const many = Array.from({ length: 21 }, (_, n) => `https://host-${n}.example`);
  assert.equal(fieldsOf(await patch(page.id, { allow_embedding: many })), {
    allow_embedding: ['Must have at most 20 items.'],
  });
});

test('texts of a page can have their maximum length', async () => {
  const limits = {
    name: 100,
    city: 100,
    state: 100,
    country: 100,
    headline: 200,
    page_description: 10_000,
    css_blues: 10_000,
  };
  const body = Object.fromEntries(Object.entries(limits).map(([field, length]) => [field, 'é'.repeat(length)]));
  const page = await create(body);
  for (const field of Object.keys(limits)) assert.is(page[field as keyof Page], body[field]);
});

test('a subdomain in use is a conflict, also for another organization and in another case', async () => {
  const page = await create({ subdomain: 'Taken-Here' });
  assert.is(page.subdomain, 'taken-here');
  for (const key of [first.keys.editor, second.keys.editor]) {
    const reply = await post({ name: aName(), subdomain: 'TAKEN-here' }, { key });
    assert.is(reply.status, 409);
    const { message, errors } = reply.json() as { message: string; errors: unknown };
    assert.is(message, 'The subdomain taken-here is taken.');
    assert.equal(errors, { json: { subdomain: ['Is taken.'] } });
  }
  const other = await create();
  assert.is((await patch(other.id, { subdomain: 'taken-here' })).status, 409);
});

test('a subdomain derived from the name of the page gets a number if it is in use', async () => {
  const pages = [await create({ name: 'Same' }), await create({ name: 'same!' }), await create({ name: 'SAME' })];
  assert.equal(
    pages.map(({ subdomain }) => subdomain),
    ['same', 'same-2', 'same-3'],
  );
});

test('a domain in use is a conflict', async () => {
  const page = await create({ domain: 'Up.Example.COM' });
  assert.is(page.domain, 'up.example.com');
  const reply = await post({ name: aName(), domain: 'up.example.com' }, { key: second.keys.editor });
  assert.is(reply.status, 409);
  assert.equal((reply.json() as { errors: unknown }).errors, { json: { domain: ['Is taken.'] } });
});

test('renaming and deleting a page free its subdomain and domain', async () => {
  const page = await create({ subdomain: 'first-name', domain: 'first.example' });
  await patch(page.id, { subdomain: 'second-name', domain: null });
  const next = await create({ subdomain: 'first-name', domain: 'first.example' }, { key: second.keys.editor });
  assert.is((await request('DELETE', `/v1/pages/${page.id}`)).status, 204);
  assert.is((await create({ subdomain: 'second-name' })).subdomain, 'second-name');
  assert.is(next.domain, 'first.example');
});

test('a deleted page is gone, and deleting it again is 404', async () => {
  const page = await create();
  const path = `/v1/pages/${page.id}`;
  const gone = await request('DELETE', path);
  assert.equal([gone.status, gone.text], [204, '']);
  for (const method of ['GET', 'DELETE']) assert.is((await request(method, path)).status, 404);
  for (const method of ['PUT', 'PATCH']) assert.is((await request(method, path, { body: {} })).status, 404);
  assert.is((await request('GET', `/v1/pages/by-domain/${page.subdomain}`)).status, 404);
});

test('a page of another organization is not found', async () => {
  const page = await create({ domain: 'ours.example' });
  const key = second.keys.admin;
  assert.is((await get(page.id, { key })).status, 404);
  assert.is((await patch(page.id, { name: 'Mine' }, { key })).status, 404);
  assert.is((await patch(page.id, { name: '' }, { key })).status, 404, 'before its body is looked at');
  assert.is((await request('DELETE', `/v1/pages/${page.id}`, { key })).status, 404);
  for (const name of [page.subdomain, 'ours.example']) {
    assert.is((await request('GET', `/v1/pages/by-domain/${name}`, { key })).status, 404);
  }
  assert.is((await get(page.id)).status, 200);
});

test('viewers and billing read pages, and editors and admins write them', async () => {
  const page = await create();
  for (const [role, key] of Object.entries(first.keys)) {
    const writes = role === 'editor' || role === 'admin';
    assert.is((await get(page.id, { key })).status, 200, role);
    assert.is((await patch(page.id, { headline: role }, { key })).status, writes ? 200 : 403, role);
    assert.is((await post({ name: aName() }, { key })).status, writes ? 200 : 403, role);
  }
});

test('a page is found by its custom domain and its subdomain, in any case', async () => {
  const page = await create({ subdomain: 'by-name', domain: 'пример.рф' });
  for (const name of ['by-name', 'BY-NAME', 'пример.рф', 'xn--e1afmkfd.xn--p1ai', 'XN--e1afmkfd.xn--p1ai.']) {
    const reply = await request('GET', `/v1/pages/by-domain/${encodeURIComponent(name)}`);
    assert.is(reply.status, 200, name);
    assert.is(pageOf(reply).id, page.id);
  }
  for (const name of ['nobody', 'by-name.example', '%20', 'a%2Fb']) {
    assert.is((await request('GET', `/v1/pages/by-domain/${name}`)).status, 404, name);
  }
});

test('a visitor without a key finds a page by its domain, and sees only public fields', async () => {
  const page = await create({ subdomain: 'visited', domain: 'visited.example', notifications_email_footer: 'Bye.' });
  const visit = (name: string, ask: ServiceRequest = {}) =>
    request('GET', `/v1/pages/by-domain/${name}`, { key: null, ...ask });
  const {
    ip_restrictions,
    allow_embedding,
    notifications_email_footer,
    notifications_from_email,
    managed_by,
    revision,
    ...visible
  } = page;
  assert.is(revision, 1);
  assert.equal([ip_restrictions, notifications_email_footer, notifications_from_email], [null, 'Bye.', null]);
  assert.is(allow_embedding, null);
  assert.is(managed_by, null);
  for (const name of ['visited', 'VISITED', 'visited.example']) assert.equal(pageOf(await visit(name)), visible);
  assert.equal(pageOf(await visit('visited', { key: first.keys.viewer })), page);
  assert.is((await visit('visited', { key: 'wrong' })).status, 401);
  assert.is((await visit('nobody')).status, 404);
});

test('a page that is not public is 404 for a visitor without a key', async () => {
  const page = await create({ subdomain: 'closed' });
  const visit = (key: string | null = null) => request('GET', '/v1/pages/by-domain/closed', { key });
  const closed = [{ viewers_must_be_team_members: true }, { ip_restrictions: '192.0.2.1' }];
  for (const how of closed) {
    await patch(page.id, { viewers_must_be_team_members: false, ip_restrictions: null, ...how });
    assert.is((await visit()).status, 404, JSON.stringify(how));
    assert.is((await visit(first.keys.viewer)).status, 200, JSON.stringify(how));
  }
  await patch(page.id, { ip_restrictions: '192.0.2.1, 127.0.0.0/8' });
  assert.is((await visit()).status, 200);
  await request('DELETE', `/v1/pages/${page.id}`);
  assert.is((await visit()).status, 404);
});

test('page templates are listed with pictures, and a new page has the default template', async () => {
  const templates = (await request('GET', '/v1/pages/get-templates', { key: null })).json() as {
    id: string;
    name: string;
    picture: string;
  }[];
  const page = await create();
  assert.ok(templates.some(({ id, name }) => id === page.template_id && name === page.template));
  assert.equal(
    templates.map(({ name, picture }) => [name, picture]),
    ['default', 'compact', 'minimal'].map((name) => [name, `/site/templates/${name}.svg`]),
  );
  for (const { id, name } of templates) {
    const { template, template_id } = pageOf(await patch(page.id, { template: name, template_id: id }));
    assert.equal([template, template_id], [name, id]);
  }
});

test('pages are listed by name in pagination style A, without deleted pages and those of other organizations', async () => {
  const key = second.keys.admin;
  const before = (await listOf('?page_size=100', key)).pages.map(({ id }) => id);
  for (const id of before) await request('DELETE', `/v1/pages/${id}`, { key });
  for (const name of ['Delta', 'Alpha', 'Echo', 'Bravo', 'Charlie']) await create({ name }, { key });
  const named = async (query: string) => (await listOf(query, key)).pages.map(({ name }) => name);
  assert.equal(await named(''), ['Alpha', 'Bravo', 'Charlie', 'Delta', 'Echo']);
  assert.equal(await named('?page=2&page_size=2'), ['Charlie', 'Delta']);
  assert.equal(await named('?page=9'), []);
  assert.equal((await listOf('?page=2&page_size=2', key)).pagination, {
    page: 2,
    page_size: 2,
    total_pages: 3,
    total_items: 5,
    has_next: true,
    has_prev: true,
  });
  assert.is((await listOf('', key)).pagination['page_size'], 20);
  for (const query of ['?page=0', '?page_size=101', '?page=x']) {
    assert.is((await request('GET', `/v1/pages${query}`, { key })).status, 400, query);
  }
});

interface List {
  pages: Page[];
  pagination: Record<string, unknown>;
}
const listOf = async (query: string, key: string): Promise<List> =>
  (await request('GET', `/v1/pages${query}`, { key })).json() as List;

test('the activity score counts incident updates of the last 30 days', async () => {
  const page = await create();
  const quiet = await create();
  const at = (days: number) => instantOf(NOW - days * 86_400_000);
  const context = aContext({ organizationId: first.id, now: at(0) });
  const { bind } = service.commands;
  const past = { name: 'Over', impact: 'minor', deliver_notifications: false } as const;
  const update = (status: 'identified' | 'resolved', days: number) => ({ status, body: 'x', created_at: at(days) });
  const incident_updates = [update('identified', 30.001), update('identified', 30), update('resolved', 29)];
  await bind(logPastIncident)(page.id, { ...past, incident_updates }, context);
  const open = { name: 'Open', body: 'x', status: 'investigating', components: {} } as const;
  const id = await bind(openIncident)(page.id, open, context);
  const score = async (): Promise<number> => {
    await service.readers.waitFor(['incidents'], context);
    const { pages } = await listOf('?page_size=100', first.keys.viewer);
    const listed = pages.find((one) => one.id === page.id)?.activity_score;
    const read = pageOf(await get(page.id)).activity_score;
    assert.is(listed, read);
    return read;
  };
  assert.is(await score(), 3);
  await bind(deleteIncident)(page.id, id, stepContext(context, 'remove'));
  assert.is(await score(), 2);
  service.time.now += 1.5 * 86_400_000;
  assert.is(await score(), 0);
  assert.is(pageOf(await get(quiet.id)).activity_score, 0);
});

test('a repeated creation of a page with the same Idempotency-Key returns the page of the first request', async () => {
  const headers = { 'idempotency-key': 'create once' };
  const body = { name: aName() };
  const one = await post(body, { headers });
  const again = await post(body, { headers });
  assert.is(pageOf(again).id, pageOf(one).id);
  assert.is(again.headers['idempotent-replayed'], 'true');
});

test.run();
