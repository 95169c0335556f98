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

test('a password has 8 to 1,000 characters, whatever their number of bytes', async () => {
  await refused('tuba-42');
  await requireGoodPassword('tuba-421', 'password');
  await requireGoodPassword('🎺'.repeat(1_000), 'password');
  await refused('🎺'.repeat(1_001));
});

test('a password must not be one of the 10,000 most common passwords, in upper or lower case', async () => {
  await refused('password1');
  await refused('PassWord1');
  await refused('12345678');
});

test('a password is neither blank nor the e-mail address', async () => {
  await refused(' '.repeat(12));
  await refused('Ann.Lee@Example.com', 'ann.lee@example.com');
  await requireGoodPassword('Ann.Lee@Example.com', 'password');
});

test('a password may contain any character including NUL', () => requireGoodPassword('a\u0000bcdefgh', 'password'));

test('a password is the same password in any Unicode composition', () => {
  assert.is(normalizedPassword('cafe\u0301'), normalizedPassword('caf\u00e9'));
});

test.run();
