// Own process: a browser stays open for as long as the file runs.
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { resetPath } from '../../../domain/organization/user-links.ts';
import { requestReset } from '../../../domain/organization/user-passwords.ts';
import { organizationDecider } from '../../../domain/organization/state.ts';
import { instantOf } from '../../../domain/time.ts';
import { codeAt } from '../../authenticator.ts';
import { pageOfLink } from '../../account-links.ts';
import { PASSWORD, storeUser } from '../../api/v1/login/signed-in-user.ts';
import { wentDown } from '../../domain/check/examples.ts';
import { eventually } from '../../waiting.ts';
import { noBrowser } from '../browser.ts';
import { assertNothingFailed, openConsole, overflows, signInAt, violations, type Console } from './visits.ts';

const test = suite<{ site: Console }>('accounts in the console');

test.before(async (context) => {
  context.site = await openConsole({ mails: false });
  await storeUser(context.site.service, 'ann', 'admin');
  await storeUser(context.site.service, 'vic', 'viewer');
});
test.after(({ site }) => site.stop());

const NEXT = 'another quiet heron';
const HOSTILE = '<img src=x onerror="document.title=1">';

const account = (page: Page) => page.getByRole('button', { name: /^Account/ });

/** Opens a tab at a path for a signed-in user. */
const tabOf = async (site: Console, who: string, path: string, options = {}) => {
  const visitor = await site.visit(options);
  const page = await visitor.open(path);
  await signInAt(page, `${who}@example.com`);
  return { visitor, page };
};

