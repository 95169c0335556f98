import { inBrowser } from './template.ts';

export const loginForm = inBrowser({
  id: 'loginform000',
  name: 'Login form',
  description:
    'Somebody signs in by the form, sees what only those see who have signed in, and signs out. ' +
    'Use an account that can do nothing else.',
  tags: ['browser', 'login', 'secrets'],
  requires_secrets: ['LOGIN_EMAIL', 'LOGIN_PASSWORD'],
  timeout: 60,
  script: String.raw`
import { test, expect } from '@playwright/test';

// The page with the form, relative to the URL of the check.
const PAGE = '/login';
// What stands beside the fields and on the buttons. Case does not matter, and a part is enough.
const EMAIL = 'E-mail';
const PASSWORD = 'Password';
const SIGN_IN = 'Sign in';
const SIGN_OUT = 'Sign out';

const { LOGIN_EMAIL, LOGIN_PASSWORD } = process.env;

test('sign in and out', async ({ page }) => {
  // How long a step waits for what it needs, in milliseconds.
  page.setDefaultTimeout(10_000);

  await test.step('have an account', async () => {
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
