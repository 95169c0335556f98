import { createHash } from 'node:crypto';
import type { Passwords } from '../stores/passwords/port.ts';
import { normalizedPassword } from '../domain/organization/password.ts';

const hashed = (password: string): string =>
  `$fake$${createHash('sha256').update(normalizedPassword(password)).digest('base64url')}`;

/** Password hashes that need no CPU time, for tests that are not about hashing. */
export const FAKE_PASSWORDS: Passwords = {
  hash: (password) => Promise.resolve(hashed(password)),
  matches: (password, phc) => Promise.resolve(hashed(password) === phc),
  indexOf: (password, phcs) => Promise.resolve(phcs.indexOf(hashed(password))),
};
