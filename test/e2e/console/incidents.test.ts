// Own process: a browser stays open for as long as the file runs.
import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { storeUser } from '../../api/v1/login/signed-in-user.ts';
import { eventually } from '../../waiting.ts';
import { noBrowser } from '../browser.ts';
import { assertNothingFailed, openConsole, signInAt, type Console, type Visitor } from './visits.ts';

interface Scene {
  site: Console;
  page_id: string;
  shop: string;
}

const test = suite<Scene>('incidents in the console');

const HOSTILE = '<img src=x onerror="document.title=1"><script>document.title=2</script>';

const made = async ({ service }: Console, path: string, body: object): Promise<string> => {
  const reply = await service.request('POST', path, { body });
  assert.ok(reply.status < 300, reply.text);
  return (reply.json() as { id: string }).id;
};
const read = async ({ service }: Console, path: string): Promise<Record<string, unknown>> =>
  (await service.request('GET', path)).json() as Record<string, unknown>;

test.before(async (context) => {
  const site = await openConsole();
  context.site = site;
  context.page_id = await made(site, '/v1/pages', { name: 'Acme', subdomain: 'acme', time_zone: 'Asia/Tokyo' });
  context.shop = await made(site, `/v1/pages/${context.page_id}/components`, { name: 'Shop' });
  await made(site, `/v1/pages/${context.page_id}/components`, { name: HOSTILE });
  for (const email of ['a@example.com', 'b@example.com']) {
    const body = { mode: 'email', email, skip_confirmation_notification: true };
    await made(site, `/v1/pages/${context.page_id}/subscribers`, body);
  }
  await storeUser(site.service, 'ann', 'editor');
  await storeUser(site.service, 'bob', 'editor');
  await storeUser(site.service, 'vic', 'viewer');
});
test.after(({ site }) => site.stop());

/** Opens a tab at a path for a signed-in user. */
const tabOf = async (site: Console, who: string, path: string): Promise<{ visitor: Visitor; page: Page }> => {
  const visitor = await site.visit({ viewport: { width: 1_300, height: 900 }, timezoneId: 'Europe/Berlin' });
  const page = await visitor.open(path);
  await signInAt(page, `${who}@example.com`);
  await page.getByRole('button', { name: /^Account/ }).waitFor();
  return { visitor, page };
};

const frameOf = (page: Page) => page.frameLocator('iframe[title="Preview"]');
const statusOf = async (site: Console, page_id: string, id: string): Promise<unknown> =>
  (await read(site, `/v1/pages/${page_id}/components/${id}`))['status'];
const open = (site: Console, page_id: string, more: object = {}): Promise<string> =>
  made(site, `/v1/pages/${page_id}/incidents`, {
    name: 'Search is slow',
    body: 'We look into it.',
    status: 'investigating',
    components: {},
    deliver_notifications: false,
    ...more,
  });

