import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createAuthenticate, createIdentifyCaller, createRefusalLimits } from '../../api/authentication.ts';
import { hashOfToken } from '../../commands/sign-in/session-tokens.ts';
import { HttpError } from '../../http/errors.ts';

const test = suite('limits of 401 responses per address');

const PER_MINUTE = 3;
const token = (n: number): string => `uta_${n.toString().padStart(43, '0')}`;

/** Creates the identification of callers. The credentials in `working` are valid as keys and as access tokens. */
const opened = () => {
  const time = { now: 0 };
  const working = new Set<string>();
  const known = { organizationId: 'organization', role: 'editor' };
  const authenticate = createAuthenticate({
    find: async (hash) =>
      working.has(hash)
        ? { ...known, hash, keyId: 'key000000001', createdBy: null, allowedIps: [], expiresAt: null }
        : null,
    user: async (_, userId) => ({ ...known, userId }),
    session: async (hash) => (working.has(hash) ? { ...known, userId: 'ann', sessionId: 'one' } : null),
    now: () => '2026-11-20T00:00:00.000000',
    clock: () => time.now,
  });
  const identify = createIdentifyCaller(
    authenticate,
    createRefusalLimits(PER_MINUTE, () => time.now),
  );
  const ask = (credential: string, address = '192.0.2.1'): Promise<number> =>
    identify(`Bearer ${credential}`, address).then(
      () => 200,
      (error: unknown) => (error instanceof HttpError ? error.status : 500),
    );
  const times = async (count: number, credentialOf: (index: number) => string): Promise<number[]> => {
    const statuses: number[] = [];
    for (let index = 0; index < count; index++) statuses.push(await ask(credentialOf(index)));
    return statuses;
  };
  const work = (credential: string) => working.add(hashOfToken(credential));
  const expire = (credential: string): void => {
    working.delete(hashOfToken(credential));
    time.now += 1_000;
  };
  return { time, ask, times, work, expire };
};

test('guessed keys are refused, and after too many guesses they are not looked up any more', async () => {
  const { times } = opened();
  assert.equal(await times(5, (index) => `guess ${index}`), [401, 401, 401, 429, 429]);
});

test('an expired access token that several windows send for a minute blocks no other caller', async () => {
  const { ask, times, work, expire } = opened();
  work('key');
  work(token(1));
  await ask(token(1));
  expire(token(1));
  assert.equal(new Set(await times(150, () => token(1))), new Set([401]));
  work(token(2));
  assert.is(await ask(token(2)), 200, 'the same user, after a refresh');
  assert.is(await ask('key'), 200, 'a key at the same address');
});

test('the limit of guessed access tokens is higher than the limit of guessed keys, and does not block keys', async () => {
  const { ask, times, work } = opened();
  const statuses = await times(31, token);
  assert.equal(
    statuses.slice(0, 30).filter((status) => status !== 401),
    [],
  );
  assert.is(statuses[30], 429);
  work('key');
  assert.is(await ask('key'), 200);
});

test('requests with the same expired access token are limited too', async () => {
  const { times } = opened();
  assert.is((await times(301, () => token(1))).at(-1), 429);
});

test('a credential that has worked still works at a blocked address', async () => {
  const { ask, times, work } = opened();
  work(token(1000));
  assert.is(await ask(token(1000)), 200);
  await times(40, token);
  assert.is(await ask(token(1000)), 200);
});

test.run();
