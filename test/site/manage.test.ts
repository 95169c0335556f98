import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Reply } from '../api/http.ts';
import { SUBSCRIBER } from '../domain/subscriber/examples.ts';
import { controlOf, headingOf, problemOf } from './pages/subscription-site.ts';
import { startSubscribedSite, type SubscribedSite } from './subscribed-site.ts';

const test = suite<{ site: SubscribedSite }>('the page for changing a subscription');

test.before.each(async (context) => {
  context.site = await startSubscribedSite({ subdomain: 'shop' });
});
test.after.each(({ site }) => site.stop());

const send = (
  site: SubscribedSite,
  path: string,
  fields: Record<string, string | readonly string[]>,
): Promise<Reply> => {
  const sent = Object.entries(fields).flatMap(([name, value]) => [value].flat().map((one) => [name, one]));
  return site.visit(path, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(sent).toString(),
  });
};

const add = async (site: SubscribedSite, path: string, body: object): Promise<string> => {
  const { text, json, status } = await site.service.request('POST', `/v1/pages/${site.pageId}/${path}`, { body });
  assert.ok(status < 300, text);
  return (json() as { id: string }).id;
};

const subscriberOf = async (site: SubscribedSite): Promise<Record<string, unknown>> => {
  await site.settled();
  const listed = await site.service.request('GET', `/v1/pages/${site.pageId}/subscribers`);
  return (listed.json() as Record<string, unknown>[])[0] ?? {};
};

/** Submits the form of a page, and follows the redirect. */
const save = async (site: SubscribedSite, link: string, fields: Parameters<typeof send>[2]): Promise<Reply> => {
  const { status, headers, text } = await send(site, link, fields);
  assert.is(status, 303, text);
  const { pathname, search } = new URL(headers.location ?? '', 'http://service/subscriptions/manage');
  return site.visit(pathname + search);
};

test('the confirmation page links to pages for changing and ending the subscription', async ({ site }) => {
  const shop = await add(site, 'components', { name: 'Shop' });
  await add(site, 'components', { name: 'Mail' });
  const confirmed = await site.visit(await site.confirmLink(), { method: 'POST' });
  const [, href = ''] = /<a href="([^"]*manage[^"]*)">Change your subscription</.exec(confirmed.text) ?? [];
  const { pathname, search } = new URL(href, 'http://service/subscriptions/confirm');
  const link = pathname + search;
  await site.settled();

  const shown = await site.visit(link);
  assert.equal([shown.status, headingOf(shown)], [200, 'Your subscription']);
  assert.match(shown.text, '<bdi>i***@example.com</bdi>');
  assert.match(controlOf(shown, 'scope', 'page'), 'checked');
  assert.match(controlOf(shown, 'receives'), 'checked');
  assert.not.match(shown.text, /<script|style=/);
  assert.equal([shown.headers['cache-control'], shown.headers['referrer-policy']], ['no-store', 'no-referrer']);

  const narrowed = await save(site, link, { scope: 'components', component_ids: [shop, shop], receives: 'yes' });
  assert.match(narrowed.text, 'Your changes are saved.');
  assert.match(controlOf(narrowed, 'component_ids', shop), 'checked');
  assert.equal((await subscriberOf(site))['component_ids'], [shop]);

  const paused = await save(site, link, { scope: 'page' });
  assert.not.match(controlOf(paused, 'receives'), 'checked');
  const { component_ids, deliver_notifications } = await subscriberOf(site);
  assert.equal([component_ids, deliver_notifications], [null, false]);

  const [, end = ''] = /<a class="button" href="(unsubscribe\?token=[^"]+)">Unsubscribe</.exec(paused.text) ?? [];
  const ended = await site.visit(`/subscriptions/${end}`, { method: 'POST' });
  assert.is(headingOf(ended), 'You have unsubscribed');
  await site.settled();
  for (const method of ['GET', 'POST']) {
    const after = await site.visit(link, {
      method,
      ...(method === 'POST' && {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'scope=page',
      }),
    });
    assert.is(headingOf(after), 'You have unsubscribed', method);
  }
  assert.equal(await site.events(), [
    'SubscriberAdded',
    'SubscriberVerified',
    'SubscriberChanged',
    'SubscriberChanged',
    'SubscriberUnsubscribed',
  ]);
});

