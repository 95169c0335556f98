import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { tooMany } from '../../../http/rate-limit.ts';
import {
  controlOf,
  headingOf,
  NOW,
  problemOf,
  startSubscriptionSite,
  type SubscriptionSite,
} from './subscription-site.ts';

const test = suite<{ site: SubscriptionSite }>('the form for subscribing to a status page');

test.before.each(async (context) => {
  context.site = await startSubscriptionSite();
});
test.after.each(({ site }) => site.stop());

const FORM = '/status/acme/subscribe';
const EMAIL = { mode: 'email', email: 'ida@example.com', scope: 'page' };

test('the subscription form has the fields of each kind of subscription, and works without scripts', async ({
  site,
}) => {
  const shown = await site.visit(FORM);
  assert.is(shown.status, 200);
  assert.is(headingOf(shown), 'Subscribe to updates');
  for (const mode of ['email', 'sms', 'webhook']) assert.ok(controlOf(shown, 'mode', mode), mode);
  assert.match(controlOf(shown, 'email'), 'autocomplete="email"');
  assert.match(controlOf(shown, 'phone_number'), 'autocomplete="tel"');
  assert.match(controlOf(shown, 'endpoint'), 'type="url"');
  for (const [, id = ''] of shown.text.matchAll(/<label for="([^"]+)"/g)) assert.match(shown.text, ` id="${id}"`);
  assert.match(shown.text, 'Germany (+49)');
  assert.not.match(shown.text, '<script');
  assert.match(shown.headers['content-security-policy']?.toString() ?? '', "script-src 'none'");
  assert.is(shown.headers['cache-control'], 'no-store');
  for (const feed of ['history.atom', 'history.rss', 'maintenance.ics'])
    assert.match(shown.text, `href="./${feed}"`, feed);
});

test('the default country of a phone number follows the language of the browser', async ({ site }) => {
  const { text } = await site.visit(FORM, { 'accept-language': 'de-AT,de;q=0.9,en;q=0.5' });
  assert.match(text, '<option value="AT" selected>Austria (+43)</option>');
});

test('the subscription form offers only kinds that the page accepts, and countries to which SMS are sent', async ({
  site,
}) => {
  await site.change({ allow_sms_subscribers: false, allow_webhook_subscribers: false });
  const shown = await site.visit(FORM);
  assert.match(controlOf(shown, 'mode'), 'type="hidden" name="mode" value="email"');
  assert.is(controlOf(shown, 'phone_number'), '');
  assert.is(controlOf(shown, 'endpoint'), '');
  const few = await startSubscriptionSite({ signUps: { smsCountries: new Set(['DE']) } });
  try {
    const { text } = await few.visit(FORM);
    assert.match(text, 'Germany (+49)');
    assert.not.match(text, 'Austria');
  } finally {
    await few.stop();
  }
});

test('the subscription form offers only kinds of messages that the service can send', async () => {
  const silent = await startSubscriptionSite({ sentModes: new Set(['webhook']) });
  try {
    assert.match(controlOf(await silent.visit(FORM), 'mode'), 'type="hidden" name="mode" value="webhook"');
    assert.match((await silent.visit('/status/acme')).text, /href="[^"]*subscribe"/);
    await silent.change({ allow_webhook_subscribers: false });
    const shown = await silent.visit(FORM);
    assert.is(controlOf(shown, 'mode'), '');
    assert.match(shown.text, 'href="./history.atom"');
    assert.not.match((await silent.visit('/status/acme')).text, /href="[^"]*subscribe"/);
    assert.is((await silent.send(FORM, EMAIL)).status, 403);
  } finally {
    await silent.stop();
  }
});

test('a visitor who subscribes by e-mail is shown what happens next', async ({ site }) => {
  const sent = await site.send(FORM, EMAIL);
  assert.equal([sent.status, sent.headers.location], [303, './subscribe?done=email&lang=en']);
  const done = await site.visit('/status/acme/subscribe?done=email&lang=en');
  assert.is(headingOf(done), 'Check your inbox');
  const [subscriber] = await site.subscribers();
  const { email, has_pending_verification, component_ids, incident_id } = subscriber ?? {};
  assert.equal([email, has_pending_verification, component_ids, incident_id], ['i***@example.com', true, null, null]);
});

test('a visitor can subscribe a mobile phone with a number in national format', async ({ site }) => {
  const phone = { mode: 'sms', phone_country: 'DE', phone_number: '0151 23456789', scope: 'page' };
  const sent = await site.send(FORM, phone);
  assert.is(sent.headers.location, './subscribe?done=sms&lang=en');
  const [subscriber] = await site.subscribers();
  assert.equal([subscriber?.['mode'], subscriber?.['phone_country']], ['sms', 'DE']);
});

