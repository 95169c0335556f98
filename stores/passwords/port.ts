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
