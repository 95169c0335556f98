import { hash, verify } from '@node-rs/argon2';
import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import type { Passwords } from '../../commands/passwords.ts';
import { TooMany } from '../../domain/errors.ts';
import { normalizedPassword } from '../../domain/organization/password.ts';

/** argon2id, as OWASP advises (Password Storage Cheat Sheet); the package has no constant for its algorithm. */
const OPTIONS = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 } as const;

/** How many may wait for their turn. */
const WAITING = 50;

/** After how many seconds those who can't even wait may try again. */
const RETRY_AFTER_SECONDS = 5;

export interface PasswordsOptions {
  /** how many are hashed at once; default: one a core */
  atOnce?: number;
  waiting?: number;
}

/** Hashes passwords outside the event loop, a bounded number at once, in the order in which they were asked for. */
export const createPasswords = ({
  atOnce = availableParallelism(),
  waiting = WAITING,
}: PasswordsOptions = {}): Passwords => {
  const queue: (() => void)[] = [];
  let running = 0;

  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    if (running < atOnce) {
      running += 1;
    } else {
      if (queue.length >= waiting) {
        throw new TooMany('Too many passwords are being checked. Please try again.', RETRY_AFTER_SECONDS);
      }
      // Whoever is done hands its place to the next, so `running` stays.
      await new Promise<void>((resolve) => queue.push(resolve));
    }
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next) next();
      else running -= 1;
    }
  };

  const nobodys = phcOfNobody();
  return {
    hash: (password) => inTurn(() => hash(normalizedPassword(password), OPTIONS)),
    matches: (password, phc) =>
      inTurn(async () => {
        const same = await verify(phc ?? nobodys, normalizedPassword(password));
        return phc !== null && same;
      }),
  };
};

/** A string that no password matches and that costs as much to compare with. */
const phcOfNobody = (): string => {
  const { memoryCost, timeCost, parallelism, outputLen } = OPTIONS;
  const base64 = (bytes: number): string => randomBytes(bytes).toString('base64').replace(/=+$/, '');
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${base64(16)}$${base64(outputLen)}`;
};