test('a visitor can subscribe a webhook, and is shown its secret once', async ({ site }) => {
  const hook = { mode: 'webhook', endpoint: 'http://127.0.0.1:9/hook?key=hidden', scope: 'page' };
  const sent = await site.send(FORM, { ...hook, contact_email: 'ops@example.com' });
  assert.equal([sent.status, headingOf(sent)], [200, 'Webhook subscribed']);
  assert.match(sent.text, /<code>whsec_[A-Za-z0-9+/=]{20,}<\/code>/);
  assert.not.match(sent.text, 'key=hidden');
  assert.is(sent.headers['cache-control'], 'no-store');
  const [subscriber] = await site.subscribers();
  assert.equal([subscriber?.['mode'], subscriber?.['email']], ['webhook', 'o***@example.com']);
});

test('a rejected subscription form shows an error next to each invalid field, and keeps the input', async ({
  site,
}) => {
  const wrong = await site.send(FORM, { mode: 'email', email: 'ida at "home" <b', scope: 'components' });
  assert.is(wrong.status, 422);
  assert.match(wrong.text, '<p class="wrong" role="alert">Please check the fields marked below.</p>');
  const field = controlOf(wrong, 'email');
  assert.match(field, 'value="ida at &quot;home&quot; &lt;b"');
  assert.not.match(wrong.text, /<b\b(?!ody|di|utton)/);

  const address = await site.send(FORM, { ...EMAIL, email: 'ida' });
  assert.match(problemOf(address, 'email'), 'Enter an e-mail address');
  assert.match(controlOf(address, 'email'), 'aria-invalid="true"');
  assert.match(controlOf(address, 'email'), 'aria-describedby="email-problem"');

  const phone = await site.send(FORM, { mode: 'sms', phone_country: 'DE', phone_number: '12', scope: 'page' });
  assert.match(problemOf(phone, 'phone_number'), 'Enter a mobile number');
  assert.match(phone.text, '<option value="DE" selected>');
  assert.match(controlOf(phone, 'mode', 'sms'), 'checked');
  const country = await site.send(FORM, { mode: 'sms', phone_number: '0151 23456789', scope: 'page' });
  assert.match(problemOf(country, 'phone_country'), 'Choose the country');

  const hook = { mode: 'webhook', endpoint: 'ftp://127.0.0.1/', contact_email: 'nobody', scope: 'page' };
  const webhook = await site.send(FORM, hook);
  assert.match(problemOf(webhook, 'contact_email'), 'leave this empty');
  const unreachable = await site.send(FORM, { ...hook, contact_email: '' });
  assert.match(problemOf(unreachable, 'endpoint'), 'Enter a URL');

  const none = await site.send(FORM, { email: 'ida@example.com' });
  assert.equal([none.status, problemOf(none, 'mode')], [422, 'Choose how we should reach you.']);
  assert.equal(await site.subscribers(), []);
});

test('a subscription can be limited to components and groups', async ({ site }) => {
  const group = await site.addGroup('Storefront');
  const shop = await site.addComponent('Shop', { group_id: group });
  const mail = await site.addComponent('Mail');
  await site.addComponent('Spare', { only_show_if_degraded: true });
  const shown = await site.visit(`${FORM}?component=${mail}`);
  assert.match(controlOf(shown, 'scope', 'components'), 'checked');
  assert.match(controlOf(shown, 'component_ids', mail), 'checked');
  assert.not.match(controlOf(shown, 'component_ids', shop), 'checked');
  assert.ok(controlOf(shown, 'component_ids', group));
  assert.not.match(shown.text, 'Spare');

  const none = await site.send(FORM, { ...EMAIL, scope: 'components' });
  assert.equal([none.status, problemOf(none, 'component_ids') !== ''], [422, true]);
  const unknown = await site.send(FORM, { ...EMAIL, scope: 'components', component_ids: [mail, 'nothing00000'] });
  assert.is(unknown.status, 422);
  assert.match(controlOf(unknown, 'component_ids', mail), 'checked');

  assert.is((await site.send(FORM, { ...EMAIL, scope: 'components', component_ids: [mail, group] })).status, 303);
  assert.equal((await site.subscribers())[0]?.['component_ids'], [mail, group]);
  const all = { ...EMAIL, email: 'otto@example.com', scope: 'page', component_ids: [mail] };
  assert.is((await site.send(FORM, all)).status, 303);
  const second = (await site.subscribers()).find(({ email }) => email === 'o***@example.com');
  assert.is(second?.['component_ids'], null, 'boxes that are hidden do not count');
});

