import { requireValidPassword } from '../domain/organization/password.ts';

const MOST_COMMON = 10_000;

let common: Promise<ReadonlySet<string>> | null = null;

/** The most common passwords. The list is large, so it is loaded when the first password is set. */
export const commonPasswords = (): Promise<ReadonlySet<string>> =>
  (common ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common'].slice(0, MOST_COMMON).map((text) => text.toLowerCase())),
  ));

/**
 * Refuses a new password that is easy to guess (docs/reference/sign-in.md#passwords).
 *
 * @param field the request field of the password
 * @param email the user's e-mail address if known; the password must differ from it
 * @throws Invalid
 */
export const requireGoodPassword = async (
  password: string,
  field: string,
  email: string | null = null,
): Promise<void> => {
  requireValidPassword(password, field, { common: await commonPasswords(), email });
};