test('incidents are written next to their preview, published by keyboard, and undone before messages are sent', async (context) => {
  const { site, page_id, shop } = context;
  const { visitor, page } = await tabOf(site, 'ann', '/console/incidents');
  await page.getByText('No incident is running.').waitFor();
  await page.getByRole('link', { name: 'New incident' }).click();
  await page.getByLabel('Title').fill('Checkout fails');
  await page.getByLabel('Message').fill('We **look** into it.');
  await page.getByLabel('Add a component …').selectOption({ label: 'Shop' });
  await page.getByLabel('Status: Shop').selectOption('major_outage');
  await frameOf(page).getByRole('heading', { name: 'Checkout fails' }).waitFor();
  await frameOf(page).locator('strong', { hasText: 'look' }).waitFor();
  await page.locator('.message-preview .audience', { hasText: '2 mails' }).waitFor();
  await page.getByRole('radio', { name: 'Mail' }).check();
  await page.getByText('[Acme] Investigating: Checkout fails').waitFor();
  await frameOf(page).getByText('Investigating').first().waitFor();
  await page.getByRole('radio', { name: 'SMS' }).check();
  await page.getByText('Acme: Investigating: Checkout fails').waitFor();

  // A reload restores the draft.
  await page.reload();
  await page.getByText('This is the draft that you started earlier.').waitFor();
  assert.is(await page.getByLabel('Title').inputValue(), 'Checkout fails');
  await page.getByLabel('Message').press('Control+Enter');
  await page.getByRole('heading', { name: 'Checkout fails' }).first().waitFor();
  await page.getByText('Published on the page.').waitFor();
  await page.locator('.countdown', { hasText: /Messages are sent in \d+ seconds?\./ }).waitFor();
  assert.is(await statusOf(site, page_id, shop), 'major_outage');

  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('heading', { name: 'New incident' }).waitFor();
  assert.is(await page.getByLabel('Title').inputValue(), 'Checkout fails');
  assert.is(await statusOf(site, page_id, shop), 'operational');
  assert.equal(await read(site, `/v1/pages/${page_id}/incidents`), []);

  // This time the publication is not undone.
  await page.getByRole('button', { name: 'Publish' }).click();
  await page.getByText('Published on the page.').waitFor();
  await page.getByRole('radio', { name: 'Resolved' }).check();
  assert.is(await page.getByLabel('Status: Shop').inputValue(), 'operational');
  await page.getByLabel('Message').fill('It works again.');
  await page.getByRole('button', { name: 'Publish' }).click();
  await page.locator('.timeline li', { hasText: 'It works again.' }).waitFor();
  await eventually(async () => (await statusOf(site, page_id, shop)) === 'operational');
  assert.is(await page.evaluate(() => sessionStorage.length), 0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.locator('.timeline li', { hasText: 'It works again.' }).waitFor({ state: 'detached' });
  assert.is(await page.getByLabel('Message').inputValue(), 'It works again.');
  assert.is(await statusOf(site, page_id, shop), 'major_outage');
  await page.getByRole('button', { name: 'Discard it' }).click();
  assertNothingFailed(visitor);
  await visitor.close();
});

test('incident forms show errors next to their fields, and preserve the input', async ({ site, page_id }) => {
  const { visitor, page } = await tabOf(site, 'ann', `/console/pages/${page_id}/incidents/new`);
  await page.getByLabel('Title').fill('Only a title');
  await page.getByRole('button', { name: 'Publish' }).click();
  const field = page.getByLabel('Message');
  await eventually(async () => (await field.getAttribute('aria-invalid')) === 'true');
  assert.is(await page.getByLabel('Title').inputValue(), 'Only a title');
  assert.ok(await field.evaluate((element) => element === document.activeElement));
  await visitor.close();
});

test('an incident shows updates by other users before one’s own update is published', async ({ site, page_id }) => {
  const id = await open(site, page_id);
  const { visitor, page } = await tabOf(site, 'ann', `/console/pages/${page_id}/incidents/${id}`);
  await page.getByLabel('Message').fill('Mine.');
  await site.service.request('PATCH', `/v1/pages/${page_id}/incidents/${id}`, { body: { body: HOSTILE } });
  const notice = page.getByRole('alert').filter({ hasText: 'Somebody else published an update in the meantime.' });
  await notice.getByText(HOSTILE).waitFor();
  await page.getByRole('button', { name: 'Publish' }).click();
  assert.is(((await read(site, `/v1/pages/${page_id}/incidents/${id}`))['incident_updates'] as unknown[]).length, 2);
  await page.getByRole('button', { name: 'Continue with my draft' }).click();
  await page.getByRole('button', { name: 'Publish' }).click();
  await page.locator('.timeline li', { hasText: 'Mine.' }).waitFor();
  assert.is(await notice.count(), 0);
  assertNothingFailed(visitor);
  await visitor.close();
});

test('updates of an incident are edited and deleted, and its postmortem is saved automatically', async (context) => {
  const { site, page_id } = context;
  const id = await open(site, page_id, { status: 'resolved', name: HOSTILE, body: HOSTILE });
  const at = `/v1/pages/${page_id}/incidents/${id}`;
  await made(site, `${at}/incident_updates`, { status: 'resolved', body: 'Typo', deliver_notifications: false });
  const { visitor, page } = await tabOf(site, 'ann', `/console/pages/${page_id}/incidents/${id}`);
  const newest = page.locator('.timeline li').first();
  await newest.getByRole('button', { name: /^Actions/ }).click();
  await newest.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('dialog').getByLabel('Message').fill('Corrected.');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await newest.getByText('Corrected.').waitFor();
  await newest.getByRole('button', { name: /^Actions/ }).click();
  await newest.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.locator('.timeline li', { hasText: 'Corrected.' }).waitFor({ state: 'detached' });
  assertNothingFailed(visitor);

  await page.getByRole('link', { name: 'Postmortem' }).click();
  await page.getByLabel('Postmortem', { exact: true }).fill('# Why\n\nA disk.');
  await page.getByText('Draft saved').waitFor();
  assert.is((await read(site, `${at}/postmortem`))['body_draft'], '# Why\n\nA disk.');
  await page.getByLabel('Notify subscribers').uncheck();
  await page.getByRole('button', { name: 'Publish the postmortem' }).click();
  await eventually(async () => (await read(site, `${at}/postmortem`))['body'] === '# Why\n\nA disk.');
  assert.is((await read(site, `${at}/postmortem`))['notify_subscribers'], false);
  await page.getByRole('button', { name: 'Unpublish' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Unpublish' }).click();
  await page.getByRole('button', { name: 'Unpublish' }).first().waitFor({ state: 'detached' });
  assert.is((await read(site, at))['postmortem_body'], null);
  assert.match(await page.title(), 'onerror');
  await visitor.close();
});

test('viewers see incidents without editors', async ({ site, page_id }) => {
  const id = await open(site, page_id, { name: 'For viewers' });
  const { visitor, page } = await tabOf(site, 'vic', '/console/incidents');
  await page.getByRole('link', { name: 'For viewers' }).click();
  await page.locator('.timeline li', { hasText: 'We look into it.' }).waitFor();
  const buttons = await page.locator('main button, main textarea').allInnerTexts();
  assert.equal(
    buttons.map((text) => text.trim()),
    ['As it was', 'As it was'],
  );
  await page.goto(`${site.address}/console/pages/${page_id}/incidents/new`);
  await page.getByText('Your role does not allow this.').waitFor();
  await page.goto(`${site.address}/console/pages/${page_id}/incidents/${id.replace(/.$/, '0')}x`);
  await page.getByRole('heading', { name: 'This does not exist' }).waitFor();
  await page.goto(`${site.address}/console/maintenances`);
  await page.getByText('No maintenance is planned.').waitFor();
  assert.is(await page.getByRole('link', { name: 'Schedule maintenance' }).count(), 0);
  await visitor.close();
});

test('an update of an incident leads to the state in which the update was recorded, even if its time is earlier', async ({
  site,
  page_id,
}) => {
  const id = await open(site, page_id, { name: 'Backdated' });
  const updates = `/v1/pages/${page_id}/incidents/${id}/incident_updates`;
  site.service.time.now += 60_000;
  await made(site, updates, { status: 'identified', body: 'A disk is full.', deliver_notifications: false });
  site.service.time.now += 60_000;
  await made(site, updates, { status: 'monitoring', body: 'It has space.', deliver_notifications: false });
  site.service.time.now += 60_000;
  const { visitor, page } = await tabOf(site, 'vic', `/console/pages/${page_id}/incidents/${id}`);
  const row = page.locator('.timeline li', { hasText: 'A disk is full.' });
  await row.getByRole('button', { name: 'As it was' }).click();
  await page.getByRole('region', { name: 'As it was' }).waitFor();
  await page.locator('.timeline li', { hasText: 'It has space.' }).waitFor({ state: 'detached' });
  await row.waitFor();
  assertNothingFailed(visitor);
  await visitor.close();
});

test('future maintenances are planned in a calendar, and are started and completed manually', async ({
  site,
  page_id,
}) => {
  const { visitor, page } = await tabOf(site, 'ann', '/console/maintenances?month=2027-01');
  const day = page.locator('[data-day="2027-01-01"]');
  await day.focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('PageDown');
  await page.getByRole('heading', { name: 'February 2027' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByText('There is no maintenance on this day.').waitFor();
  await page.getByRole('dialog').getByRole('link', { name: 'Schedule maintenance' }).click();
  await page.getByLabel('Title').fill('New disks');
  await page.getByLabel('Message').fill('We change disks.');
  // The browser is in Berlin and the page in Tokyo: 2 AM here is 10 AM on the page.
  await page.getByText('On the page: Feb 2, 2027, 10:00 AM, Asia/Tokyo').waitFor();
  await page.getByRole('button', { name: 'Schedule', exact: true }).click();
  await page.getByRole('heading', { name: 'New disks' }).first().waitFor();
  await page.getByRole('button', { name: 'Start now' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Start' }).click();
  await page.getByRole('button', { name: 'Complete now' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Complete' }).click();
  await page.locator('.incident-state', { hasText: 'Completed' }).waitFor();
  await page.goto(`${site.address}/console/maintenances?month=2027-02`);
  await page
    .locator('.calendar')
    .getByRole('link', { name: /New disks/ })
    .waitFor();
  const maintenance = `/v1/pages/${page_id}/incidents/maintenance?status=completed`;
  const [stored] = (await read(site, maintenance)) as unknown as Record<string, unknown>[];
  assert.ok(stored);
  assert.is(stored['scheduled_for'], '2027-02-02T01:00:00.000000');
  assert.is(stored['scheduled_auto_completed'], true);
  assertNothingFailed(visitor);
  await visitor.close();
});

test('incidents start from templates, which are created from incidents, and a template is edited by one user at a time', async ({
  site,
  page_id,
  shop,
}) => {
  const id = await open(site, page_id, { name: 'Payments fail', components: { [shop]: 'partial_outage' } });
  const { visitor, page } = await tabOf(site, 'bob', `/console/pages/${page_id}/incidents/${id}`);
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('button', { name: 'Save as template' }).click();
  await page.getByLabel('Name of the template').fill('Provider is down');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('link', { name: 'Provider is down' }).click();
  const [template] = (await read(site, '/v1/incident-templates'))['incident_templates'] as { id: string }[];
  const at = `/v1/incident-templates/${template?.id ?? ''}`;
  await page.getByLabel('Title').fill('Card payments fail');
  await site.service.request('PATCH', at, { body: { body: 'Theirs.' } });
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Somebody else has changed this in the meantime.').waitFor();
  await page.getByRole('button', { name: 'Save mine' }).click();
  await page.getByRole('link', { name: 'Provider is down' }).waitFor();
  assert.is((await read(site, at))['incident_name'], 'Card payments fail');
  await page.getByRole('button', { name: /^Actions: Provider/ }).click();
  await page.getByRole('link', { name: 'Use on Acme' }).click();
  await eventually(async () => (await page.getByLabel('Title').inputValue()) === 'Card payments fail');
  assert.is(await page.getByLabel('Status: Shop').inputValue(), 'partial_outage');
  await visitor.close();
});

const missing = noBrowser();
if (missing === null) test.run();
else console.log(`skipped: ${missing}`);
