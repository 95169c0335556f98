// Own process: a browser stays open for as long as the file runs.
import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { storeUser } from '../../api/v1/login/signed-in-user.ts';
import { eventually } from '../../waiting.ts';
import { noBrowser } from '../browser.ts';
import { assertNothingFailed, openConsole, overflows, signInAt, type Console, type Visitor } from './visits.ts';

const test = suite<{ site: Console; made: { id: string; subdomain: string } }>('status pages in the console');

const HOSTILE = '<img src=x onerror="document.title=1">';

test.before(async (context) => {
  const site = await openConsole();
  context.site = site;
  await storeUser(site.service, 'ann', 'admin');
  await storeUser(site.service, 'vic', 'viewer');
  const page = await created(site, '/v1/pages', { name: 'Acme', subdomain: 'acme' });
  context.made = { id: page, subdomain: 'acme' };
});
test.after(({ site }) => site.stop());

const created = async ({ service }: Console, path: string, body: object): Promise<string> => {
  const reply = await service.request('POST', path, { body });
  assert.ok(reply.status === 200 || reply.status === 201, reply.text);
  return (reply.json() as { id: string }).id;
};
const read = async <T>({ service }: Console, path: string): Promise<T> =>
  (await service.request('GET', path, { key: service.first.keys.admin })).json() as T;

/** Opens a tab at a path for a signed-in user. */
const tabOf = async (site: Console, who: string, path: string, options = {}) => {
  const visitor = await site.visit(options);
  const page = await visitor.open(path);
  await signInAt(page, `${who}@example.com`);
  await page.getByRole('button', { name: /^Account/ }).waitFor();
  return { visitor, page };
};

const end = async (visitor: Visitor): Promise<void> => {
  assertNothingFailed(visitor);
  await visitor.close();
};

const shownNames = (page: Page): Promise<string[]> => page.locator('.tree .component .name button').allInnerTexts();

test('status pages are created with a name, listed with a link to the public page, and deleted after their name is typed', async ({
  site,
}) => {
  const { visitor, page } = await tabOf(site, 'ann', '/console/pages');
  await page.getByRole('row', { name: /^Acme Operational/ }).waitFor();
  assert.match((await page.getByRole('link', { name: 'status/acme' }).getAttribute('href')) ?? '', /\/status\/acme$/);
  await page.getByRole('link', { name: 'New page' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Bravo');
  await page.getByRole('textbox', { name: 'Subdomain' }).fill('-no-');
  await page.getByRole('radio', { name: 'Minimal' }).check();
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByText('Must be 2 to 63 letters a to z, digits and hyphens').waitFor();
  await eventually(() =>
    page.getByRole('textbox', { name: 'Subdomain' }).evaluate((field) => field === document.activeElement),
  );
  assert.is(await page.getByRole('textbox', { name: 'Name' }).inputValue(), 'Bravo');
  assert.equal(visitor.complaints.splice(0), ['422 /v1/pages']);
  await page.getByRole('textbox', { name: 'Subdomain' }).fill('bravo');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { name: 'No components yet' }).waitFor();
  const { pages } = await read<{ pages: { id: string; name: string; template: string }[] }>(site, '/v1/pages');
  assert.is(pages.find(({ name }) => name === 'Bravo')?.template, 'minimal');

  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Delete page' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Delete page' }).click();
  await dialog.getByText('The name does not match.').waitFor();
  await dialog.getByRole('textbox').fill('Bravo');
  await dialog.getByRole('button', { name: 'Delete page' }).click();
  await page.getByRole('link', { name: 'Acme', exact: true }).waitFor();
  assert.is(await page.getByRole('link', { name: 'Bravo' }).count(), 0);
  visitor.complaints.splice(0);
  await page.goto(`${site.address}/console/pages/nonesuch0000`);
  await page.getByRole('heading', { name: 'This does not exist' }).waitFor();
  await page.getByRole('link', { name: 'Status pages' }).last().click();
  await page.getByRole('link', { name: 'Acme', exact: true }).waitFor();
  visitor.complaints.splice(0);
  await end(visitor);
});