test('the unsubscribe link opens the page for changing the subscription', async ({ site }) => {
  const opened = await site.visit(await site.unsubscribeLink());
  assert.match(opened.text, `<a href="..${(await site.manageLink()).replaceAll('&', '&amp;')}">`);
});

test('a selection that is empty or contains unknown components gets an error next to the list', async ({ site }) => {
  const link = await site.manageLink();
  const shop = await add(site, 'components', { name: 'Shop' });
  const wrong = [{ scope: 'components' }, { scope: 'components', component_ids: [shop, '"><script>'] }];
  for (const fields of wrong) {
    const refused = await send(site, link, fields);
    assert.is(refused.status, 422);
    assert.match(problemOf(refused, 'component_ids'), 'Choose at least one component');
    assert.match(controlOf(refused, 'scope', 'components'), 'checked');
    assert.not.match(refused.text, '<script');
  }
  assert.equal(await site.events(), ['SubscriberAdded']);
});

test('a subscription keeps a component that is shown only while degraded, even while the component is operational', async ({
  site,
}) => {
  const spare = await add(site, 'components', { name: 'Spare', only_show_if_degraded: true });
  const link = await site.manageLink();
  assert.is(controlOf(await site.visit(link), 'component_ids', spare), '');
  await save(site, link, { scope: 'components', component_ids: [spare], receives: 'yes' });
  assert.match(controlOf(await site.visit(link), 'component_ids', spare), 'checked');
});

test('a subscription to one incident shows the incident, and no components', async ({ site }) => {
  await add(site, 'components', { name: 'Shop' });
  const incident = await add(site, 'incidents', {
    name: 'Checkout <b>fails</b>',
    status: 'investigating',
    body: 'We look into it.',
    components: {},
  });
  await site.subscribe(2, { incident_id: incident });
  const link = await site.manageLink(2);
  const shown = await site.visit(link);
  assert.match(shown.text, '<bdi>Checkout &lt;b>fails&lt;/b></bdi>');
  assert.is(controlOf(shown, 'scope'), '');
  await save(site, link, { scope: 'page' });
  const { incident_id, deliver_notifications } = await subscriberOf(site);
  assert.equal([incident_id, deliver_notifications], [incident, false]);
});

test('the page for changing a subscription shows nothing of a status page that the subscriber can no longer see', async ({
  site,
}) => {
  const secret = await add(site, 'components', { name: 'Secret project' });
  await site.service.request('PATCH', `/v1/pages/${site.pageId}`, { body: { ip_restrictions: '192.0.2.0/24' } });
  const link = await site.manageLink();
  const shown = await site.visit(link);
  assert.is(shown.status, 200);
  assert.not.match(shown.text, 'Secret project');
  await save(site, link, { scope: 'components', component_ids: [secret], receives: 'yes' });
  assert.equal(await site.events(), ['SubscriberAdded'], 'nothing is narrowed to what is not shown');
});

test('the page for changing a subscription explains a quarantine, and lets the subscriber end it', async ({ site }) => {
  await site.visit(await site.confirmLink(), { method: 'POST' });
  await site.append({
    type: 'SubscriberQuarantined',
    data: {
      subscriber_id: SUBSCRIBER,
      page_id: site.pageId,
      number: 1,
      reason: 'It was refused for good.',
      quarantined_at: '2026-11-20T15:00:00.000000',
      purge_at: '2027-02-18T15:00:00.000000',
    },
  });
  const link = await site.manageLink();
  assert.match((await site.visit(link)).text, 'we have stopped sending them');
  const saved = await save(site, link, { scope: 'page', receives: 'yes' });
  assert.not.match(saved.text, 'we have stopped sending them');
  assert.is((await site.events()).at(-1), 'SubscriberReleased');
});

test('the page for changing a subscription rejects forged links and links of an earlier subscription', async ({
  site,
}) => {
  const link = await site.manageLink();
  const confirm = (await site.confirmLink()).replace('/confirm', '/manage');
  for (const path of ['/subscriptions/manage', `${link}A`, confirm]) {
    const refused = await send(site, path, { scope: 'page' });
    assert.equal([refused.status, headingOf(refused)], [403, 'This link does not work'], path);
    assert.not.match(refused.text, 'Shop');
  }
  await site.subscribe(2);
  const earlier = await send(site, link, { scope: 'page' });
  assert.equal([earlier.status, headingOf(earlier)], [410, 'This link belongs to an earlier subscription']);
  assert.equal(await site.events(), ['SubscriberAdded', 'SubscriberAdded']);
});

test.run();
