// Own process: a browser and a service stay open for as long as the file runs.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { whyNoSandbox } from '../../../probes/script/sandbox/why-no-sandbox.ts';
import { closeServers, httpServer } from '../../probes/web/servers.ts';
import { eventually } from '../../waiting.ts';
import { noBrowser, openBrowser } from '../browser.ts';
import { callApi, endPrograms, serve, type RunningProgram } from '../program.ts';
import { assertNothingFailed, signInAt, visiting, type Console, type Visitor } from './visits.ts';

const KEY = 'the-admin-key-of-this-test';
const EMAIL = 'ann@example.com';
const PASSWORD = 'three quiet herons';

interface Context {
  folder: string;
  program: RunningProgram;
  browser: Browser;
  visit: Console['visit'];
  /** the response of the target */
  target: { port: number; answer: string; status: number };
}

const test = suite<Context>('creating a check in the console');

test.before(async (context) => {
  context.folder = mkdtempSync(join(tmpdir(), 'uptrail-'));
  context.program = await serve({ DATA_DIR: context.folder, ADMIN_API_KEY: KEY });
  context.browser = await openBrowser();
  context.visit = visiting(context.browser, context.program.address);
  const target = { port: 0, answer: '<title>Shop</title> Welcome', status: 200 };
  const { port } = await httpServer((_, response) => {
    response.statusCode = target.status;
    response.setHeader('Content-Type', 'text/html');
    response.end(target.answer);
  });
  context.target = Object.assign(target, { port });
});
test.after(async ({ browser, folder }) => {
  await browser.close();
  await endPrograms();
  await closeServers();
  rmSync(folder, { recursive: true, force: true });
});

const api = async (program: RunningProgram, method: string, path: string, body?: object): Promise<unknown> => {
  const answer = await callApi(program, KEY, method, path, body);
  assert.ok(answer.status < 300, JSON.stringify(answer.body));
  return answer.body;
};

/** Opens a tab at a path for the first user. */
const tabAt = async ({ visit }: Context, path: string): Promise<{ visitor: Visitor; page: Page }> => {
  const visitor = await visit();
  const page = await visitor.open(path);
  await signInAt(page, EMAIL, PASSWORD);
  await page.getByRole('button', { name: /^Account/ }).waitFor();
  return { visitor, page };
};

const urlOf = ({ target }: Context, path = '/'): string => `http://127.0.0.1:${target.port}${path}`;

/** Returns the id of the check on the screen. */
const idShown = async (page: Page): Promise<string> => {
  await eventually(() => /\/console\/checks\/[a-z0-9]{12}$/.test(page.url()));
  return page.url().slice(-12);
};

const runPanel = (page: Page) => page.getByRole('region', { name: 'Test run' });

test('the first check only needs an address, and its first result suggests a status page', async (context) => {
  const visitor = await context.visit();
  const page = await visitor.open();
  await page.getByLabel('Admin key', { exact: true }).fill(KEY);
  await page.keyboard.press('Enter');
  await page.getByLabel('E-mail').fill(EMAIL);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Repeat the password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'What should I watch?' }).waitFor();

  const address = page.getByLabel('Address');
  await address.fill('nothing at all');
  await page.keyboard.press('Enter');
  await page.getByText('Enter a URL, a host, a host with a port, or an IP address.').waitFor();
  await address.fill('shop.example.com');
  await page.getByText('Certificate must be valid for 14 more days').waitFor();
  assert.ok(await page.getByRole('radio', { name: 'Website' }).isChecked());
  await address.fill(urlOf(context));
  await page.getByLabel('Text that must be present').fill('Welcome');
  await page.getByRole('button', { name: 'Start watching' }).click();
  const id = await idShown(page);
  await page.getByText(`127.0.0.1:${context.target.port} is up.`).waitFor();
  assert.ok(await page.getByRole('link', { name: 'Create a status page' }).isVisible());
  const check = (await api(context.program, 'GET', `/v1/checks/${id}`)) as Record<string, unknown>;
  assert.equal(
    [check['type'], check['url'], check['interval'], check['parameters']],
    ['web', urlOf(context), 60, { search_text: 'Welcome' }],
  );
  assertNothingFailed(visitor);
  await visitor.close();
});

