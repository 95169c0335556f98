// Own process: a browser stays open for as long as the file runs.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { eventually } from '../../waiting.ts';
import { noBrowser } from '../browser.ts';
import { assertNothingFailed, openConsole, signInAt, signInShown, signOutAt, type Console } from './visits.ts';

const test = suite<{ site: Console }>('the console of a fresh service');

test.before(async (context) => {
  context.site = await openConsole();
});
test.after(({ site }) => site.stop());

const PASSWORD = 'three quiet herons';
const EMAIL = 'ann@example.com';

test('the first visit asks for the admin key, creates the first user, and signs this user in', async ({ site }) => {
  const { first } = site.service;
  const visitor = await site.visit();
  const page = await visitor.open();
  const key = page.getByLabel('Admin key', { exact: true });
  await key.waitFor();
  assert.is(await page.locator('input').count(), 1);
  assertNothingFailed(visitor);

  await key.fill('upt_nobodys');
  await page.keyboard.press('Enter');
  await page.getByText('This key is unknown.').waitFor();
  await key.fill(first.keys.editor);
  await page.keyboard.press('Enter');
  await page.getByText('This key cannot create users.').waitFor();
  await key.fill(` ${first.keys.admin}\n`);
  await page.getByRole('button', { name: 'Continue' }).click();

  const password = page.getByLabel('Password', { exact: true });
  const repeated = page.getByLabel('Repeat the password', { exact: true });
  await page.getByLabel('E-mail').fill(EMAIL);
  await password.fill(PASSWORD);
  await repeated.fill('three quiet heroes');
  await page.keyboard.press('Enter');
  await page.getByText('The passwords do not match.').waitFor();
  await eventually(() => repeated.evaluate((field) => field === document.activeElement));
  await password.fill('password');
  await repeated.fill('password');
  await page.keyboard.press('Enter');
  await page.getByText('This password is too easy to guess.').waitFor();
  await password.fill(PASSWORD);
  await repeated.fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Nothing is watched yet' }).waitFor();
  await page.getByText('first', { exact: true }).waitFor();
  assert.equal(visitor.complaints.splice(0), ['401 /v1/session/first-user', '422 /v1/session/first-user']);

  // No credential is stored where a script or another program could read it.
  const stored = await page.evaluate(() =>
    JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage), document.cookie]),
  );
  assert.not.match(stored, /ut[ar]_|upt_|key-of-first/);
  const [cookie] = await visitor.context.cookies();
  assert.equal(
    [cookie?.path, cookie?.httpOnly, cookie?.secure, cookie?.sameSite],
    ['/v1/session', true, true, 'Strict'],
  );
  await page.reload();
  await page.getByRole('heading', { name: 'Nothing is watched yet' }).waitFor();
  assertNothingFailed(visitor);
  await visitor.close();
});

test('the first visit of a second person reports that a user exists', async ({ site }) => {
  const visitor = await site.visit();
  const page = await visitor.open();
  await signInShown(page);
  assertNothingFailed(visitor);
  await visitor.close();
});

test('the console opens the requested screen after the sign-in, and a sign-out applies to every tab', async ({
  site,
}) => {
  const visitor = await site.visit();
  const one = await visitor.open('/console/nothing/here');
  await signInAt(one, EMAIL, 'not the password');
  await one.getByText('The e-mail or the password is wrong.').waitFor();
  visitor.complaints.length = 0;
  const other = await visitor.open('/console');
  await signInShown(other);
  await signInAt(one, EMAIL, PASSWORD);
  await one.getByRole('heading', { name: 'Page not found' }).waitFor();
  // The other tab has received the new session.
  await other.getByRole('heading', { name: 'Nothing is watched yet' }).waitFor();
  await one.getByRole('link', { name: 'Go to the overview' }).click();
  await one.getByRole('heading', { name: 'Nothing is watched yet' }).waitFor();
  assert.is(new URL(one.url()).pathname, '/console');
  await one.goBack();
  await one.getByRole('heading', { name: 'Page not found' }).waitFor();

  await signOutAt(other);
  await signInShown(other);
  await one.getByText('Your session has ended.').waitFor();
  assert.equal(await visitor.context.cookies(), []);
  assertNothingFailed(visitor);
  await visitor.close();
});

test('the overview shows problems, and renders any text in them verbatim', async ({ site }) => {
  const name = `<img src=x onerror="document.title='broken'">{{1}}`;
  const body = { name, type: 'web', url: 'http://127.0.0.1:9/?<script>alert(1)</script>', interval: 60 };
  assert.is((await site.service.request('POST', '/v1/checks', { body })).status, 201);
  const visitor = await site.visit();
  const page = await visitor.open();
  await page.route('**/v1/checks/overview?*status=down*', async (route) => {
    const answer = await route.fetch({ url: route.request().url().replace('status=down', 'status=pending') });
    const { checks } = (await answer.json()) as { checks: object[] };
    await route.fulfill({ json: { checks, counts: { down: 1, up: 0, pending: 0, paused: 0 } } });
  });
  await signInAt(page, EMAIL, PASSWORD);
  await page.getByRole('heading', { name: 'Failing checks' }).waitFor();
  await page.getByText(name, { exact: true }).waitFor();
  assert.is(await page.locator('main img, main script').count(), 0);
  assert.is(await page.title(), 'Overview · Uptrail');
  assertNothingFailed(visitor);
  await visitor.close();
});

const missing = noBrowser();
if (missing === null) test.run();
else console.log(`skipped: ${missing}`);
