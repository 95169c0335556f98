// Own process: a browser stays open for as long as the file runs.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Page } from 'playwright-core';
import { storeUser } from '../../api/v1/login/signed-in-user.ts';
import { noBrowser } from '../browser.ts';
import { openConsole, overflows, signInAt, violations, type Console } from './visits.ts';

const test = suite<{ site: Console; id: string; empty: string }>('the screens of status pages in the console');

const NAME = `${'W'.repeat(90)} مرحبا`;

test.before(async (context) => {
  const site = await openConsole();
  context.site = site;
  await storeUser(site.service, 'ann', 'admin');
  const post = async (path: string, body: object): Promise<string> => {
    const reply = await site.service.request('POST', path, { body });
    assert.ok(reply.status === 200 || reply.status === 201, reply.text);
    return (reply.json() as { id: string }).id;
  };
  context.empty = await post('/v1/pages', { name: 'Bravo', language: 'ar' });
  const id = await post('/v1/pages', { name: NAME, subdomain: 'acme', domain: 'status.acme.example' });
  context.id = id;
  const at = `/v1/pages/${id}`;
  const group_id = await post(`${at}/components`, { name: NAME, group: true });
  await post(`${at}/components`, { name: NAME, group_id, check_tag: 'team:shop', status: 'major_outage' });
  await post(`${at}/components`, { name: 'Web', only_show_if_degraded: true, showcase: false });
  await post(`${at}/email-domain/records`, { domain: 'acme.example', from_email: 'status@acme.example' });
  await post(`${at}/passwords`, { name: NAME.slice(0, 80), password: 'three quiet herons', password_hint: NAME });
  await post(`${at}/subscribers`, { mode: 'email', email: 'ida@example.com' });
  await post(`${at}/subscribers`, { mode: 'webhook', endpoint: `https://hooks.example.com/${'x'.repeat(80)}` });
});
test.after(({ site }) => site.stop());

const LOOKS = {
  'on a light screen': { colorScheme: 'light' },
  'on a dark screen': { colorScheme: 'dark' },
  'on a phone': { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
  'enlarged twice': { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 },
} as const;

/** The tabs of a page, the buttons whose dialogs are opened on each tab, and what shows that a tab is ready. */
const TABS: readonly { tab: string; ready: (page: Page) => Promise<void>; opens: readonly string[] }[] = [
  { tab: '', ready: (page) => page.locator('.tree').waitFor(), opens: ['Add component', 'Add group'] },
  { tab: '/appearance', ready: (page) => page.locator('.page-frames iframe.loaded').waitFor(), opens: [] },
  { tab: '/settings', ready: (page) => page.getByLabel('Time zone').waitFor(), opens: ['Delete page'] },
  { tab: '/domain', ready: (page) => page.locator('.dns').waitFor(), opens: [] },
  { tab: '/email', ready: (page) => page.locator('.dns-record').first().waitFor(), opens: [] },
  { tab: '/passwords', ready: (page) => page.locator('.data').waitFor(), opens: ['Add password'] },
  { tab: '/subscribers', ready: (page) => page.locator('.data').waitFor(), opens: ['Add subscriber', 'Import'] },
];

for (const [look, options] of Object.entries(LOOKS))
  test(`the screens of status pages are accessible in every state (${look})`, async ({ site, id, empty }) => {
    const found: string[] = [];
    const visitor = await site.visit(options);
    const page = await visitor.open('/console/pages');
    const hold = async (title: string): Promise<void> => {
      found.push(...(await violations(page)).map((violation) => `${title}: ${violation}`));
      if (await overflows(page)) found.push(`${title}: it can be scrolled sideways`);
    };
    await signInAt(page, 'ann@example.com');
    await page.locator('.data').waitFor();
    await hold('the list');
    await page.goto(`${site.address}/console/pages/new`);
    await page.getByRole('radio', { name: 'Minimal' }).waitFor();
    await page.getByRole('button', { name: 'Create' }).click();
    await page.locator('.problem').first().waitFor();
    await hold('a new page with a mistake');
    for (const { tab, ready, opens } of TABS) {
      await page.goto(`${site.address}/console/pages/${id}${tab}`);
      await ready(page);
      await hold(tab || '/components');
      for (const name of opens) {
        await page.getByRole('button', { name, exact: true }).click();
        await page.getByRole('dialog').waitFor();
        await hold(`${tab} ${name}`);
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
      }
    }
    for (const tab of ['', '/passwords', '/subscribers', '/email']) {
      await page.goto(`${site.address}/console/pages/${empty}${tab}`);
      await page.getByRole('heading', { level: 2 }).first().waitFor();
      await page.locator('.skeleton').waitFor({ state: 'detached' });
      await hold(`empty ${tab}`);
    }
    await page.goto(`${site.address}/console/pages/nonesuch0000`);
    await page.getByRole('heading', { name: 'This does not exist' }).waitFor();
    await hold('a page that was deleted');
    await visitor.close();
    assert.equal(found, []);
  });

const missing = noBrowser();
if (missing === null) test.run();
else console.log(`skipped: ${missing}`);
