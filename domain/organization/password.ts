import { Invalid } from '../errors.ts';

export const SHORTEST_PASSWORD = 8;
/** Longer ones would only cost memory: 1,000 characters hold more than any key of ours. */
export const LONGEST_PASSWORD = 1_000;

/**
 * A password in the form in which it is compared: the same characters typed on two systems may differ in how they are
 * composed (RFC 8265, 4.2). Nothing else is changed, spaces and case neither.
 */
export const normalizedPassword = (password: string): string => password.normalize('NFC');

/** What a password is checked against before it is taken. */
export interface PasswordRules {
  /** passwords that are guessed first, in lower case */
  common: ReadonlySet<string>;
  /** the user's e-mail; null: unknown */
  email: string | null;
}

/** Why a password is not taken, in a sentence; null when it is. */
export const problemOfPassword = (password: string, { common, email }: PasswordRules): string | null => {
  const normalized = normalizedPassword(password);
  const length = Array.from(normalized).length;
  if (length < SHORTEST_PASSWORD) return `Must be at least ${SHORTEST_PASSWORD} characters long.`;
  if (length > LONGEST_PASSWORD) return `Must be at most ${LONGEST_PASSWORD.toLocaleString('en')} characters long.`;
  const lower = normalized.toLowerCase();
  if (lower.trim() === '') return 'Must not be blank.';
  if (lower === email?.trim().normalize('NFC').toLowerCase()) return 'Must not be the e-mail address.';
  return common.has(lower) ? 'Is among the passwords that are guessed first. Please choose another one.' : null;
};

/** @throws Invalid names the field */
export const checkPassword = (password: string, field: string, rules: PasswordRules): void => {
  const problem = problemOfPassword(password, rules);
  if (problem !== null) throw Invalid.field(field, problem);
};
