import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { requireGoodPassword } from '../../../commands/passwords.ts';
import { Invalid } from '../../../domain/errors.ts';
import { normalizedPassword } from '../../../domain/organization/password.ts';
import { rejects } from '../../rejects.ts';

const test = suite('a new password');

const refused = async (password: string, email: string | null = null): Promise<void> => {
  await rejects(requireGoodPassword(password, 'new_password', email), Invalid);
};

test('has 8 to 1,000 characters, however many bytes they take', async () => {
  await refused('tuba-42');
  await requireGoodPassword('tuba-421', 'password');
  await requireGoodPassword('🎺'.repeat(1_000), 'password');
  await refused('🎺'.repeat(1_001));
});

test('is none of the 10,000 that are guessed first, in upper case neither', async () => {
  await refused('password1');
  await refused('PassWord1');
  await refused('12345678');
});

test('is neither blank nor the e-mail address', async () => {
  await refused(' '.repeat(12));
  await refused('Ann.Lee@Example.com', 'ann.lee@example.com');
  await requireGoodPassword('Ann.Lee@Example.com', 'password');
});

test('may hold any character, NUL included', () => requireGoodPassword('a\u0000bcdefgh', 'password'));

test('is the same however its characters are composed', () => {
  assert.is(normalizedPassword('cafe\u0301'), normalizedPassword('caf\u00e9'));
});

test.run();
