import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { IncidentPreview } from '../../../../api/v1/incidents/preview.ts';
import { startService, type ServiceRequest } from '../../service.ts';

const NOW = Date.UTC(2026, 10, 20, 15, 4, 5, 123);
const test = suite('previews of incidents');
const service = await startService({ now: NOW, publicUrl: 'https://status.example.org' });
const { second, request, stores } = service;
test.after(() => service.stop());

const made = async (path: string, body: object, ask: ServiceRequest = {}): Promise<string> => {
  const reply = await request('POST', path, { ...ask, body });
  assert.ok(reply.status === 200 || reply.status === 201, reply.text);
  return (reply.json() as { id: string }).id;
};
let pages = 0;
const newPage = async (
  more: object = {},
  ask: ServiceRequest = {},
): Promise<{ id: string; at: string; subdomain: string }> => {
  const subdomain = `preview-${pages++}`;
  const id = await made('/v1/pages', { name: 'Acme', subdomain, ...more }, ask);
  return { id, at: `/v1/pages/${id}/incidents`, subdomain };
};
const component = (pageId: string, name = 'Web', ask: ServiceRequest = {}): Promise<string> =>
  made(`/v1/pages/${pageId}/components`, { name }, ask);
const subscribe = (pageId: string, more: object): Promise<string> =>
  made(`/v1/pages/${pageId}/subscribers`, { mode: 'email', skip_confirmation_notification: true, ...more });
