// Own process: a browser stays open for as long as the file runs.
import type { BrowserContextOptions, Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { storeUser } from '../../api/v1/login/signed-in-user.ts';
import type { Service } from '../../api/service.ts';
import { eventually } from '../../waiting.ts';
import { noBrowser } from '../browser.ts';
import { assertNothingFailed, openConsole, overflows, signInAt, violations, type Console } from './visits.ts';

interface Context {
  site: Console;
  /** id of the edited check */
  id: string;
}

const test = suite<Context>('the check form and secrets');

const LONG = 'A-name-of-200-characters-without-a-space-'.repeat(5).slice(0, 100);
const HOSTILE = `<img src=x onerror="document.title='broken'">`;

const created = async (service: Service, path: string, body: object): Promise<string> => {
  const reply = await service.request('POST', path, { body });
  assert.is(reply.status, 201, reply.text);
  return (reply.json() as { id: string }).id;
};

const read = async (service: Service, id: string): Promise<Record<string, unknown>> =>
  (await service.request('GET', `/v1/checks/${id}`)).json() as Record<string, unknown>;

test.before(async (context) => {
  context.site = await openConsole();
  const { service } = context.site;
  await storeUser(service, 'ann', 'editor');
  await storeUser(service, 'vic', 'viewer');
  await created(service, '/v1/check-groups', { name: HOSTILE });
  const secret_id = await created(service, '/v1/secrets', { secret_name: 'API_TOKEN', secret_value: 'hush-hush-hush' });
  await created(service, '/v1/secrets', { secret_name: 'spare', secret_value: 'hush-hush-hush' });
  const configuration = { url: 'http://127.0.0.1:9/' };
  await created(service, '/v1/alerts/channels', { name: 'On call', type: 'webhook', configuration });
  context.id = await created(service, '/v1/checks', {
    name: LONG,
    type: 'api',
    url: 'http://127.0.0.1:9/api',
    interval: 3_600,
    tags: ['eu'],
    parameters: {
      unknown: { to: 'the form' },
      http_request: { headers: { 'X-Token': 'abc' }, password: 'hunter2-hunter2' },
      assertions: { json: [{ path: '$.status', value: 'ok' }], headers: { Server: null } },
    },
    secrets: [{ secret_id, env_variable: 'TOKEN' }],
  });
});
test.after(({ site }) => site.stop());

const tabOf = async (site: Console, who: string, path: string, options: BrowserContextOptions = {}) => {
  const visitor = await site.visit(options);
  const page = await visitor.open(path);
  await signInAt(page, `${who}@example.com`);
  await page.getByRole('button', { name: /^Account/ }).waitFor();
  return { visitor, page };
};

const nameField = (page: Page) => page.getByRole('textbox', { name: /^Name/ });
const tests = (page: Page) => page.getByRole('region', { name: 'Test run' });

test('the check form saves only changed fields, and preserves parameters that the form does not show', async ({
  site,
  id,
}) => {
  const { visitor, page } = await tabOf(site, 'ann', `/console/checks/${id}/edit`);
  await page.getByLabel('Text that must be present').fill('Welcome');
  await page.getByLabel('JSON path 1').fill('$.state');
  await page.getByLabel('Group').selectOption({ label: HOSTILE });
  await page.getByRole('textbox', { name: 'Tags' }).fill('night,');
  await page.getByRole('checkbox', { name: 'On call' }).check();
  assert.is(await page.locator('main img').count(), 0);
  assert.not.match(await page.content(), 'hush-hush');
  await page.getByRole('button', { name: 'Save' }).click();
  await eventually(() => new URL(page.url()).pathname === `/console/checks/${id}`);
  const check = await read(site.service, id);
  assert.equal(check['parameters'], {
    unknown: { to: 'the form' },
    search_text: 'Welcome',
    http_request: { headers: { 'X-Token': 'abc' }, password: 'hunter2-hunter2' },
    assertions: { json: [{ path: '$.state', operator: 'equals', value: 'ok' }], headers: { Server: null } },
  });
  assert.equal([check['tags'], (check['group'] as { name: string }).name], [['eu', 'night'], HOSTILE]);
  const rules = (await site.service.request('GET', `/v1/alerts/rules?check_id=${id}`)).json() as {
    channels: object[];
  }[];
  assert.is(rules.length, 1);
  assertNothingFailed(visitor);
  await visitor.close();
});

test('the check form reports that somebody else changed the check, and then overwrites or loads that change', async ({
  site,
  id,
}) => {
  const { visitor, page } = await tabOf(site, 'ann', `/console/checks/${id}/edit`);
  await nameField(page).fill('Mine');
  await site.service.request('PATCH', `/v1/checks/${id}`, { body: { name: 'Theirs' } });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Somebody else has changed this in the meantime.').waitFor();
  assert.is(await nameField(page).inputValue(), 'Mine');
  await page.getByRole('button', { name: 'Load their version' }).click();
  await eventually(async () => (await nameField(page).inputValue()) === 'Theirs');
  await nameField(page).fill('Mine');
  await site.service.request('PATCH', `/v1/checks/${id}`, { body: { interval: 1_800 } });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('button', { name: 'Save mine' }).click();
  await eventually(() => new URL(page.url()).pathname === `/console/checks/${id}`);
  const check = await read(site.service, id);
  assert.equal([check['name'], check['interval']], ['Mine', 1_800]);
  const conflict = `412 /v1/checks/${id}`;
  assert.equal(visitor.complaints, [conflict, conflict]);
  await visitor.close();
});

test('the check form asks for confirmation before input is lost, and shows errors next to their fields', async ({
  site,
}) => {
  const { visitor, page } = await tabOf(site, 'ann', '/console/checks/new?type=tcp');
  const requested: string[] = [];
  page.on('dialog', (dialog) => {
    requested.push(dialog.message());
    void (requested.length === 1 ? dialog.dismiss() : dialog.accept());
  });
  await page.getByLabel('Host').fill('not a host');
  await page.getByRole('link', { name: 'Overview' }).click();
  assert.equal(requested, ['Your changes are not saved. Leave anyway?']);
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await eventually(() => page.getByLabel('Host').evaluate((field) => field === document.activeElement));
  assert.is(await page.getByLabel('Host').getAttribute('aria-invalid'), 'true');
  // All errors are shown next to their fields, and none for the form as a whole.
  await page.getByText('Missing required field.').waitFor();
  assert.is(await page.getByLabel('Port', { exact: true }).getAttribute('aria-invalid'), 'true');
  assert.is(await page.locator('.problem.whole').count(), 0);
  assert.is(await page.getByLabel('Host').inputValue(), 'not a host');
  await page.getByRole('link', { name: 'Overview' }).click();
  await eventually(() => requested.length === 2 && new URL(page.url()).pathname === '/console');
  assert.equal(visitor.complaints, ['422 /v1/checks']);
  await visitor.close();
});

test('the check form clones a check with its secrets, and reports if the original does not exist', async ({
  site,
  id,
}) => {
  const { visitor, page } = await tabOf(site, 'ann', `/console/checks/new?from=${id}`);
  assert.is(await nameField(page).inputValue(), 'Copy of Mine');
  assert.is(await page.getByLabel('Variable 1').inputValue(), 'TOKEN');
  await tests(page).getByText('A test run has no access to secrets').waitFor();
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await eventually(() => /\/console\/checks\/[a-z0-9]{12}$/.test(page.url()));
  const clone = await read(site.service, page.url().slice(-12));
  const original = await read(site.service, id);
  assert.is.not(clone['id'], id);
  for (const field of ['type', 'url', 'interval', 'parameters', 'tags', 'group_id'])
    assert.equal(clone[field], original[field], field);
  assert.equal(
    (clone['secrets'] as { env_variable: string }[]).map(({ env_variable }) => env_variable),
    ['TOKEN'],
  );
  assertNothingFailed(visitor);
  await page.goto(`${site.address}/console/checks/aaaabbbbcccc/edit`);
  await page.getByRole('heading', { name: 'This does not exist' }).waitFor();
  await visitor.close();
});

test('the secrets screen creates, replaces and deletes secrets by name', async ({ site }) => {
  const { visitor, page } = await tabOf(site, 'ann', '/console/secrets');
  await page.getByRole('button', { name: 'New secret' }).click();
  await page.getByLabel('Name').fill('has blanks');
  await page.getByLabel('Value', { exact: true }).fill('hush-hush-too');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByText(/^Must have at most 100 letters, digits/).waitFor();
  await page.getByLabel('Name').fill('second');
  await page.getByRole('button', { name: 'Create' }).click();
  const row = page.getByRole('row', { name: /^second/ });
  await row.waitFor();
  await row.getByRole('button', { name: 'Actions: second' }).click();
  await page.getByRole('button', { name: 'Replace the value' }).click();
  await page.getByLabel('New value').fill('another-value');
  await page.getByRole('dialog').getByRole('button', { name: 'Replace the value' }).click();
  await page.getByText('The value of second was replaced.').waitFor();
  assert.not.match(await page.content(), /hush-hush|another-value/);
  await row.getByRole('button', { name: 'Actions: second' }).click();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await row.waitFor({ state: 'detached' });
  assert.equal(visitor.complaints.splice(0), ['422 /v1/secrets']);

  // A secret in use is not deleted. The message names the checks that use it.
  const used = page.getByRole('row', { name: /^API_TOKEN/ });
  await used.getByRole('button', { name: /^Actions/ }).click();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText(/This secret is bound to the checks ".*Mine"/).waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await used.waitFor();
  await visitor.close();
});

test('the check form is opened from the list by keyboard, and many checks are changed at the same time', async ({
  site,
  id,
}) => {
  const { visitor, page } = await tabOf(site, 'ann', '/console/checks');
  await page.locator('tr[data-id]', { hasText: 'Copy of Mine' }).waitFor();
  await page.getByRole('checkbox', { name: 'Select all checks' }).click();
  const bar = page.getByRole('region', { name: 'Selected checks' });
  await bar.getByRole('button', { name: 'Group' }).click();
  await page.getByRole('button', { name: 'No group' }).click();
  await page.getByText('Changed 2 checks.').waitFor();
  await bar.getByRole('button', { name: 'Interval' }).click();
  await page.getByRole('spinbutton', { name: 'Interval' }).fill('2');
  await page.keyboard.press('Enter');
  await eventually(async () => (await read(site.service, id))['interval'] === 120);
  await bar.getByRole('button', { name: 'Channels' }).click();
  await page.getByRole('checkbox', { name: 'On call' }).check();
  await page.getByRole('button', { name: 'Set' }).click();
  await eventually(async () => (await page.getByRole('dialog').count()) === 0);
  await bar.getByRole('button', { name: 'More' }).click();
  await page.getByRole('spinbutton', { name: 'Timeout' }).fill('7');
  await page.keyboard.press('Enter');
  await eventually(async () => {
    const check = await read(site.service, id);
    return check['timeout'] === 7 && check['group_id'] === null;
  });
  await page.locator('body').press('Escape');
  await page.keyboard.press('j');
  await page.keyboard.press('e');
  await page.getByRole('heading', { name: 'Edit check' }).waitFor();
  await page.goBack();
  await page.locator('tr[data-id]').first().waitFor();
  await page.locator('body').press('n');
  await page.getByRole('heading', { name: 'New check' }).waitFor();
  assertNothingFailed(visitor);
  await visitor.close();
});

test('the check form is not offered to viewers', async ({ site, id }) => {
  const { visitor, page } = await tabOf(site, 'vic', '/console/checks');
  await page.locator('tr[data-id]').first().waitFor();
  assert.is(await page.getByRole('link', { name: 'New check' }).count(), 0);
  await page.keyboard.press('n');
  await page.keyboard.press('j');
  await page.keyboard.press('e');
  await page.getByRole('heading', { name: 'Checks' }).waitFor();
  assert.is(new URL(page.url()).pathname, '/console/checks');
  for (const path of ['new', `${id}/edit`]) {
    await page.goto(`${site.address}/console/checks/${path}`);
    await page.getByRole('heading', { name: 'Your role does not allow this.' }).waitFor();
    assert.is(await page.locator('main form').count(), 0);
  }
  await page.goto(`${site.address}/console/secrets`);
  await page.getByRole('row', { name: /^API_TOKEN/ }).waitFor();
  assert.is(await page.locator('main button').count(), 0);
  assertNothingFailed(visitor);
  await visitor.close();
});

const LOOKS: Readonly<Record<string, BrowserContextOptions>> = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  'on a phone': { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
};

/** Check types whose forms differ. */
const TYPES = ['web', 'tcp', 'ssl', 'dns', 'icmp', 'portscan', 'synthetic'];

/** Makes the service respond with a failed run to any test of a check. */
const withRun = async (page: Page): Promise<void> => {
  const region = { region: 'RU, Moscow', result_id: 'r', response_time: 142, error_message: `Failed. ${HOSTILE}` };
  const job = { id: 'j', status: 'completed', error_message: null, result: { ...region, status: 'failed' } };
  const check_metadata = {
    logs: [
      { level: 'error', message: HOSTILE },
      { level: 'log', message: 'fine' },
    ],
    test_results: [
      {
        name: LONG,
        status: 'failed',
        duration: 5,
        error: HOSTILE,
        steps: [{ name: LONG, status: 'failed', duration: 1 }],
      },
    ],
    notes: [HOSTILE],
  };
  await page.route('**/v1/checks/execute', (route) => route.fulfill({ status: 202, json: { job_id: 'j' } }));
  await page.route('**/v1/checks/*/execute', (route) => route.fulfill({ status: 202, json: { job_id: 'j' } }));
  await page.route('**/v1/checks/jobs/j', (route) => route.fulfill({ json: job }));
  await page.route('**/v1/checks/all-results?*', (route) =>
    route.fulfill({ json: { results: [{ error_message: `Failed. ${HOSTILE}`, check_metadata }] } }),
  );
};

for (const [look, options] of Object.entries(LOOKS))
  test(`the check form is accessible in every state (${look})`, async ({ site, id }) => {
    const found: string[] = [];
    const { visitor, page } = await tabOf(site, 'ann', '/console/nowhere', options);
    const hold = async (title: string): Promise<void> => {
      await page.getByRole('heading', { level: 1 }).waitFor();
      found.push(...(await violations(page)).map((violation) => `${title}: ${violation}`));
      if (await overflows(page)) found.push(`${title}: it can be scrolled sideways`);
    };
    await withRun(page);
    await page.goto(`${site.address}/console/checks/${id}/edit`);
    await page.getByText('Advanced settings').click();
    await tests(page).getByRole('button', { name: 'Run the saved check' }).click();
    await tests(page).getByText('Failed', { exact: true }).first().waitFor();
    await hold('an edited check');
    for (const type of look === 'light' ? TYPES : ['web', 'synthetic']) {
      await page.goto(`${site.address}/console/checks/new?type=${type}`);
      await page.getByRole('heading', { name: 'New check' }).waitFor();
      for (const folded of await page.locator('form details > summary').all()) await folded.click();
      await hold(`a new ${type} check`);
    }
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByText('Missing required field.').first().waitFor();
    await hold('a check that was refused');
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await tests(page).getByText('Failed', { exact: true }).first().waitFor();
    await hold('a test run');
    assert.is(await page.locator('main img').count(), 0);
    assert.is(await page.title(), 'New check · Uptrail');
    await page.goto(`${site.address}/console/secrets`);
    await page.getByRole('row', { name: /^API_TOKEN/ }).waitFor();
    await hold('secrets');
    await page.getByRole('button', { name: 'New secret' }).click();
    await hold('a new secret');
    await page.keyboard.press('Escape');
    await page.route('**/v1/secrets?*', (route) =>
      route.fulfill({ json: { secrets: [], pagination: { has_next: false } } }),
    );
    await page.reload();
    await page.getByText('No secrets yet').waitFor();
    await hold('no secrets');
    await page.route('**/v1/checks/overview?*', (route) =>
      route.fulfill({
        json: { checks: [], counts: { up: 0, down: 0, pending: 0, paused: 0 }, pagination: { total_items: 0 } },
      }),
    );
    await page.goto(`${site.address}/console/checks`);
    await page.getByLabel('Address').fill('shop.example.com');
    await page.getByText('Certificate must be valid').waitFor();
    await hold('a proposal');
    await visitor.close();
    assert.equal(found, []);
  });

const missing = noBrowser();
if (missing === null) test.run();
else console.log(`skipped: ${missing}`);
