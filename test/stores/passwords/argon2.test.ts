import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { TooMany } from '../../../domain/errors.ts';
import { createPasswords } from '../../../stores/passwords/argon2.ts';
import { rejects } from '../../rejects.ts';

const test = suite('hashing passwords');

test('each hash of a password is a different PHC string of argon2id, which only the password matches', async () => {
  const passwords = createPasswords();
  const [one, other] = [await passwords.hash('tuba-4217'), await passwords.hash('tuba-4217')];
  assert.match(one, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  assert.is.not(one, other);
  assert.ok(await passwords.matches('tuba-4217', one));
  assert.not.ok(await passwords.matches('tuba-4218', one));
  assert.not.ok(await passwords.matches('Tuba-4217', one));
});

test('every character of a password counts, including those after a NUL', async () => {
  const passwords = createPasswords();
  const phc = await passwords.hash('tuba\u00001');
  assert.ok(await passwords.matches('tuba\u00001', phc));
  assert.not.ok(await passwords.matches('tuba\u00002', phc));
  const long = 'x'.repeat(1_000);
  assert.not.ok(await passwords.matches(`${long}2`, await passwords.hash(`${long}1`)));
});

test('a password matches in each Unicode form of its characters, composed or decomposed', async () => {
  const passwords = createPasswords();
  assert.ok(await passwords.matches('cafe\u0301-tuba', await passwords.hash('caf\u00e9-tuba')));
});

test('no password matches an absent hash', async () => {
  assert.not.ok(await createPasswords().matches('', null));
});

test('indexOf finds which of several hashes a password matches, and computes a single hash if all of them share a salt', async () => {
  const passwords = createPasswords();
  const salt = Buffer.alloc(16, 7);
  const phcs = [await passwords.hash('tuba-4217', salt), await passwords.hash('harp-4217', salt)];
  assert.is(await passwords.indexOf('tuba-4217', phcs), 0);
  assert.is(await passwords.indexOf('harp-4217', phcs), 1);
  assert.is(await passwords.indexOf('horn-4217', phcs), -1);
  assert.is(await passwords.indexOf('harp-4217', []), -1);
  const mixed = [...phcs, await passwords.hash('cafe\u0301-tuba')];
  assert.is(await passwords.indexOf('caf\u00e9-tuba', mixed), 2);
  assert.ok(await passwords.matches('tuba-4217', phcs[0] ?? null));
});

test('a bounded number of passwords is hashed concurrently, 50 more wait, and further ones are refused', async () => {
  const passwords = createPasswords({ concurrency: 1 });
  const pending = Array.from({ length: 51 }, () => passwords.matches('tuba-4217', null));
  await rejects(passwords.matches('tuba-4217', null), TooMany);
  assert.equal(new Set(await Promise.all(pending)), new Set([false]));
  assert.not.ok(await passwords.matches('tuba-4217', null));
});

test.run();
