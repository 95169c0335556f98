import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { eventually } from '../../waiting.ts';
import { noBrowser } from '../browser.ts';
import { makePage } from './sample.ts';
import { openSite, type Site } from './visits.ts';

const test = suite<{ site: Site }>('a visitor who follows a status page');

test.before(async (context) => {
  context.site = await openSite();
});
test.after(({ site }) => site.stop());

const shows = (page: Page, name: string, level = 1): Promise<void> =>
  page.getByRole('heading', { name, level, exact: true }).waitFor();

/** Marks the document, so that a reload can be detected. */
const mark = (page: Page): Promise<void> =>
  page.evaluate(() => {
    document.documentElement.dataset['first'] = '';
  });
const isMarked = async (page: Page): Promise<boolean> => (await page.locator('html[data-first]').count()) === 1;

/** Opens a page, and waits until it is connected to the server. */
const follow = async (page: Page, address: string): Promise<void> => {
  await page.goto(address);
  await page.locator('[data-connection][data-state="live"]').waitFor({ state: 'attached' });
  await mark(page);
};

test('a visitor follows an incident on a status page from the first report to the end, without reloading', async ({
  site,
}) => {
  const acme = await makePage(site.call, { name: 'Acme', subdomain: 'acme' });
  const shop = await acme.component('Shop');
  const { page, faults, close } = await site.visit();
  await follow(page, site.at('acme'));
  await shows(page, 'All systems operational');

  const incident = await acme.incident({
    name: 'Checkout fails',
    status: 'investigating',
    body: 'We are looking into it.',
    components: { [shop]: 'major_outage' },
  });
  await shows(page, 'Major system outage');
  const card = page.getByRole('article').filter({ has: page.getByRole('heading', { name: 'Checkout fails' }) });
  await card.getByText('We are looking into it.').waitFor();
  const announced = page.getByRole('status').filter({ hasText: 'Major system outage' });
  await announced.waitFor({ state: 'attached' });

  await acme.update(incident, { status: 'identified', body: 'A deployment is rolled back.' });
  await card.getByText('A deployment is rolled back.').waitFor();
  assert.is(await card.getByText('We are looking into it.').isVisible(), false);
  await card.getByText('1 earlier update').click();
  assert.is(await card.getByText('We are looking into it.').isVisible(), true);
  await acme.update(incident, { status: 'monitoring', body: 'Payments work again.' });
  await card.getByText('Payments work again.').waitFor();
  assert.is(
    await card.getByText('We are looking into it.').isVisible(),
    true,
    'what the visitor has opened stays open',
  );

  await acme.update(incident, { status: 'resolved', body: 'It is over.', components: { [shop]: 'operational' } });
  await shows(page, 'All systems operational');
  await page.getByText('It is over.').waitFor();
  assert.is(await isMarked(page), true);

  await page.getByRole('link', { name: 'Checkout fails' }).click();
  await shows(page, 'Checkout fails');
  const updates = page.locator('.timeline .update');
  assert.equal(await updates.locator('strong').allInnerTexts(), [
    'Resolved',
    'Monitoring',
    'Identified',
    'Investigating',
  ]);
  assert.equal(faults, []);
  await close();
});

test('a visitor follows a maintenance on a status page from the announcement to the end, without reloading', async ({
  site,
}) => {
  const works = await makePage(site.call, { name: 'Works', subdomain: 'works' });
  const shop = await works.component('Shop');
  const { page, faults, close } = await site.visit();
  await follow(page, site.at('works'));

  const inMinutes = (minutes: number): string => new Date(Date.now() + minutes * 60_000).toISOString();
  const maintenance = await works.incident({
    name: 'New disks',
    status: 'scheduled',
    body: 'We put new disks in.',
    scheduled_for: inMinutes(60),
    scheduled_until: inMinutes(120),
    components: { [shop]: 'under_maintenance' },
  });
  await shows(page, 'Scheduled maintenance', 2);
  await shows(page, 'All systems operational');
  const calendar = await page.getByRole('link', { name: 'Add to calendar' }).getAttribute('href');
  assert.match(await (await fetch(new URL(calendar ?? '', page.url()))).text(), 'SUMMARY:Works: New disks');

  await works.update(maintenance, {
    status: 'in_progress',
    body: 'The first disk is in.',
    components: { [shop]: 'under_maintenance' },
  });
  await shows(page, 'Maintenance in progress', 2);
  await page.getByText('The first disk is in.').waitFor();
  await eventually(async () => (await page.locator('h1').innerText()) === 'Maintenance in progress');

  await works.update(maintenance, {
    status: 'completed',
    body: 'All disks are in.',
    components: { [shop]: 'operational' },
  });
  await shows(page, 'All systems operational');
  await page.getByText('All disks are in.').waitFor();
  assert.is(await page.getByRole('heading', { name: 'Maintenance in progress', level: 2 }).count(), 0);
  assert.is(await isMarked(page), true);
  assert.equal(faults, []);
  await close();
});

const missing = noBrowser();
if (missing === null) test.run();
else console.log(`skipped: ${missing}`);
