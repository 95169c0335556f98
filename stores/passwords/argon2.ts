import type * as Argon2 from '@node-rs/argon2';
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import type { Passwords } from './port.ts';
import { TooMany } from '../../domain/errors.ts';
import { lazy } from '../../domain/concurrency/lazy.ts';
import { normalizedPassword } from '../../domain/organization/password.ts';

/** The native library, which is loaded when the first password is hashed. */
const argon2 = lazy(() => createRequire(import.meta.url)('@node-rs/argon2') as typeof Argon2);

/**
 * argon2id with the parameters of OWASP's Password Storage Cheat Sheet. The number 2 stands for argon2id, because the
 * package exports no constant for argon2id that can be used here.
 */
const OPTIONS = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 } as const;

/** Maximum number of calls waiting in the queue. */
const MAX_WAITING = 50;

/** Value of `Retry-After` in seconds if the queue is full. */
const RETRY_AFTER_SECONDS = 5;

export interface PasswordsOptions {
  /** number of concurrent hashes; default: one per core */
  concurrency?: number;
  maxWaiting?: number;
}

/** Creates a {@link Passwords} that hashes outside the event loop, in the order of the calls. */
export const createPasswords = ({
  concurrency = availableParallelism(),
  maxWaiting = MAX_WAITING,
}: PasswordsOptions = {}): Passwords => {
  const queue: (() => void)[] = [];
  let running = 0;

  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    if (running < concurrency) {
      running += 1;
    } else {
      if (queue.length >= maxWaiting) {
        throw new TooMany('Too many passwords are being checked. Please try again.', RETRY_AFTER_SECONDS);
      }
      // A finished caller passes its slot to the next caller, so `running` does not change.
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

  const nobodys = unmatchablePhc();
  return {
    hash: (password, salt) =>
      inTurn(() => argon2().hash(normalizedPassword(password), { ...OPTIONS, ...(salt && { salt }) })),
    matches: (password, phc) =>
      inTurn(async () => {
        const same = await argon2().verify(phc ?? nobodys, normalizedPassword(password));
        return phc !== null && same;
      }),
    indexOf: (password, phcs) =>
      inTurn(async () => {
        const hashed = phcs.map(parsedPhc);
        // If the list is empty, the password is compared with a hash that never matches, so that the call takes as long
        // as with one hash.
        const ways = new Map([...(hashed.length === 0 ? [parsedPhc(nobodys)] : hashed)].map((one) => [one.way, one]));
        const digests = new Map<string, Buffer>();
        for (const [way, { options }] of ways) {
          digests.set(way, await argon2().hashRaw(normalizedPassword(password), options));
        }
        // All hashes are compared, so that the duration does not depend on which hash matches.
        return hashed.reduce((place, { way, digest }, index) => {
          const given = digests.get(way);
          const same = given?.length === digest.length && timingSafeEqual(given, digest);
          return same && place === -1 ? index : place;
        }, -1);
      }),
  };
};

/** The parts of a PHC string of argon2id. */
interface ParsedPhc {
  /**
   * the part of the string with parameters and salt; PHC strings with equal `way` need only one hash of the given
   * password
   */
  way: string;
  options: Parameters<typeof Argon2.hashRaw>[1];
  digest: Buffer;
}

const PHC = /^(\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+))\$([\w+/]+)$/;

const parsedPhc = (phc: string): ParsedPhc => {
  const [, way = '', memoryCost, timeCost, parallelism, salt = '', digest = ''] = PHC.exec(phc) ?? [];
  if (way === '') throw new Error('A stored password is no PHC string of argon2id.');
  const bytes = Buffer.from(digest, 'base64');
  return {
    way,
    options: {
      ...OPTIONS,
      memoryCost: Number(memoryCost),
      timeCost: Number(timeCost),
      parallelism: Number(parallelism),
      outputLen: bytes.length,
      salt: Buffer.from(salt, 'base64'),
    },
    digest: bytes,
  };
};

/**
 * Returns a PHC string that no password matches. A comparison with it takes as long as a comparison with a real hash.
 */
const unmatchablePhc = (): string => {
  const { memoryCost, timeCost, parallelism, outputLen } = OPTIONS;
  const base64 = (bytes: number): string => randomBytes(bytes).toString('base64').replace(/=+$/, '');
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${base64(16)}$${base64(outputLen)}`;
};