test('a check is tested before it is saved, and the form shows what went wrong', async (context) => {
  const { visitor, page } = await tabAt(context, '/console/checks/new');
  await page.getByLabel('URL').fill('https://me:secret@shop.example.com/');
  await page.getByLabel('Port').waitFor({ state: 'detached' });
  await runPanel(page).getByRole('button', { name: 'Test' }).click();
  // The error is shown next to its field, which has the focus.
  await page.getByText('Must be an http or https URL without user name and password.').waitFor();
  await eventually(() => page.getByLabel('URL').evaluate((field) => field === document.activeElement));
  assert.equal(visitor.complaints.splice(0), ['422 /v1/checks/execute']);

  context.target.answer = `<img src=x onerror="document.title='broken'"><script>document.title='broken'</script>`;
  await page.getByLabel('URL').fill(urlOf(context, '/cart'));
  await page.getByLabel('Text that must be present').fill('Welcome');
  await runPanel(page).getByRole('button', { name: 'Test' }).click();
  await runPanel(page).getByText('Failed').waitFor();
  await runPanel(page).getByText('onerror').waitFor();
  assert.is(await runPanel(page).locator('img, script').count(), 0);
  assert.is(await page.title(), 'New check · Uptrail');
  await page.getByLabel('Text that must be present').fill('onerror');
  await runPanel(page).getByRole('button', { name: 'Test again' }).click();
  await runPanel(page).getByText('Up', { exact: true }).waitFor();

  await page.getByRole('button', { name: 'Create', exact: true }).click();
  const id = await idShown(page);
  const check = (await api(context.program, 'GET', `/v1/checks/${id}`)) as Record<string, unknown>;
  assert.is(check['name'], `127.0.0.1:${context.target.port}/cart`);
  assertNothingFailed(visitor);
  await visitor.close();
});

const SCRIPT = `import { test } from '@playwright/test';
test('a customer looks around', async ({ request }) => {
  console.log('<b>looking</b>');
  await test.step('open the shop', async () => {
    throw new Error('closed');
  });
});`;

test('the console has an editor for script checks, which shows the line of an error and the log', async (context) => {
  const { visitor, page } = await tabAt(context, '/console/checks/new?type=multistep');
  await page.getByLabel('Template').selectOption({ label: 'API: create, read, update, delete' });
  await page.getByText('This script reads API_TOKEN: bind a secret to each.').waitFor();
  const script = page.getByRole('textbox', { name: 'Script' });
  assert.match(await script.inputValue(), 'const COLLECTION');
  assert.is(await page.getByLabel('Name').inputValue(), 'API: create, read, update, delete');

  // Tab indents the line. After Escape, Tab moves the focus.
  await script.fill('a');
  await script.press('Tab');
  assert.is(await script.inputValue(), 'a  ');
  await script.press('Control+z');
  assert.is(await script.inputValue(), 'a');
  await script.press('Escape');
  await script.press('Tab');
  assert.not(await script.evaluate((field) => field === document.activeElement));

  await script.fill(SCRIPT);
  await runPanel(page).getByRole('button', { name: 'Test' }).click();
  await runPanel(page)
    .getByText(/^(?:Failed|Up|Timed out)$/)
    .first()
    .waitFor();
  await runPanel(page).getByText('<b>looking</b>').waitFor();
  await page.getByText('The error is on line 4.').waitFor();
  assert.is(await page.locator('.numbers .wrong').innerText(), '4');
  assertNothingFailed(visitor);
  await visitor.close();
});

const missing = noBrowser() ?? (await whyNoSandbox());
if (missing === null) test.run();
else console.log(`skipped: ${missing}`);
