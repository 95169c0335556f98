import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { signedToken } from '../../domain/signed-token.ts';
import { CONFIRM, subjectOf } from '../../domain/subscriber/links.ts';
import type { Reply } from '../api/http.ts';
import { confirmationRequested, PAGE, SUBSCRIBER } from '../domain/subscriber/examples.ts';
import { startSubscribedSite, type SubscribedSite } from './subscribed-site.ts';

const test = suite<{ site: SubscribedSite }>('pages behind the links of a subscription');

test.before.each(async (context) => {
  context.site = await startSubscribedSite();
});
test.after.each(({ site }) => site.stop());

const titleOf = ({ text }: Reply): string => /<h1>(.*)<\/h1>/.exec(text)?.[1] ?? '';

/** Returns the content of the stylesheets that a page links to. */
const stylesheetsOf = async (site: SubscribedSite, text: string): Promise<string> => {
  const sheets: string[] = [];
  for (const [, href = ''] of text.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)) {
    const { pathname, search } = new URL(href.replaceAll('&amp;', '&'), 'http://service/subscriptions/confirm');
    const sheet = await site.visit(pathname + search, { headers: { accept: 'text/css,*/*;q=0.1' } });
    assert.equal([sheet.status, sheet.headers['content-type']], [200, 'text/css; charset=utf-8']);
    sheets.push(sheet.text);
  }
  return sheets.join('\n');
};

test('the confirmation link does not confirm a subscription until the visitor presses the button', async ({ site }) => {
  const link = await site.confirmLink();
  for (const method of ['GET', 'HEAD', 'GET']) {
    const { status } = await site.visit(link, { method });
    assert.is(status, 200);
  }
  assert.equal(await site.events(), ['SubscriberAdded']);
  const opened = await site.visit(link);
  assert.is(titleOf(opened), 'Confirm your subscription');
  assert.match(opened.text, '<bdi>Shop</bdi> to send updates to <bdi>i***@example.com</bdi>?');
  assert.match(opened.text, '<form method="post"><button class="button primary">Confirm subscription</button></form>');

  const confirmed = await site.visit(link, { method: 'POST', body: '' });
  assert.equal([confirmed.status, titleOf(confirmed)], [200, 'Your subscription is confirmed']);
  assert.not.match(confirmed.text, '<form');
  assert.equal(await site.events(), ['SubscriberAdded', 'SubscriberVerified']);
});

test('a confirmation link that was already used shows that, and changes nothing', async ({ site }) => {
  const link = await site.confirmLink();
  await site.visit(link, { method: 'POST' });
  await site.settled();
  for (const method of ['GET', 'POST'])
    assert.is(titleOf(await site.visit(link, { method })), 'Your subscription is confirmed');
  assert.equal(await site.events(), ['SubscriberAdded', 'SubscriberVerified']);
});

test('a page behind a link loads only its stylesheet, is not indexed, framed or cached, and sends no referrer', async ({
  site,
}) => {
  const { headers, text } = await site.visit(await site.confirmLink());
  assert.is(
    headers['content-security-policy'],
    "default-src 'none';style-src 'self';form-action 'self';base-uri 'none';frame-ancestors 'none';img-src data:",
  );
  assert.is(headers['referrer-policy'], 'no-referrer');
  assert.is(headers['cache-control'], 'no-store');
  assert.is(headers['x-robots-tag'], 'noindex, nofollow');
  assert.match(text, '<meta name="robots" content="noindex, nofollow"/>');
  assert.not.match(text, /<script|<style|style=| on\w+=/);
  assert.match(text, '<meta name="referrer" content="no-referrer"/>');
  const sheets = await stylesheetsOf(site, text);
  assert.match(sheets, '.sheet');
  assert.not.match(sheets, '--button:#');
  await site.service.request('PATCH', `/v1/pages/${site.pageId}`, { body: { css_button_color: '#008080' } });
  const coloured = await site.visit(await site.confirmLink());
  assert.match(await stylesheetsOf(site, coloured.text), '--button:#008080');
});

test('an expired confirmation link shows that, and confirms nothing', async ({ site }) => {
  site.service.time.now += 7 * 86_400_000;
  const link = await site.confirmLink();
  for (const method of ['GET', 'POST']) {
    const expired = await site.visit(link, { method });
    assert.equal([expired.status, titleOf(expired)], [410, 'This link is no longer valid']);
  }
  assert.equal(await site.events(), ['SubscriberAdded']);
  await site.append(confirmationRequested({ page_id: site.pageId, requested_at: '2026-11-27T15:00:00.000000' }));
  assert.is((await site.visit(link)).status, 200, 'asked for once more');
});

test('a truncated or forged link, and a link for another purpose, is rejected', async ({ site }) => {
  const link = await site.confirmLink();
  const mac = (kind: string, text: string) => site.service.keys.fingerprint(kind, text);
  const tokenOf = (organizationId: string, subject: string) =>
    signedToken({ purpose: CONFIRM, organizationId, subject, expiresAt: null }, mac);
  const [, token = ''] = link.split('?token=');
  const wrong = [
    '/subscriptions/confirm',
    link.slice(0, -1),
    `${link}A`,
    `/subscriptions/confirm?token=${'.'.repeat(9)}`,
    `/subscriptions/unsubscribe?token=${token}`,
    (await site.unsubscribeLink()).replace('unsubscribe', 'confirm'),
  ];
  for (const path of wrong) {
    for (const method of ['GET', 'POST']) {
      const refused = await site.visit(path, { method });
      assert.equal([refused.status, titleOf(refused)], [403, 'This link does not work'], path);
      assert.not.match(refused.text, 'Shop');
    }
  }
  const foreign = [
    await tokenOf(site.service.second.id, subjectOf({ id: SUBSCRIBER, number: 1 })),
    await tokenOf(site.service.first.id, subjectOf({ id: 'sub000000009', number: 1 })),
    await tokenOf(site.service.first.id, 'whatever'),
  ];
  for (const one of foreign) {
    const gone = await site.visit(`/subscriptions/confirm?token=${one}`, { method: 'POST' });
    assert.equal([gone.status, titleOf(gone)], [410, 'This subscription has ended']);
  }
  assert.equal(await site.events(), ['SubscriberAdded']);
});

