import { checkPassword } from '../domain/organization/password.ts';

const COMMONEST = 10_000;

let common: Promise<ReadonlySet<string>> | null = null;

/** Passwords that are guessed first. The list is large, so it is loaded when the first password is set. */
export const commonPasswords = (): Promise<ReadonlySet<string>> =>
  (common ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common'].slice(0, COMMONEST).map((text) => text.toLowerCase())),
  ));

/**
 * Refuses a new password that is easily guessed (docs/decisions.md: Sign-in).
 *
 * @param field that it came in
 * @param email of the user, where it is known: it is no password
 * @throws Invalid
 */
export const requireGoodPassword = async (
  password: string,
  field: string,
  email: string | null = null,
): Promise<void> => {
  checkPassword(password, field, { common: await commonPasswords(), email });
};
