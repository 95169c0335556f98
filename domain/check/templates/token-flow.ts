import { inRequests } from './template.ts';

export const tokenFlow = inRequests({
  id: 'tokenflow000',
  name: 'API: token',
  description:
    'A client signs in at an API, gets a token (a JWT) that is valid long enough, and reads what needs it; ' +
    'without the token that is refused.',
  tags: ['api', 'login', 'jwt', 'secrets'],
  requires_secrets: ['API_EMAIL', 'API_PASSWORD'],
  script: String.raw`
import { test, expect } from '@playwright/test';
import jwt from 'jsonwebtoken';

// Both are relative to the URL of the check.
const LOGIN = '/api/login';
const PROTECTED = '/api/me';
// The field of the answer that has the token.
const TOKEN = 'token';
// How long it has to be valid at least, in seconds.
const VALID_FOR = 60;

const { API_EMAIL, API_PASSWORD } = process.env;

test('a token opens what is protected', async ({ request }) => {
  await test.step('be refused without a token', async () => {
    const response = await request.get(PROTECTED);
    expect(response.status(), 'the status without a token').toBe(401);
  });

  const token = await test.step('sign in', async () => {
    const response = await request.post(LOGIN, { data: { email: API_EMAIL, password: API_PASSWORD } });
    expect(response.status(), 'the status of signing in').toBe(200);
    return (await response.json())[TOKEN];
  });

  await test.step('look at the token', async () => {
    // Only the server can say whether it is genuine; what it says can be read by anybody.
    const said = jwt.decode(token);
    expect(said, 'what the token says').not.toBeNull();
    expect(said.exp - Date.now() / 1000, 'seconds that it is valid').toBeGreaterThan(VALID_FOR);
  });

  await test.step('read what is protected', async () => {
    const response = await request.get(PROTECTED, { headers: { authorization: 'Bearer ' + token } });
    expect(response.status(), 'the status with the token').toBe(200);
    expect(await response.json()).toMatchObject({ email: API_EMAIL });
  });
});
`,
});
