import { inBrowser } from './template.ts';

export const loginForm = inBrowser({
  id: 'loginform000',
  name: 'Login form',
  description:
    'A user signs in with the form, sees a page for signed-in users only, and signs out. ' +
    'Use a separate account without further permissions.',
  tags: ['browser', 'login', 'secrets'],
  requires_secrets: ['LOGIN_EMAIL', 'LOGIN_PASSWORD'],
  timeout: 60,
  script: String.raw`
import { test, expect } from '@playwright/test';

// The page with the form, relative to the URL of the check.
const PAGE = '/login';
// The labels of the fields and buttons. Case is ignored, and a part of the label is enough.
const EMAIL = 'E-mail';
const PASSWORD = 'Password';
const SIGN_IN = 'Sign in';
const SIGN_OUT = 'Sign out';

const { LOGIN_EMAIL, LOGIN_PASSWORD } = process.env;

test('sign in and out', async ({ page }) => {
  // The timeout of each step, in milliseconds.
  page.setDefaultTimeout(10_000);

  await test.step('check the secrets', async () => {
    expect(Boolean(LOGIN_EMAIL), 'whether a secret is bound to LOGIN_EMAIL').toBe(true);
    expect(Boolean(LOGIN_PASSWORD), 'whether a secret is bound to LOGIN_PASSWORD').toBe(true);
  });

  await test.step('open the form', () => page.goto(PAGE));

  await test.step('fill in the form', async () => {
    await page.getByRole('textbox', { name: EMAIL }).fill(LOGIN_EMAIL);
    await page.getByLabel(PASSWORD).fill(LOGIN_PASSWORD);
  });

  await test.step('sign in', () => page.getByRole('button', { name: SIGN_IN }).click());

  const signOut = page.getByRole('button', { name: SIGN_OUT }).or(page.getByRole('link', { name: SIGN_OUT }));
  await test.step('be signed in', async () => {
    await expect(signOut.first()).toBeVisible();
  });

  await test.step('sign out', async () => {
    await signOut.first().click();
    await expect(signOut).toHaveCount(0);
  });
});
`,
});
