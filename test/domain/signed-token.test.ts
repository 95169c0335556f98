import { createHmac } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { verifyToken, signedToken, type Link, type Mac } from '../../domain/signed-token.ts';

const test = suite('the token of a signed link');

const macWith =
  (key: string): Mac =>
  async (kind, text) =>
    createHmac('sha256', key).update(`${kind}\0${text}`).digest('base64url');
const mac = macWith('key');
const NOW = '2026-11-20T15:00:00.000000';
const link: Link = {
  purpose: 'unsubscribe',
  organizationId: 'organization1',
  subject: 'Ünn.a',
  expiresAt: '2026-11-20T15:00:00.000001',
};

test('a signed token returns its data for its purpose until it expires', async () => {
  const token = await signedToken(link, mac);
  assert.match(token, /^[\w-]+\.[\w-]+$/);
  assert.equal(await verifyToken(token, 'unsubscribe', NOW, mac), link);
  assert.is(await verifyToken(token, 'confirm', NOW, mac), null);
  assert.is(await verifyToken(token, 'unsubscribe', link.expiresAt ?? '', mac), null);
  assert.is(await verifyToken(token, 'unsubscribe', NOW, macWith('another key')), null);
});

test('a signed token may have no expiry', async () => {
  const forever = { ...link, expiresAt: null };
  assert.equal(
    await verifyToken(await signedToken(forever, mac), 'unsubscribe', '9999-01-01T00:00:00.000000', mac),
    forever,
  );
});

test('a changed signed token is invalid', async () => {
  const token = await signedToken(link, mac);
  for (let index = 0; index < token.length; index++) {
    const changed = `${token.slice(0, index)}${token[index] === 'A' ? 'B' : 'A'}${token.slice(index + 1)}`;
    assert.is(await verifyToken(changed, 'unsubscribe', NOW, mac), null, `${index}`);
  }
  for (const text of ['', '.', 'a', 'a.', '.a', `${token}.a`]) {
    assert.is(await verifyToken(text, 'unsubscribe', NOW, mac), null, text);
  }
});

test.run();
