import { checkPassword } from '../domain/organization/password.ts';

/** Hashes passwords (argon2id) so that a service under attack keeps the rest of its work going. */
export interface Passwords {
  /**
   * Passwords that are compared at once ({@link Passwords.indexOf}) are hashed with the same salt.
   *
   * @param salt 16 bytes; default: random
   * @returns a PHC string
   * @throws TooMany too many wait for their turn
   */
  hash: (password: string, salt?: Uint8Array) => Promise<string>;
  /**
   * Whether a password is the one that was hashed.
   *
   * @param phc null: there is none; that takes as long, and is false
   * @throws TooMany
   */
  matches: (password: string, phc: string | null) => Promise<boolean>;
  /**
   * Which of several passwords this one is. It takes as long as comparing with one if all were hashed with the same
   * salt, and for an empty list.
   *
   * @returns its place; -1: none of them
   * @throws TooMany
   */
  indexOf: (password: string, phcs: readonly string[]) => Promise<number>;
}

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