test('users are invited, join with a link, get another role, and are removed', async ({ site }) => {
  const { visitor, page } = await tabOf(site, 'ann', '/console/people');
  await page.getByRole('button', { name: 'Invite' }).click();
  await page.getByLabel('E-mail').fill('nobody');
  await page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click();
  await page.getByText('Must be an e-mail address, such as ivan@example.com.').waitFor();
  assert.ok(await page.getByLabel('E-mail').evaluate((field) => field === document.activeElement));
  await page.getByLabel('E-mail').fill('ida@example.com');
  await page.getByLabel('Role').selectOption('editor');
  await page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click();
  const link = await page.getByRole('region', { name: 'Invitation link' }).innerText();
  assert.match(link, /^http:\/\/127\.0\.0\.1:\d+\/console\/invitation#token=/);
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('rowheader', { name: 'ida@example.com' }).waitFor();

  const guest = await site.visit();
  const joining = await guest.open(new URL(link).pathname + new URL(link).hash);
  await joining.getByRole('heading', { name: 'Accept the invitation' }).waitFor();
  assert.is(await joining.getByLabel('E-mail').inputValue(), 'ida@example.com');
  assert.equal(await violations(joining), []);
  await joining.getByLabel('First name').fill(HOSTILE.slice(0, 50));
  await joining.getByLabel('Password', { exact: true }).fill('password1');
  await joining.getByLabel('Repeat the password', { exact: true }).fill('password1');
  await joining.getByRole('button', { name: 'Accept' }).click();
  await joining.getByText('Is a commonly used password').waitFor();
  for (const label of ['Password', 'Repeat the password']) await joining.getByLabel(label, { exact: true }).fill(NEXT);
  await joining.getByRole('button', { name: 'Accept' }).click();
  await account(joining).waitFor();
  assert.is(new URL(joining.url()).hash, '');
  // The page for browsers without JavaScript also reports that the link was used.
  await joining.goto(site.address + pageOfLink(link));
  await joining.getByRole('heading', { name: 'This invitation was accepted' }).waitFor();
  await joining.goto(link);
  await joining.getByRole('heading', { name: 'This invitation was accepted' }).waitFor();
  await guest.close();

  const row = page.getByRole('row', { name: /ida@example\.com/ });
  await row.getByText('Active').waitFor();
  await row.getByText('<img src=x').waitFor();
  assert.is(await page.locator('main img').count(), 0);
  await row.getByRole('button', { name: /^Actions/ }).click();
  await page.getByRole('button', { name: 'Change role', exact: true }).click();
  await page.getByLabel('Role').selectOption('viewer');
  await page.getByRole('button', { name: 'Save' }).click();
  await row.getByText('Viewer').waitFor();
  await row.getByRole('button', { name: /^Actions/ }).click();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByText('The name does not match.').waitFor();
  await page.getByLabel('Type the name to confirm: ida@example.com').fill('ida@example.com');
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await row.waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Removed' }).click();
  await page.getByRole('row', { name: /ida@example\.com/ }).waitFor();
  assert.equal(
    visitor.complaints.filter((text) => !text.startsWith('422')),
    [],
  );
  await visitor.close();
});

test('users set a new password with a link, even if they have forgotten the old password', async ({ site }) => {
  const { service } = site;
  const { id, email } = await storeUser(service, 'rosa', 'editor');
  const visitor = await site.visit();
  const page = await visitor.open();
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await page.getByLabel('E-mail').fill(email);
  assert.equal(await violations(page), []);
  await page.getByRole('button', { name: 'Send the link' }).click();
  await page.getByText('If somebody with this e-mail address can sign in here').waitFor();
  await page.getByText(`uptrail user reset-password ${email}`).waitFor();

  const context = service.context(service.first.id, 'reset of rosa');
  const { handle } = service.commands.bind((parts) => parts);
  await handle(service.first.id, organizationDecider, (it) => requestReset(it, id), context);
  await service.readers.waitFor(['organizations', 'account_mails'], context);
  const link = { organizationId: service.first.id, userId: id, reset: 1, way: 'mailed' } as const;
  const path = await resetPath(link, instantOf(service.time.now), (kind, text) => service.keys.fingerprint(kind, text));
  await page.goto(site.address + path);
  await page.getByRole('heading', { name: 'Set a new password' }).waitFor();
  await page.getByLabel('Password', { exact: true }).fill(NEXT);
  await page.getByLabel('Repeat the password', { exact: true }).fill('something else');
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.getByText('The passwords do not match.').waitFor();
  await page.getByLabel('Repeat the password', { exact: true }).fill(NEXT);
  await page.getByRole('button', { name: 'Set password' }).click();
  await account(page).waitFor();
  await page.goto(`${site.address}/console/reset#token=nothing`);
  await page.getByRole('heading', { name: 'This link does not work' }).waitFor();
  assertNothingFailed(visitor);
  await visitor.close();
});

test('a user creates an API key that is shown once and works until it is revoked', async ({ site }) => {
  const { visitor, page } = await tabOf(site, 'vic', '/console/keys');
  await page.getByText('There are no keys yet.').waitFor();
  await page.getByRole('button', { name: 'New key' }).click();
  assert.equal(await page.getByLabel('Role').locator('option').allInnerTexts(), ['Viewer']);
  await page.getByLabel('Works from').fill('nowhere');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByText('Must be an IP address or a CIDR range.').waitFor();
  await page.getByRole('button', { name: 'Remove: nowhere' }).click();
  await page.getByLabel('Name', { exact: true }).fill(HOSTILE);
  await page.getByLabel('Expires').selectOption('30');
  await page.getByRole('button', { name: 'Create' }).click();
  const key = await page.getByRole('region', { name: 'API key' }).innerText();
  const works = async (): Promise<boolean> => (await site.service.request('GET', '/v1/checks', { key })).status === 200;
  assert.ok(await works());
  await page.getByRole('button', { name: 'I have copied it' }).click();
  await page.getByRole('rowheader', { name: HOSTILE }).waitFor();
  assert.is(await page.locator('main img').count(), 0);
  assert.not((await page.content()).includes(key));
  await page.getByRole('button', { name: `Revoke: ${HOSTILE}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('There are no keys yet.').waitFor();
  await eventually(async () => !(await works()));
  assert.equal(
    visitor.complaints.filter((text) => !text.startsWith('422')),
    [],
  );
  await visitor.close();
});

test('users change their names and passwords, and set up a second factor with a locally rendered QR code', async ({
  site,
}) => {
  const { service } = site;
  await storeUser(service, 'paul', 'editor');
  const { visitor, page } = await tabOf(site, 'paul', '/console/profile');
  await page.getByLabel('First name').fill('Paul');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved').waitFor();
  await account(page).click();
  await page.locator('#account .name', { hasText: 'Paul' }).waitFor();
  await page.keyboard.press('Escape');

  await page.getByLabel('Current password', { exact: true }).fill('wrong');
  await page.getByLabel('New password', { exact: true }).fill('password1');
  await page.getByLabel('Repeat the password', { exact: true }).fill('password1');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.locator('.problem').first().waitFor();
  await page.getByLabel('Current password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('New password', { exact: true }).fill(NEXT);
  await page.getByLabel('Repeat the password', { exact: true }).fill(NEXT);
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByText('Changed. All your other sessions have ended.').waitFor();

  await page.getByRole('button', { name: 'Set up' }).click();
  await page.locator('input[name=password]').fill(NEXT);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
  assert.equal(await violations(page), []);
  const secret = (await page.getByRole('region', { name: 'Secret' }).innerText()).replace(/\s/g, '');
  await page.getByLabel('Code', { exact: true }).fill(codeAt(secret, service.time.now));
  await page.getByRole('button', { name: 'Switch on' }).click();
  const codes = (await page.getByRole('region', { name: 'Recovery codes' }).innerText()).trim().split('\n');
  assert.is(codes.length, 10);
  await page.getByRole('button', { name: 'I have saved them' }).click();
  await page.getByText('On', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Switch off' }).click();
  await page.locator('input[name=password]').fill(NEXT);
  await page.getByLabel('Code', { exact: true }).fill(codes[0] ?? '');
  await page.getByRole('button', { name: 'Switch off' }).click();
  await page.getByText('Off', { exact: true }).waitFor();
  assert.equal(
    visitor.complaints.filter((text) => !text.startsWith('422')),
    [],
  );
  await visitor.close();
});

test('users see their sessions and end all other sessions', async ({ site }) => {
  await storeUser(site.service, 'sara', 'viewer');
  const { visitor, page } = await tabOf(site, 'sara', '/console/sessions');
  const elsewhere = await tabOf(site, 'sara', '/console');
  await account(elsewhere.page).waitFor();
  await page.getByText('This session').waitFor();
  await page.reload();
  await eventually(async () => (await page.locator('tbody tr').count()) === 2);
  await page.getByRole('button', { name: 'End all others' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'End', exact: true }).click();
  await eventually(async () => (await page.locator('tbody tr').count()) === 1);
  await elsewhere.page.goto(`${site.address}/console/people`);
  await elsewhere.page.getByRole('heading', { name: 'Sign in' }).waitFor();
  assertNothingFailed(visitor);
  await visitor.close();
  await elsewhere.visitor.close();
});

test('the audit log contains actions of users, and can be filtered and exported', async ({ site }) => {
  const body = { name: HOSTILE, type: 'web', url: 'http://127.0.0.1:9/', interval: 3_600 };
  const made = await site.service.request('POST', '/v1/checks', { body });
  const { id } = made.json() as { id: string };
  await site.service.request('PATCH', `/v1/checks/${id}`, { body: { interval: 60 } });
  const { visitor, page } = await tabOf(site, 'ann', '/console/audit');
  await page.getByLabel('What').selectOption('check');
  await eventually(() => new URL(page.url()).searchParams.get('type') === 'check');
  const changed = page.locator('.entries li', { hasText: 'changed' });
  await changed.getByText('Check · changed').waitFor();
  assert.is((await changed.locator('.changes').innerText()).replace(/\s+/g, ' '), 'interval 3600 → 60');
  assert.is(await changed.locator('.done').getByRole('link').getAttribute('href'), `/console/checks/${id}`);
  assert.is(await page.locator('main img').count(), 0);
  assert.equal(await violations(page), []);
  await page.getByRole('button', { name: 'Export' }).click();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'CSV', exact: true }).click(),
  ]);
  const rows = readFileSync(await file.path(), 'utf8')
    .trim()
    .split('\n');
  assert.ok(rows.length >= 3);
  assert.ok(rows.slice(1).every((row) => row.includes('check.')));
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.getByText('User · invited').first().waitFor();
  assertNothingFailed(visitor);
  await visitor.close();
});

test('operators see the service screen and retry failed items, whereas viewers see neither the screen nor its buttons', async ({
  site,
}) => {
  const { coordination, time } = site.service;
  const reason = `The server refused ${HOSTILE}.`;
  const since = time.now - 60_000;
  await coordination.failedItems.store('delivery', 1n, [
    { id: 'item-1', position: 1, state: 'given_up', tries: 9, again: time.now, tried: time.now, since, reason },
  ]);
  const { visitor, page } = await tabOf(site, 'ann', '/console/operator');
  await page.getByText('MAIL_FROM').waitFor();
  await page.getByText(reason).waitFor();
  assert.equal(await violations(page), []);
  await page.getByRole('button', { name: 'Try again: item-1' }).click();
  await page
    .getByRole('row', { name: /item-1/ })
    .getByText('Retrying')
    .waitFor();
  assertNothingFailed(visitor);
  await visitor.close();

  const viewer = await tabOf(site, 'vic', '/console/people');
  await viewer.page.getByRole('rowheader', { name: 'ann@example.com' }).waitFor();
  assert.equal(await viewer.page.locator('main button').allInnerTexts(), ['As it was']);
  assert.is(await viewer.page.getByRole('link', { name: 'Service' }).count(), 0);
  assert.is(await viewer.page.getByRole('link', { name: 'Audit log' }).count(), 0);
  await viewer.page.getByRole('link', { name: 'Plan' }).click();
  await viewer.page.getByRole('heading', { name: 'Organization' }).waitFor();
  assert.is(await viewer.page.locator('main button, main input').count(), 0);
  await viewer.page.getByRole('link', { name: 'Usage' }).click();
  await viewer.page.getByText('Credits this month').waitFor();
  assertNothingFailed(viewer.visitor);
  await viewer.page.goto(`${site.address}/console/operator`);
  await viewer.page.getByText('Your role does not allow this.').waitFor();
  await viewer.visitor.close();
});

test('the wall view shows failing checks until its session is ended elsewhere', async ({ site }) => {
  const { service } = site;
  const { id: walter } = await storeUser(service, 'walter', 'viewer');
  const { visitor, page } = await tabOf(site, 'walter', '/console/wall', { viewport: { width: 1_920, height: 1_080 } });
  await page.getByText('down', { exact: true }).waitFor();
  assert.is(await page.getByRole('navigation').count(), 0);
  const reply = await service.request('POST', '/v1/checks', {
    body: { name: `${HOSTILE} checkout`, type: 'web', url: 'http://127.0.0.1:9/', interval: 3_600 },
  });
  const { id } = reply.json() as { id: string };
  const [known] = await service.stores.main.readStream(`check-${id}`);
  const fact = wentDown();
  const metadata = { ...known?.metadata, schema_version: 1 };
  const event = { ...fact, id: crypto.randomUUID(), metadata, data: { ...fact.data, check_id: id } };
  await service.stores.main.append(`check-${id}`, [event as never], 'any');
  await page.getByRole('heading', { name: /checkout/ }).waitFor();
  assert.is(await page.locator('main img').count(), 0);
  assert.equal(await violations(page), []);
  assert.not(await overflows(page));
  assert.is(await page.locator('main button').count(), 0);
  assertNothingFailed(visitor);
  const key = service.first.keys.admin;
  assert.is((await service.request('DELETE', `/v1/users/${walter}/sessions`, { key })).status, 204);
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await visitor.close();
});

const missing = noBrowser();
if (missing === null) test.run();
else console.log(`skipped: ${missing}`);