test('a visitor can subscribe to a single incident if the page accepts that', async ({ site }) => {
  const incident = await site.addIncident('Checkout <i>fails</i>');
  const page = await site.visit('/status/acme/');
  assert.match(page.text, `href="./subscribe?incident=${incident}"`);
  const shown = await site.visit(`${FORM}?incident=${incident}`);
  assert.match(controlOf(shown, 'scope', 'incident'), 'checked');
  assert.match(shown.text, 'Checkout &lt;i>fails&lt;/i>');
  const sent = await site.send(FORM, { ...EMAIL, scope: 'incident', incident });
  assert.is(sent.status, 303);
  assert.is((await site.subscribers())[0]?.['incident_id'], incident);

  await site.change({ allow_page_subscribers: false });
  const alone = await site.visit(`${FORM}?incident=${incident}`);
  assert.match(controlOf(alone, 'scope'), 'type="hidden" name="scope" value="incident"');
  assert.match((await site.visit(FORM)).text, 'you can subscribe to single incidents');
  const only = { ...EMAIL, email: 'otto@example.com', scope: 'incident', incident };
  assert.is((await site.send(FORM, only)).status, 303);
  const second = (await site.subscribers()).find(({ email }) => email === 'o***@example.com');
  assert.is(second?.['incident_id'], incident);
  assert.is((await site.send(FORM, { ...EMAIL, email: 'ines@example.com' })).status, 403);

  await site.change({ allow_page_subscribers: true, allow_incident_subscribers: false });
  const refused = await site.send(FORM, { ...EMAIL, scope: 'incident', incident });
  assert.equal([refused.status, refused.text.includes('does not accept this kind')], [403, true]);
  assert.not.match((await site.visit('/status/acme/')).text, 'subscribe?incident=');
  assert.not.match((await site.visit(`${FORM}?incident=${incident}`)).text, 'fails');
  assert.is((await site.subscribers()).length, 2);
});

test("a visitor can't subscribe to an unknown incident, one of another page, or one that ended long ago", async ({
  site,
}) => {
  const incident = await site.addIncident('Over');
  const over = { status: 'resolved', body: 'Done.' };
  const place = `/v1/pages/${site.pageId}/incidents/${incident}`;
  assert.is((await site.service.request('PATCH', place, { body: over })).status, 200);
  const other = await site.service.request('POST', '/v1/pages', { body: { name: 'Other', subdomain: 'other' } });
  const { id: otherId } = other.json() as { id: string };
  const foreign = await site.service.request('POST', `/v1/pages/${otherId}/incidents`, {
    body: { name: 'Foreign', status: 'investigating', body: 'It is ours.', components: {} },
  });
  site.service.time.now = NOW + 8 * 86_400_000;
  for (const id of [incident, (foreign.json() as { id: string }).id, 'nothing00000', '../"x']) {
    const shown = await site.visit(`${FORM}?incident=${encodeURIComponent(id)}`);
    assert.is(shown.status, 200);
    assert.not.match(shown.text, /Over|Foreign/);
    assert.is(controlOf(shown, 'scope', 'incident'), '');
    const sent = await site.send(FORM, { ...EMAIL, scope: 'incident', incident: id });
    assert.is(sent.status, 422, id);
    assert.match(sent.text, 'You can no longer subscribe to this incident.');
  }
  assert.is((await site.send(FORM, { ...EMAIL, scope: 'incident' })).status, 422);
  assert.equal(await site.subscribers(), []);
});

test('a subscription of a kind that the page does not accept is rejected', async ({ site }) => {
  await site.change({ allow_email_subscribers: false });
  const refused = await site.send(FORM, EMAIL);
  assert.is(refused.status, 403);
  assert.match(refused.text, 'does not accept this kind of subscription');
  await site.change({ allow_sms_subscribers: false });
  const phone = { mode: 'sms', phone_country: 'DE', phone_number: '0151 23456789', scope: 'page' };
  assert.is((await site.send(FORM, phone)).status, 403);
  await site.change({ allow_webhook_subscribers: false });
  const hook = { mode: 'webhook', endpoint: 'http://127.0.0.1:9/hook', scope: 'page' };
  assert.is((await site.send(FORM, hook)).status, 403);
  const shown = await site.visit(FORM);
  assert.match(shown.text, 'This page does not accept subscriptions.');
  assert.is(controlOf(shown, 'email'), '');
  assert.not.match((await site.visit('/status/acme/')).text, /href="[^"]*subscribe"/);
  assert.equal(await site.subscribers(), []);
});

test('responses of the subscription form do not reveal who has already subscribed', async ({ site }) => {
  const first = await site.send(FORM, EMAIL);
  const again = await site.send(FORM, EMAIL);
  const ofOthers = await site.send(FORM, { ...EMAIL, email: 'otto@example.com' });
  const shape = ({ status, headers, text }: typeof first) => [status, headers.location, text];
  assert.equal(shape(again), shape(first));
  assert.equal(shape(ofOthers), shape(first));
  assert.is((await site.subscribers()).length, 2);
});

