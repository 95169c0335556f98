/** Hashes passwords (argon2id) with limited concurrency, so that a service stays responsive during an attack. */
export interface Passwords {
  /**
   * Hashes a password. Pass the same salt for passwords that will be compared together with {@link Passwords.indexOf}.
   *
   * @param salt 16 bytes; default: random
   * @returns a PHC string
   * @throws TooMany the queue is full
   */
  hash: (password: string, salt?: Uint8Array) => Promise<string>;
  /**
   * Returns whether a password matches a hash.
   *
   * @param phc null if there is no hash: the call then takes as long as with a hash, and returns false
   * @throws TooMany
   */
  matches: (password: string, phc: string | null) => Promise<boolean>;
  /**
   * Finds the hash that a password matches. If all hashes have the same salt, or the list is empty, the call takes as
   * long as a comparison with one hash.
   *
   * @returns the index of the hash; -1 if none matches
   * @throws TooMany
   */
  indexOf: (password: string, phcs: readonly string[]) => Promise<number>;
}