test('components of status pages are added, moved by keyboard, and change their status by a click that can be undone', async ({
  site,
  made,
}) => {
  const { visitor, page } = await tabOf(site, 'ann', `/console/pages/${made.id}`);
  const check = await created(site, '/v1/checks', {
    name: 'shop web',
    type: 'web',
    url: 'http://127.0.0.1:9/',
    interval: 3_600,
  });
  const add = async (button: string, name: string): Promise<void> => {
    await page.getByRole('button', { name: button, exact: true }).click();
    await page.getByRole('dialog').getByLabel('Name').fill(name);
    await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  };
  await add('Add component', 'Web');
  await add('Add group', 'Backend');
  await add('Add component', HOSTILE);
  await eventually(async () => (await shownNames(page)).join() === `Web,Backend,${HOSTILE}`);

  // The arrow keys move the item into the group and out of it. The item keeps the focus.
  await page.getByRole('button', { name: 'Move: Web' }).focus();
  await page.keyboard.press('ArrowDown');
  await page.locator('.tree ul .component', { hasText: 'Web' }).waitFor();
  await eventually(() =>
    page.getByRole('button', { name: 'Move: Web' }).evaluate((one) => one === document.activeElement),
  );
  type Stored = { name: string; group_id: string | null; status: string; check_id: string | null }[];
  const stored = (): Promise<Stored> => read<Stored>(site, `/v1/pages/${made.id}/components`);
  const ofWeb = async () => (await stored()).find(({ name }) => name === 'Web');
  await eventually(async () => (await ofWeb())?.group_id != null);
  await page.getByRole('button', { name: `Move: ${HOSTILE}` }).focus();
  await page.keyboard.press('ArrowUp');
  await eventually(async () => (await shownNames(page)).join() === `Backend,Web,${HOSTILE}`);

  const statuses = page.getByRole('group', { name: 'Status: Web' });
  await statuses.getByRole('button', { name: 'Major outage' }).click();
  await page.getByText('Web: Major outage').waitFor();
  assert.is((await ofWeb())?.status, 'major_outage');
  await page.getByRole('button', { name: 'Undo' }).click();
  await eventually(async () => (await ofWeb())?.status === 'operational');

  await page.getByRole('button', { name: 'Web', exact: true }).click();
  const drawer = page.getByRole('dialog');
  await drawer.getByLabel('Watched by').selectOption('check');
  await drawer.getByLabel('Check', { exact: true }).selectOption({ label: 'shop web' });
  await drawer.getByLabel('Show response times').check();
  // Meanwhile, another user saves the component.
  const web = (await read<{ id: string; name: string }[]>(site, `/v1/pages/${made.id}/components`)).find(
    ({ name }) => name === 'Web',
  );
  await site.service.request('PATCH', `/v1/pages/${made.id}/components/${web?.id ?? ''}`, {
    body: { description: 'Our website' },
  });
  await drawer.getByRole('button', { name: 'Save', exact: true }).click();
  await drawer.getByText('Somebody else has changed this in the meantime.').waitFor();
  await drawer.getByRole('button', { name: 'Save mine' }).click();
  await drawer.waitFor({ state: 'detached' });
  await eventually(async () => (await ofWeb())?.check_id === check);
  assert.equal(
    visitor.complaints.splice(0).map((one) => one.slice(0, 4)),
    ['412 '],
  );
  assert.match((await page.locator('.notes a').first().getAttribute('href')) ?? '', `/console/checks/${check}`);

  await page.getByRole('button', { name: 'Actions: Backend' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await eventually(async () => (await ofWeb())?.group_id === null);
  assert.is(await page.title(), 'Acme · Uptrail');
  await end(visitor);
});

test('the preview of a status page shows unsaved changes, and the form shows the colours that the page will use', async ({
  site,
  made,
}) => {
  const { visitor, page } = await tabOf(site, 'ann', `/console/pages/${made.id}/appearance`);
  const preview = page.frameLocator('.page-frames iframe.loaded');
  await preview.getByRole('link', { name: 'Acme', exact: true }).first().waitFor();
  await page.getByLabel('Headline').fill(`Fine ${HOSTILE}`);
  await preview.getByText(`Fine ${HOSTILE}`).waitFor();
  await page.getByLabel('Links', { exact: true }).fill('#ffee00');
  await page.getByText(/^Hard to read: the page uses #[0-9a-f]{6} instead, contrast [\d.]+:1\.$/).waitFor();
  await page.getByLabel('Lines', { exact: true }).fill('blue');
  await page.getByText('The preview continues when all fields are valid.').waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Must be a colour such as #RRGGBB or #RGB.').waitFor();
  await page.getByLabel('Lines', { exact: true }).fill('');
  // The browser asks for a confirmation before the user leaves.
  page.once('dialog', (dialog) => void dialog.dismiss());
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  const stored = await read<Record<string, unknown>>(site, `/v1/pages/${made.id}`);
  assert.equal([stored['headline'], stored['css_link_color']], [`Fine ${HOSTILE}`, '#ffee00']);
  assert.equal([...new Set(visitor.complaints.splice(0).map((one) => one.slice(0, 4)))], ['422 ']);
  await end(visitor);
});

test('the settings, the domain and the passwords of a status page are edited', async ({ site, made }) => {
  const { visitor, page } = await tabOf(site, 'ann', `/console/pages/${made.id}/settings`);
  await page.getByLabel('Time zone').selectOption('Europe/Berlin');
  await page.getByLabel('Hide from search engines').check();
  await page.getByLabel('Websites that may embed it').fill('http://bad.example');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('http://bad.example: Must be an origin').waitFor();
  await page.getByRole('button', { name: 'Remove: http://bad.example' }).click();
  // Meanwhile, another user has changed the page.
  await site.service.request('PATCH', `/v1/pages/${made.id}`, { body: { city: 'Dublin' } });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('button', { name: 'Save mine' }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  const stored = await read<Record<string, unknown>>(site, `/v1/pages/${made.id}`);
  assert.equal(
    [stored['time_zone'], stored['hidden_from_search'], stored['city'], stored['allow_embedding']],
    ['Europe/Berlin', true, 'Dublin', null],
  );
  assert.equal(
    visitor.complaints.splice(0).map((one) => one.slice(0, 4)),
    ['422 ', '412 '],
  );

  await page.getByRole('link', { name: 'Domain', exact: true }).click();
  await page.getByRole('textbox', { name: 'Custom domain' }).fill('status.acme.example');
  await page.getByText(/^status\.acme\.example\. CNAME/).waitFor();

  page.once('dialog', (dialog) => void dialog.accept());
  await page.getByRole('link', { name: 'Passwords', exact: true }).click();
  await page.getByRole('button', { name: 'Add password' }).click();
  const drawer = page.getByRole('dialog');
  await drawer.getByLabel('Name').fill('Partners');
  await drawer.getByRole('button', { name: 'Generate' }).click();
  await drawer.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('heading', { name: 'Copy the password now' }).waitFor();
  const password = await drawer.locator('pre').innerText();
  const opened = await site.service.request('POST', `/v1/pages/${made.id}/verify-password`, { body: { password } });
  assert.is(opened.status, 200, opened.text);
  await drawer.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Actions: Partners' }).click();
  await page.getByRole('button', { name: 'Deactivate' }).click();
  await page.getByText('Inactive').waitFor();
  await page.getByRole('button', { name: 'Actions: Partners' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('heading', { name: 'No passwords' }).waitFor();
  await end(visitor);
});

test('a status page gets a sending domain, and the console shows its DNS records', async ({ site, made }) => {
  const { visitor, page } = await tabOf(site, 'ann', `/console/pages/${made.id}/email`);
  await page.getByLabel('Domain', { exact: true }).fill('acme.example');
  await page.getByLabel('Sender').fill('status@other.example');
  await page.getByRole('button', { name: 'Show records' }).click();
  await page.locator('.problem').first().waitFor();
  await page.getByLabel('Sender').fill('status@acme.example');
  await page.getByRole('button', { name: 'Show records' }).click();
  await page.getByText('_uptrail.acme.example').waitFor();
  assert.is(await page.locator('.dns-record').count(), 4);
  await page.getByRole('button', { name: 'Check again' }).waitFor();
  assert.equal(
    visitor.complaints.splice(0).map((one) => one.slice(0, 4)),
    ['404 ', '422 '],
  );
  await end(visitor);
});

test('subscribers of a status page are added, searched, imported and exported', async ({ site, made }) => {
  const { visitor, page } = await tabOf(site, 'ann', `/console/pages/${made.id}/subscribers`);
  await page.getByRole('button', { name: 'Add subscriber' }).click();
  const drawer = page.getByRole('dialog');
  await drawer.getByLabel('E-mail address').fill('nobody');
  await drawer.getByRole('button', { name: 'Add', exact: true }).click();
  await drawer.locator('.problem').first().waitFor();
  await drawer.getByLabel('E-mail address').fill('ida@example.com');
  await drawer.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByText('is asked to confirm').waitFor();
  await page.getByRole('row', { name: /i\*\*\*@example\.com/ }).waitFor();
  assert.equal(
    visitor.complaints.splice(0).map((one) => one.slice(0, 4)),
    ['422 '],
  );

  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await drawer.getByLabel('File').setInputFiles({
    name: 'subscribers.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`mode,email,skip_confirmation\nemail,olga@example.com,yes\nemail,nobody,\n`),
  });
  await drawer.getByRole('button', { name: 'Import', exact: true }).click();
  await drawer.getByText('1 added, 0 already known, 1 refused').waitFor();
  await drawer.getByRole('row', { name: /^3 email: / }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('2 subscribers', { exact: true }).waitFor();

  await page.getByRole('searchbox').fill('olga@example.com');
  await page.getByText('1 subscriber', { exact: true }).waitFor();
  await eventually(() => new URL(page.url()).searchParams.get('q') === 'olga@example.com');
  await page.getByRole('searchbox').fill('');
  await page.getByLabel('Status').selectOption('pending');
  await page.getByText('1 subscriber', { exact: true }).waitFor();
  await page.reload();
  await page.getByText('1 subscriber', { exact: true }).waitFor();

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  assert.is((await download).suggestedFilename(), 'subscribers.csv');

  await page.getByRole('button', { name: /^Actions: i/ }).click();
  await page.getByRole('button', { name: 'Ask to confirm again' }).click();
  await drawer.getByLabel('E-mail address').fill('ida@example.com');
  await drawer.getByRole('button', { name: 'Ask to confirm again' }).click();
  await page.getByText('is asked to confirm').waitFor();
  await page.getByRole('button', { name: /^Actions: i/ }).click();
  await page.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByText('No subscribers found.').waitFor();
  await end(visitor);
});

test('the drawer of a component lists the intervals that its uptime is computed from', async ({ site }) => {
  const id = await created(site, '/v1/pages', { name: 'Explained', subdomain: 'explained' });
  const component = await created(site, `/v1/pages/${id}/components`, { name: 'Shop' });
  const incident = await created(site, `/v1/pages/${id}/incidents`, {
    name: 'Payments fail',
    body: 'We look into it.',
    status: 'investigating',
    components: { [component]: 'major_outage' },
  });
  site.service.time.now += 60_000;
  const { visitor, page } = await tabOf(site, 'ann', `/console/pages/${id}`);
  await page.getByRole('button', { name: 'Shop', exact: true }).click();
  const drawer = page.getByRole('dialog');
  await drawer.getByText('Uptime and how it is computed').click();
  const row = drawer.getByRole('row').filter({ hasText: 'Major outage' });
  const link = row.getByRole('link', { name: 'an incident' });
  assert.match((await link.getAttribute('href')) ?? '', `/console/pages/${id}/incidents/${incident}`);
  await drawer.getByText('Uptime of the last 90 days:').waitFor();
  await end(visitor);
});

test('the form of a status page never shows and changes another status page', async ({ site }) => {
  const [first, second] = [
    await created(site, '/v1/pages', { name: 'First', subdomain: 'first' }),
    await created(site, '/v1/pages', { name: 'Second', subdomain: 'second' }),
  ];
  const { visitor, page } = await tabOf(site, 'ann', `/console/pages/${first}/settings`);
  const name = page.getByRole('textbox', { name: 'Name' });
  await eventually(async () => (await name.inputValue()) === 'First');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('combobox', { name: 'Search and commands' }).fill('Second');
  await page.getByRole('option', { name: /^Second/ }).click();
  await page.getByRole('heading', { level: 1, name: 'Second' }).waitFor();
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await eventually(async () => (await name.inputValue()) === 'Second');
  await page.evaluate(() => {
    history.go(-2);
  });
  await page.getByRole('heading', { level: 1, name: 'First' }).waitFor();
  await eventually(async () => (await name.inputValue()) === 'First');
  await name.fill('Renamed');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { level: 1, name: 'Renamed' }).waitFor();
  const nameOf = async (id: string) => (await read<{ name: string }>(site, `/v1/pages/${id}`)).name;
  assert.equal([await nameOf(first), await nameOf(second)], ['Renamed', 'Second']);
  await end(visitor);
});

test('viewers see status pages completely, but without buttons that change them', async ({ site, made }) => {
  const { visitor, page } = await tabOf(site, 'vic', `/console/pages/${made.id}`, {
    viewport: { width: 360, height: 740 },
  });
  await page.getByText('Web', { exact: true }).waitFor();
  const main = page.getByRole('main');
  const names = await shownNames(page);
  assert.equal(await main.getByRole('button').allInnerTexts(), ['As it was', ...names]);
  await main.getByRole('button', { name: 'Web', exact: true }).click();
  const drawer = page.getByRole('dialog', { name: 'Web' });
  await drawer.getByText('Uptime of the last 90 days:').waitFor();
  assert.is(await drawer.getByRole('textbox').count(), 0);
  await page.keyboard.press('Escape');
  for (const tab of ['Appearance', 'Settings', 'Domain', 'E-mail', 'Passwords', 'Subscribers']) {
    await page.getByRole('link', { name: tab, exact: true }).click();
    await page.locator('.skeleton').waitFor({ state: 'detached' });
    const buttons = (await main.getByRole('button').allInnerTexts()).filter((text) => !/Copy|As it was/.test(text));
    assert.equal(buttons, [], tab);
    assert.is(await main.locator('form :is(input, textarea, select):enabled').count(), tab === 'Subscribers' ? 3 : 0);
    assert.not(await overflows(page), tab);
  }
  visitor.complaints.splice(0);
  await page.goto(`${site.address}/console/pages/new`);
  await page.getByText('Your role does not allow this.').waitFor();
  assert.is(await main.getByRole('textbox').count(), 0);
  await end(visitor);
});

const missing = noBrowser();
if (missing === null) test.run();
else console.log(`skipped: ${missing}`);
