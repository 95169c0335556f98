// Own process: a browser stays open for as long as the file runs.
import type { BrowserContextOptions, Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { PASSWORD, storeUser } from '../../api/v1/login/signed-in-user.ts';
import { PAGE_LANGUAGES } from '../../../messages/words/languages.ts';
import { noBrowser } from '../browser.ts';
import { openConsole, overflows, signInAt, signInShown, violations, type Console } from './visits.ts';

const test = suite<{ site: Console; fresh: Console }>('the console conforms to WCAG 2.2 AA as far as axe can detect');

test.before(async (context) => {
  context.site = await openConsole();
  context.fresh = await openConsole();
  await storeUser(context.site.service, 'ann', 'admin');
});
test.after(async ({ site, fresh }) => {
  await site.stop();
  await fresh.stop();
});

const LOOKS: Readonly<Record<string, BrowserContextOptions>> = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  'on a phone': { colorScheme: 'light', viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
};

const EMAIL = 'ann@example.com';

const NAME = 'A check with a name that is far too long for the line in which it stands';
const AGO = '2026-11-20T15:04:05.123000';

/** Makes the console show every kind of problem. */
const withFailures = async (page: Page): Promise<void> => {
  const down = { id: 'x4w8b2h7t1zq', name: NAME, error_message: 'Answered 503, expected 200–299.', since: AGO };
  const counts = { down: 30, up: 994, pending: 0, paused: 12 };
  await page.route('**/v1/checks/overview?*', (route) => route.fulfill({ json: { checks: [down], counts } }));
  const alert = { title: NAME, fired_at: AGO, acknowledged_by_id: null };
  const alerts = [
    { ...alert, id: 'alert1', status: 'firing', severity: 'critical' },
    { ...alert, id: 'alert2', status: 'acknowledged', severity: 'low' },
  ];
  await page.route('**/v1/alerts?*', (route) => route.fulfill({ json: { alerts, pagination: { total: 40 } } }));
  const checks = ['grace', 'down'].map((status) => ({ id: status, name: NAME, status, next_expected_ping: AGO }));
  await page.route('**/v1/heartbeats?*', (route) => route.fulfill({ json: { checks, pagination: {} } }));
  const incident = { id: 'i', page_id: 'p', name: NAME, status: 'monitoring', impact: 'major', created_at: AGO };
  await page.route('**/v1/pages?*', (route) =>
    route.fulfill({ json: { pages: [{ id: 'p', name: NAME }], pagination: {} } }),
  );
  await page.route('**/v1/pages/p/incidents/*', (route) => route.fulfill({ json: [incident] }));
};

for (const [look, options] of Object.entries(LOOKS))
  test(`the console is accessible in every state (${look})`, async ({ site, fresh }) => {
    const found: string[] = [];
    const hold = async (title: string, page: Page): Promise<void> => {
      found.push(...(await violations(page)).map((violation) => `${title}: ${violation}`));
      if (await overflows(page)) found.push(`${title}: it can be scrolled sideways`);
    };
    const newcomer = await fresh.visit(options);
    const first = await newcomer.open();
    await first.getByLabel('Admin key', { exact: true }).fill(fresh.service.first.keys.admin);
    await hold('the admin key', first);
    await first.keyboard.press('Enter');
    await first.getByLabel('Repeat the password', { exact: true }).fill('x');
    await hold('the first user', first);
    await newcomer.close();

    const visitor = await site.visit(options);
    const page = await visitor.open();
    await signInAt(page, EMAIL, 'wrong');
    await page.getByText('The e-mail or the password is wrong.').waitFor();
    await hold('the sign-in', page);
    await page.getByText('Forgot your password?').click();
    await page.getByRole('heading', { name: 'Forgotten password' }).waitFor();
    await hold('a forgotten password', page);
    await page.getByRole('link', { name: 'Go to sign-in' }).click();
    await signInAt(page, EMAIL, PASSWORD);
    await page.getByRole('heading', { name: 'Nothing is watched yet' }).waitFor();
    await hold('an empty overview', page);
    await withFailures(page);
    await page.reload();
    await page.getByRole('heading', { name: 'Failing checks' }).waitFor();
    await hold('an overview with failures', page);
    await page.getByRole('button', { name: /^Account/ }).click();
    await hold('the menu', page);
    await page.keyboard.press('Escape');
    if (look === 'on a phone') {
      await page.getByRole('button', { name: 'Open navigation' }).click();
      await hold('the navigation', page);
      await page.keyboard.press('Escape');
    }
    await page.goto(`${site.address}/console/nothing`);
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await hold('an unknown address', page);
    await page.unroute('**/v1/checks/overview?*');
    await page.route('**/v1/checks/overview?*', (route) => route.fulfill({ status: 503, body: 'Bad gateway' }));
    await page.getByRole('link', { name: 'Go to the overview' }).click();
    await page.getByRole('heading', { name: 'This could not be loaded' }).waitFor();
    await hold('a failure', page);
    await visitor.close();
    assert.equal(found, []);
  });

test('the console can be operated with the keyboard alone', async ({ site }) => {
  const visitor = await site.visit();
  const page = await visitor.open();
  await signInShown(page);
  await page.keyboard.type(EMAIL);
  await page.keyboard.press('Tab');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Nothing is watched yet' }).waitFor();
  const account = page.getByRole('button', { name: /^Account/ });
  await account.focus();
  await page.keyboard.press('Enter');
  const signOut = page.getByRole('button', { name: 'Sign out' });
  await signOut.waitFor();
  for (let times = 0; times < 12; times++) {
    if (await signOut.evaluate((button) => button === document.activeElement)) break;
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Enter');
  await signInShown(page);
  await visitor.close();
});

test('the console uses the language of the browser, or the language that the user has chosen', async ({ site }) => {
  const titles = ['Sign in', 'Anmelden', 'Connexion', 'Iniciar sesión', 'Вход'];
  for (const [index, language] of PAGE_LANGUAGES.entries()) {
    const visitor = await site.visit({ locale: `${language}-XX`, viewport: { width: 360, height: 740 } });
    const page = await visitor.open();
    await page.getByRole('heading', { name: titles[index] ?? '', exact: true }).waitFor();
    assert.is(await page.locator('html').getAttribute('lang'), language);
    assert.not(await overflows(page));
    await page.locator('select').selectOption('ru');
    await page.getByRole('heading', { name: 'Вход' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Вход' }).waitFor();
    assert.equal(visitor.complaints, []);
    await visitor.close();
  }
});

const missing = noBrowser();
if (missing === null) test.run();
else console.log(`skipped: ${missing}`);