test("a visitor can't take over the webhook of another subscriber", async ({ site }) => {
  const endpoint = 'http://127.0.0.1:9/hook';
  const body = { mode: 'webhook', endpoint };
  await site.service.request('POST', `/v1/pages/${site.pageId}/subscribers`, { body });
  const refused = await site.send(FORM, { ...body, scope: 'page' });
  assert.is(refused.status, 409);
  assert.match(refused.text, 'cannot be subscribed now');
  assert.match(controlOf(refused, 'endpoint'), `value="${endpoint}"`);
  assert.not.match(refused.text, 'whsec_');
});

test('new subscriptions are rate limited by page and by client address', async () => {
  const limited = await startSubscriptionSite({ signUps: { unconfirmedPerHour: 1 } });
  try {
    assert.is((await limited.send(FORM, EMAIL)).status, 303);
    const refused = await limited.send(FORM, { ...EMAIL, email: 'otto@example.com' });
    assert.equal([refused.status, refused.headers['retry-after']], [429, '600']);
    assert.match(refused.text, 'Please try again in 10 minutes.');
    assert.match(controlOf(refused, 'email'), 'value="otto@example.com"');
  } finally {
    await limited.stop();
  }
  const admit = (): void => {
    throw tooMany('Too many.', 20);
  };
  const closed = await startSubscriptionSite({ signUps: { admit } });
  try {
    const refused = await closed.send(FORM, EMAIL);
    assert.equal([refused.status, refused.headers['retry-after']], [429, '20']);
    assert.match(refused.text, 'Please try again in 1 minute.');
  } finally {
    await closed.stop();
  }
});

test('a subscription form that another site submits is rejected', async ({ site }) => {
  const refused = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': '', origin: 'https://evil.example' },
  ];
  for (const headers of refused) assert.is((await site.send(FORM, EMAIL, headers)).status, 403);
  assert.equal(await site.subscribers(), []);
});

test('a page with restricted access shows no subscription form and accepts no subscriptions from visitors without access', async ({
  site,
}) => {
  await site.change({ ip_restrictions: '127.0.0.0/8' });
  assert.match((await site.visit(FORM)).text, 'This page does not accept subscriptions.');
  assert.is((await site.send(FORM, EMAIL)).status, 403);
  await site.change({ ip_restrictions: '192.0.2.0/24' });
  assert.is((await site.visit(FORM)).status, 404);
  assert.is((await site.send(FORM, EMAIL)).status, 404);
  await site.change({ ip_restrictions: null });
  const locked = { body: { name: 'Staff', password: 'correct horse battery' } };
  assert.is((await site.service.request('POST', `/v1/pages/${site.pageId}/passwords`, locked)).status, 201);
  assert.is((await site.visit(FORM)).status, 401);
  assert.is((await site.send(FORM, EMAIL)).status, 401);
  assert.equal(await site.subscribers(), []);
});

test('the subscription form shows hostile texts as text', async ({ site }) => {
  const hostile = '"><script>alert(1)</script>';
  await site.change({ name: hostile });
  await site.addComponent(hostile);
  const incident = await site.addIncident(hostile);
  const fields = { mode: hostile, email: hostile, endpoint: hostile, phone_number: hostile, contact_email: hostile };
  const sent = await site.send(FORM, { ...fields, incident, scope: hostile, component_ids: [hostile] });
  assert.is(sent.status, 422);
  for (const { text } of [
    sent,
    await site.visit(`${FORM}?incident=${incident}&component=${encodeURIComponent(hostile)}`),
  ])
    assert.not.match(text, '<script');
});

test('the subscription form is in the language of the page, or in the language that the visitor has chosen', async ({
  site,
}) => {
  const titles = {
    de: 'Meldungen abonnieren',
    fr: 'S’abonner aux actualités',
    es: 'Suscribirse a las novedades',
    ru: 'Подписаться на уведомления',
  };
  for (const [language, title] of Object.entries(titles)) {
    assert.is(headingOf(await site.visit(`${FORM}?lang=${language}`)), title);
    const wrong = await site.send(`${FORM}?lang=${language}`, { ...EMAIL, email: '' });
    assert.equal([wrong.status, headingOf(wrong)], [422, title]);
  }
  const cookie = { cookie: 'uptrail-language=de' };
  const sent = await site.send(FORM, EMAIL, cookie);
  assert.is(sent.headers.location, './subscribe?done=email&lang=de');
  assert.is(headingOf(await site.visit('/status/acme/subscribe?done=sms', cookie)), 'Sehen Sie auf Ihr Telefon');
});

test.run();