test('links of an earlier subscription of the same address are rejected', async ({ site }) => {
  const [confirm, unsubscribe] = [await site.confirmLink(), await site.unsubscribeLink()];
  await site.append({
    type: 'SubscriberDeleted',
    data: {
      subscriber_id: SUBSCRIBER,
      page_id: PAGE,
      number: 1,
      keys_from: 1,
      deleted_at: '2026-11-20T15:00:00.000000',
    },
  });
  for (const link of [confirm, unsubscribe]) assert.is((await site.visit(link)).status, 410);
  await site.subscribe(2);
  for (const link of [confirm, unsubscribe]) {
    const void_ = await site.visit(link, { method: 'POST' });
    assert.equal([void_.status, titleOf(void_)], [410, 'This link belongs to an earlier subscription']);
  }
  assert.equal(await site.events(), ['SubscriberAdded', 'SubscriberDeleted', 'SubscriberAdded']);
  assert.is((await site.visit(await site.confirmLink(2))).status, 200);
});

test('the unsubscribe link does not end a subscription until the visitor presses the button', async ({ site }) => {
  const link = await site.unsubscribeLink();
  const page = await site.visit(link);
  assert.equal([page.status, titleOf(page)], [200, 'Unsubscribe']);
  assert.equal(await site.events(), ['SubscriberAdded']);
  const ended = await site.visit(link, { method: 'POST', body: '' });
  assert.equal([ended.status, titleOf(ended)], [200, 'You have unsubscribed']);
  assert.is((await site.visit(link, { method: 'POST' })).status, 200);
  assert.equal(await site.events(), ['SubscriberAdded', 'SubscriberUnsubscribed']);
});

test('a one-click unsubscription of a mail program (RFC 8058) ends a subscription without a redirect', async ({
  site,
}) => {
  const link = await site.unsubscribeLink();
  const boundary = '----one';
  const multipart = `--${boundary}\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--${boundary}--\r\n`;
  const bodies: [Record<string, string>, string][] = [
    [{ 'content-type': 'application/x-www-form-urlencoded' }, 'List-Unsubscribe=One-Click'],
    [{ 'content-type': `multipart/form-data; boundary=${boundary}` }, multipart],
    [{}, 'List-Unsubscribe=One-Click'],
    [{ accept: 'text/plain', 'content-encoding': 'gzip', expect: 'more' }, 'List-Unsubscribe=One-Click'],
  ];
  for (const [more, body] of bodies) {
    const headers = { accept: '*/*', ...more };
    const { status } = await site.visit(link, { method: 'POST', body, headers });
    assert.is(status, 200, JSON.stringify(more));
  }
  assert.equal(await site.events(), ['SubscriberAdded', 'SubscriberUnsubscribed']);
});

test('the pages behind subscription links respond with JSON to clients that accept only JSON', async ({ site }) => {
  const link = await site.unsubscribeLink();
  const headers = { accept: 'application/json' };
  const response = await site.visit(link, { headers });
  assert.equal([response.status, response.json()], [200, { message: 'Unsubscribe.' }]);
  const ended = await site.visit(link, { method: 'POST', headers });
  assert.equal([ended.status, ended.json()], [200, { message: 'You have unsubscribed.' }]);
  const wrong = await site.visit('/subscriptions/unsubscribe?token=a.b', { method: 'POST', headers });
  assert.equal([wrong.status, (wrong.json() as { code: number }).code], [403, 403]);
});

test('a page behind a link is in the language of the status page, and an error page in the language of the browser', async ({
  site,
}) => {
  const link = await site.confirmLink();
  const titles = {
    en: 'Confirm your subscription',
    de: 'Abonnement bestätigen',
    fr: 'Confirmez votre abonnement',
    es: 'Confirme su suscripción',
    ru: 'Подтвердите подписку',
    ja: 'Confirm your subscription',
  };
  for (const [language, title] of Object.entries(titles)) {
    const changed = await site.service.request('PATCH', `/v1/pages/${site.pageId}`, { body: { language } });
    assert.is(changed.status, 200);
    const shown = await site.visit(link);
    assert.is(titleOf(shown), title);
    assert.match(shown.text, `<html lang="${language === 'ja' ? 'en' : language}" dir="ltr">`);
  }
  const wrong = await site.visit('/subscriptions/confirm?token=a.b', {
    headers: { 'accept-language': 'ja, de-AT;q=0.8, en;q=0.7' },
  });
  assert.equal([wrong.status, titleOf(wrong)], [403, 'Dieser Link funktioniert nicht']);
});

test('names on pages behind links are escaped', async ({ site }) => {
  const name = '<img src=x onerror=alert(1)>"\u202e&';
  await site.service.request('PATCH', `/v1/pages/${site.pageId}`, { body: { name } });
  const { text } = await site.visit(await site.confirmLink());
  assert.not.match(text, '<img');
  assert.match(text, '<bdi>&lt;img src=x onerror=alert(1)>&quot;');
});

test('the links of a subscription do not work after the status page was deleted', async ({ site }) => {
  const link = await site.unsubscribeLink();
  await site.service.request('DELETE', `/v1/pages/${site.pageId}`);
  const gone = await site.visit(link);
  assert.equal([gone.status, titleOf(gone)], [410, 'This subscription has ended']);
});

test.run();
