import { requireValidPassword } from '../domain/organization/password.ts';

const MOST_COMMON = 10_000;

let common: Promise<ReadonlySet<string>> | null = null;

/** Returns the most common passwords. The list is large, so it is loaded when the first password is set. */
export const commonPasswords = (): Promise<ReadonlySet<string>> =>
  (common ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common'].slice(0, MOST_COMMON).map((text) => text.toLowerCase())),
  ));

/**
 * Refuses a new password that is easy to guess (docs/reference/sign-in.md#passwords).
 *
 * @param field name of the request field with the password
 * @param email the user's e-mail address, if known; it is refused as a password
 * @throws Invalid
 */
export const requireGoodPassword = async (
  password: string,
  field: string,
  email: string | null = null,
): Promise<void> => {
  requireValidPassword(password, field, { common: await commonPasswords(), email });
};
