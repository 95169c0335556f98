import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { noBrowser } from '../browser.ts';
import { makePage } from './sample.ts';
import { openSite } from './visits.ts';

const test = suite('a status page with a password');

test('a visitor who enters the password of a status page can follow the page like any other', async () => {
  const site = await openSite();
  const acme = await makePage(site.call, { name: 'Acme', subdomain: 'acme' });
  const shop = await acme.component('Shop');
  await site.call('POST', `${acme.path}/passwords`, { name: 'Customers', password: 'ocarina-9034-bass' });
  const { page, requested, close } = await site.visit();
  await page.goto(site.at('acme', 'history'));
  await page.getByRole('heading', { name: 'This page is protected' }).waitFor();
  assert.is(await page.getByText('Shop').count(), 0);
  await page.keyboard.type('ocarina');
  await page.keyboard.press('Enter');
  await page.getByText('The password is wrong.').waitFor();
  await page.getByLabel('Password').fill('ocarina-9034-bass');
  await page.getByRole('button', { name: 'Open page' }).click();
  await page.getByRole('heading', { name: 'History' }).waitFor();

  await page.goto(site.at('acme'));
  await page.locator('[data-connection][data-state="live"]').waitFor({ state: 'attached' });
  await acme.incident({
    name: 'Checkout fails',
    status: 'investigating',
    body: 'We are looking into it.',
    components: { [shop]: 'major_outage' },
  });
  await page.getByRole('heading', { name: 'Major system outage' }).waitFor();
  assert.ok(requested.includes('/status/acme/events'));
  const other = await site.visit();
  await other.page.goto(site.at('acme'));
  await other.page.getByRole('heading', { name: 'This page is protected' }).waitFor();
  await other.close();
  await close();
  await site.stop();
});

const missing = noBrowser();
if (missing === null) test.run();
else console.log(`skipped: ${missing}`);
