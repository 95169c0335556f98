import { Invalid } from '../errors.ts';

export const MIN_PASSWORD_LENGTH = 8;
/** Maximum number of characters. A longer password would cost memory without adding security. */
export const MAX_PASSWORD_LENGTH = 1_000;

/**
 * Returns the normalised form in which passwords are compared. Normalisation is necessary, because the same character
 * can have several encodings (RFC 8265, 4.2). Spaces and case are preserved.
 */
export const normalizedPassword = (password: string): string => password.normalize('NFC');

/** The data that a new password is checked against. */
export interface PasswordRules {
  /** common passwords, in lower case */
  common: ReadonlySet<string>;
  /** the user's e-mail address; null if unknown */
  email: string | null;
}

/** Returns why a password is refused, as a sentence; null if the password is accepted. */
export const passwordProblem = (password: string, { common, email }: PasswordRules): string | null => {
  const normalized = normalizedPassword(password);
  const length = Array.from(normalized).length;
  if (length < MIN_PASSWORD_LENGTH) return `Must be at least ${MIN_PASSWORD_LENGTH} characters long.`;
  if (length > MAX_PASSWORD_LENGTH)
    return `Must be at most ${MAX_PASSWORD_LENGTH.toLocaleString('en')} characters long.`;
  const lower = normalized.toLowerCase();
  if (lower.trim() === '') return 'Must not be blank.';
  if (lower === email?.trim().normalize('NFC').toLowerCase()) return 'Must not be the e-mail address.';
  return common.has(lower) ? 'Is a commonly used password. Please choose another one.' : null;
};

/** @throws Invalid an error in the given field */
export const requireValidPassword = (password: string, field: string, rules: PasswordRules): void => {
  const problem = passwordProblem(password, rules);
  if (problem !== null) throw Invalid.field(field, problem);
};