const preview = async (path: string, body: object): Promise<IncidentPreview> => {
  const reply = await request('POST', `${path}/preview`, { body });
  assert.is(reply.status, 200, reply.text);
  return reply.json() as IncidentPreview;
};
const OUTAGE = { name: 'Login fails', body: 'We **look** into it.', status: 'investigating', components: {} };
const length = async (): Promise<number> => (await stores.main.readAll({ after: 0n, limit: 100_000 })).length;
/** Returns the HTML between header and footer, without ids and URLs, which differ between preview and page. */
const content = (html: string): string =>
  (/<article class="incident-page[\s\S]*<\/article>/.exec(html)?.[0] ?? '')
    .replaceAll(/(?:id|href|data-[a-z-]+|datetime)="[^"]*"/g, '')
    .replaceAll(/\s+/g, ' ');

test('the preview of an incident equals the page, the messages and the feed of the incident when it is created, and stores nothing', async () => {
  const page = await newPage();
  const web = await component(page.id);
  const body = { ...OUTAGE, components: { [web]: 'major_outage' } };
  const before = await length();
  const shown = await preview(page.at, body);
  assert.is(await length(), before);
  assert.equal((await request('GET', page.at)).json(), []);
  assert.ok(shown.email && shown.feed);
  assert.is(shown.email.subject, '[Acme] Investigating: Login fails');
  assert.match(shown.email.text, 'We look into it.');
  assert.match(shown.email.html, '<strong>look</strong>');
  assert.match(shown.email.html, 'https://status.example.org/subscriptions/unsubscribe?token=');
  assert.match(shown.sms?.text ?? '', 'Acme: Investigating: Login fails');
  assert.ok((shown.sms?.segments ?? 0) >= 1);
  assert.is(shown.feed.title, 'Login fails – Investigating');
  assert.match(shown.feed.html, 'Web (Major outage)');
  assert.match(shown.page.html, `https://status.example.org/status/${page.subdomain}/assets/`);
  assert.not.match(shown.page.html, '<script src');
  const id = await made(page.at, body);
  const real = await request('GET', `/status/${page.subdomain}/incidents/${id}`, { key: null });
  assert.is(real.status, 200);
  assert.is(content(shown.page.html), content(real.text));
  assert.match(content(real.text), 'We <strong>look</strong> into it.');
});

test('the preview of an update shows it together with earlier updates', async () => {
  const page = await newPage({ language: 'de' });
  const web = await component(page.id);
  const id = await made(page.at, { ...OUTAGE, components: { [web]: 'major_outage' } });
  const updates = `${page.at}/${id}/incident_updates`;
  const before = await length();
  const update = { status: 'resolved', body: 'All is well.', components: { [web]: 'operational' } };
  const shown = await preview(updates, update);
  assert.is(await length(), before);
  assert.is(shown.email?.subject, '[Acme] Behoben: Login fails');
  assert.match(shown.page.html, 'lang="de"');
  assert.ok(shown.page.html.indexOf('All is well.') < shown.page.html.indexOf('<strong>look</strong>'));
  assert.match(shown.feed?.summary ?? '', 'All is well.');
  assert.equal(((await request('GET', updates)).json() as unknown[]).length, 1);
});

test('the preview of a maintenance shows its schedule', async () => {
  const page = await newPage();
  const schedule = { scheduled_for: '2026-11-21T10:00:00Z', scheduled_until: '2026-11-21T12:00:00Z' };
  const shown = await preview(page.at, { ...OUTAGE, name: 'New disks', status: 'scheduled', ...schedule });
  assert.match(shown.sms?.text ?? '', 'Nov 21, 2026');
  assert.match(shown.page.html, 'Nov 21, 2026');
  assert.match(shown.email?.text ?? '', 'Nov 21, 2026');
});

test('previews count the same recipients as the mailing', async () => {
  const page = await newPage({ allow_sms_subscribers: true });
  const [web, api] = [await component(page.id), await component(page.id, 'API')];
  await subscribe(page.id, { email: 'all@example.com' });
  await subscribe(page.id, { email: 'web@example.com', component_ids: [web] });
  await subscribe(page.id, { email: 'api@example.com', component_ids: [api] });
  await subscribe(page.id, { email: 'pending@example.com', skip_confirmation_notification: false });
  await subscribe(page.id, { mode: 'sms', phone_number: '+79161234567', phone_country: 'RU' });
  const named = { ...OUTAGE, components: { [web]: 'major_outage' } };
  assert.equal((await preview(page.at, named)).recipients, { email: 2, sms: 1, webhook: 0 });
  assert.equal((await preview(page.at, OUTAGE)).recipients, { email: 1, sms: 1, webhook: 0 });
  const id = await made(page.at, OUTAGE);
  await subscribe(page.id, { email: 'this@example.com', incident_id: id });
  const update = { status: 'identified', body: 'A disk is full.' };
  assert.equal((await preview(`${page.at}/${id}/incident_updates`, update)).recipients, {
    email: 2,
    sms: 1,
    webhook: 0,
  });
});

test('a preview contains no messages if notifications are off, and no feed entry if feeds are off', async () => {
  const page = await newPage({ allow_rss_atom_feeds: false });
  await subscribe(page.id, { email: 'all@example.com' });
  const {
    email,
    sms,
    feed,
    recipients,
    page: shown,
  } = await preview(page.at, { ...OUTAGE, deliver_notifications: false });
  assert.equal({ email, sms, feed }, { email: null, sms: null, feed: null });
  assert.equal(recipients, { email: 0, sms: 0, webhook: 0 });
  assert.match(shown.html, 'Login fails');
});

test('a preview is refused with the same errors as the write', async () => {
  const page = await newPage();
  const id = await made(page.at, OUTAGE);
  const updates = `${page.at}/${id}/incident_updates`;
  const same = async (path: string, body: object, status: number): Promise<void> => {
    const [shown, real] = [await request('POST', `${path}/preview`, { body }), await request('POST', path, { body })];
    assert.is(shown.status, status, shown.text);
    assert.is(real.status, status);
    assert.equal(errorsOf(shown), errorsOf(real));
  };
  await same(page.at, { ...OUTAGE, name: '' }, 422);
  await same(page.at, { ...OUTAGE, status: 'scheduled', name: '' }, 422);
  await same(page.at, { ...OUTAGE, components: { k3v9x0q2m7ab: 'operational' } }, 422);
  await same(updates, { status: 'completed', body: 'Done' }, 422);
  await same(`${page.at}/k3v9x0q2m7ab/incident_updates`, { status: 'identified' }, 404);
});

const errorsOf = (reply: { json: () => unknown }): unknown => (reply.json() as { errors?: unknown }).errors;

test('pages and incidents of other organizations cannot be previewed, and viewers cannot preview', async () => {
  const ask = { key: second.keys.admin };
  const theirs = await newPage({}, ask);
  const id = await made(theirs.at, OUTAGE, ask);
  assert.is((await request('POST', `${theirs.at}/preview`, { body: OUTAGE })).status, 404);
  const path = `${theirs.at}/${id}/incident_updates/preview`;
  assert.is((await request('POST', path, { body: { status: 'identified' } })).status, 404);
  const viewer = { ...ask, key: second.keys.viewer, body: OUTAGE };
  assert.is((await request('POST', `${theirs.at}/preview`, viewer)).status, 403);
});

test('hostile texts are escaped in previews of page, e-mail and feed', async () => {
  const page = await newPage();
  const script = '<script>alert(1)</script>';
  const shown = await preview(page.at, { ...OUTAGE, name: script, body: `${script} [x](javascript:alert(1))` });
  for (const html of [content(shown.page.html), shown.email?.html ?? '', shown.feed?.html ?? '']) {
    assert.not.match(html, '<script>alert');
    assert.not.match(html, 'href="javascript:');
  }
});

test.run();
