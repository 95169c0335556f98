import { createHmac } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isPageToken, pageToken, passwordOfToken } from '../../../domain/page/access-token.ts';
import type { PasswordRules } from '../../../domain/page/access.ts';
import { signedToken, type Mac } from '../../../domain/signed-token.ts';

const test = suite('page access tokens');

const mac: Mac = (kind, text) =>
  Promise.resolve(
    createHmac('sha256', 'a key')
      .update(JSON.stringify([kind, text]))
      .digest('base64url'),
  );
const NOW = '2026-11-20T15:00:00.000000';
const A_DAY_LATER = '2026-11-21T15:00:00.000000';
const JUST_BEFORE = '2026-11-21T14:59:59.999000';

const password: PasswordRules = { id: 'one', active: true, expires_at: null, revision: 1 };
const page = (passwords: readonly PasswordRules[] = [password], more: object = {}) => ({
  id: 'page00000001',
  organization_id: 'org000000001',
  passwords,
  ...more,
});
const issued = (given: Partial<PasswordRules> = {}) =>
  pageToken({ organizationId: 'org000000001', pageId: 'page00000001', password: { ...password, ...given } }, NOW, mac);
const opens = async (token: string, to: ReturnType<typeof page> = page(), now = NOW): Promise<string | null> =>
  (await passwordOfToken(token, to, now, mac))?.id ?? null;

test('a page access token is valid for a day, or until its password expires if that is earlier', async () => {
  const { token, expiresIn } = await issued();
  assert.is(expiresIn, 86_400);
  assert.ok(isPageToken(token));
  assert.is(await opens(token), 'one');
  assert.is(await opens(token, page(), JUST_BEFORE), 'one');
  assert.is(await opens(token, page(), A_DAY_LATER), null);
  const soon = await issued({ expires_at: '2026-11-20T15:01:30.500000' });
  assert.is(soon.expiresIn, 90);
  assert.is(await opens(soon.token, page(), '2026-11-20T15:01:30.500000'), null);
});

test('a page access token is invalid after its password is removed, replaced, deactivated or shortened', async () => {
  const { token } = await issued();
  assert.is(await opens(token, page([])), null);
  assert.is(await opens(token, page([{ ...password, revision: 2 }])), null);
  assert.is(await opens(token, page([{ ...password, active: false }])), null);
  assert.is(await opens(token, page([{ ...password, expires_at: NOW }])), null);
  assert.is(await opens(token, page([{ ...password, id: 'two' }, password])), 'one');
});

test('a page access token is invalid for other pages and organizations', async () => {
  const { token } = await issued();
  assert.is(await opens(token, page(undefined, { id: 'page00000002' })), null);
  assert.is(await opens(token, page(undefined, { organization_id: 'org000000002' })), null);
});

test('a page access token is invalid if it is changed, malformed, or used for another purpose', async () => {
  const { token } = await issued();
  const [content = '', signature = ''] = token.slice(4).split('.');
  const [organization, , ends] = JSON.parse(Buffer.from(content, 'base64url').toString()) as string[];
  const other = Buffer.from(JSON.stringify([organization, 'page00000001 one 2', ends])).toString('base64url');
  const link = { organizationId: 'org000000001', subject: 'page00000001 one 1', expiresAt: null };
  for (const wrong of [
    `utp_${other}.${signature}`,
    `utp_${content}.${signature.slice(1)}A`,
    token.slice(4),
    `utp_${await signedToken({ ...link, purpose: 'artifact' }, mac)}`,
    'utp_',
    '',
  ])
    assert.is(await opens(wrong, page([password, { ...password, revision: 2 }])), null, wrong);
  assert.is(await passwordOfToken(null, page(), NOW, mac), null);
});

test('a page access token differs in form from API keys and session tokens', () => {
  for (const key of ['utp_', 'utp_abc', 'uta_'.padEnd(47, 'a'), 'uptrail_key', null]) assert.not.ok(isPageToken(key));
});

test.run();
