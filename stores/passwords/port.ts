/** Hashes passwords (argon2id) with limited concurrency, so that a service under attack stays responsive. */
export interface Passwords {
  /**
   * Passwords that will be compared together ({@link Passwords.indexOf}) are hashed with the same salt.
   *
   * @param salt 16 bytes; default: random
   * @returns a PHC string
   * @throws TooMany the queue is full
   */
  hash: (password: string, salt?: Uint8Array) => Promise<string>;
  /**
   * Whether a password matches a hash.
   *
   * @param phc null if there is none: the call takes as long, and returns false
   * @throws TooMany
   */
  matches: (password: string, phc: string | null) => Promise<boolean>;
  /**
   * Which of several hashes a password matches. If all have the same salt, and also for an empty list, it takes as long
   * as comparing with one.
   *
   * @returns the index; -1 if none matches
   * @throws TooMany
   */
  indexOf: (password: string, phcs: readonly string[]) => Promise<number>;
}
