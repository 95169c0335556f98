import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createAuthenticate, type KnownKey } from '../../api/authentication.ts';
import { keyOf } from '../../http/authorization.ts';
import { hashOfApiKey } from '../../domain/organization/api-key.ts';

const test = suite('an API key says who calls');

const KEY = 'upt_secret';
const document: KnownKey = {
  hash: hashOfApiKey(KEY),
  keyId: 'key000000001',
  organizationId: 'organization',
  role: 'editor',
  expiresAt: '2026-06-01T00:00:00.000000',
};

const opened = (version?: () => bigint) => {
  const keys = new Map([[document.hash, document]]);
  const time = { now: '2026-05-31T23:59:59.999000' };
  let looked = 0;
  const authenticate = createAuthenticate({
    find: async (hash) => {
      looked += 1;
      return keys.get(hash) ?? null;
    },
    now: () => time.now,
    ...(version && { version }),
  });
  return { authenticate, keys, time, looked: () => looked };
};

test('a known key stands for its organization and role', async () => {
  assert.equal(await opened().authenticate(KEY), {
    actor: { kind: 'api_key', id: 'key000000001', role: 'editor' },
    organizationId: 'organization',
    sealedUnder: 'api_key-key000000001',
    countedAs: 'key000000001',
  });
});

test('an unknown key stands for nobody', async () => {
  const { authenticate } = opened();
  assert.is(await authenticate('upt_other'), null);
  assert.is(await authenticate(hashOfApiKey(KEY)), null);
});

test('a key is refused from the very moment it expires', async () => {
  const { authenticate, time } = opened();
  assert.ok(await authenticate(KEY));
  time.now = '2026-06-01T00:00:00.000000';
  assert.is(await authenticate(KEY), null);
});

test('a remembered caller is looked up again as soon as any key has changed', async () => {
  let version = 1n;
  const { authenticate, keys, looked } = opened(() => version);
  await authenticate(KEY);
  await authenticate(KEY);
  assert.is(looked(), 1);
  keys.clear();
  version = 2n;
  assert.is(await authenticate(KEY), null);
});

test('a remembered caller expires too', async () => {
  const { authenticate, time } = opened(() => 1n);
  assert.ok(await authenticate(KEY));
  time.now = '2026-06-02T00:00:00.000000';
  assert.is(await authenticate(KEY), null);
});

test('a key that is revoked while it is looked up is not remembered', async () => {
  let version = 1n;
  const { authenticate, keys } = opened(() => version);
  const first = authenticate(KEY);
  version = 2n;
  await first;
  keys.clear();
  assert.is(await authenticate(KEY), null);
});

test('the header is read with and without Bearer', () => {
  assert.is(keyOf('upt_secret'), 'upt_secret');
  assert.is(keyOf('bearer  upt_secret '), 'upt_secret');
  assert.is(keyOf('Bearer '), null);
  assert.is(keyOf(undefined), null);
});

test.run();
