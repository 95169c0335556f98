import { inRequests } from './template.ts';

export const tokenFlow = inRequests({
  id: 'tokenflow000',
  name: 'API: token',
  description:
    'A client signs in to an API, gets a token (JWT) that is valid long enough, and reads a protected resource. ' +
    'Without the token, the API refuses access.',
  tags: ['api', 'login', 'jwt', 'secrets'],
  requires_secrets: ['API_EMAIL', 'API_PASSWORD'],
  script: String.raw`
import { test, expect } from '@playwright/test';
import jwt from 'jsonwebtoken';

// Both are relative to the URL of the check.
const LOGIN = '/api/login';
const PROTECTED = '/api/me';
// The field of the response that contains the token.
const TOKEN = 'token';
// The minimum validity of the token, in seconds.
const VALID_FOR = 60;

const { API_EMAIL, API_PASSWORD } = process.env;

test('a token grants access to a protected resource', async ({ request }) => {
  await test.step('be refused without a token', async () => {
    const response = await request.get(PROTECTED);
    expect(response.status(), 'the status without a token').toBe(401);
  });

  const token = await test.step('sign in', async () => {
    const response = await request.post(LOGIN, { data: { email: API_EMAIL, password: API_PASSWORD } });
    expect(response.status(), 'the status of signing in').toBe(200);
    return (await response.json())[TOKEN];
  });

  await test.step('check the token', async () => {
    // Decode the claims without verifying the signature, which only the server can do.
    const claims = jwt.decode(token);
    expect(claims, 'the claims of the token').not.toBeNull();
    expect(claims.exp - Date.now() / 1000, 'the validity in seconds').toBeGreaterThan(VALID_FOR);
  });

  await test.step('read the protected resource', async () => {
    const response = await request.get(PROTECTED, { headers: { authorization: 'Bearer ' + token } });
    expect(response.status(), 'the status with the token').toBe(200);
    expect(await response.json()).toMatchObject({ email: API_EMAIL });
  });
});
`,
});
