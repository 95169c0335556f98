import { timingSafeEqual } from 'node:crypto';
import { hashOfToken, isAccessToken, type FoundSession } from '../commands/sign-in/session-tokens.ts';
import { hashOfApiKey } from '../domain/organization/api-key.ts';
import { isWithin } from '../domain/target/within.ts';
import type { Instant } from '../domain/time.ts';
import { HttpError } from '../http/errors.ts';
import type { Caller } from '../http/routes/caller.ts';
import { forATime, whileUnchanged } from './remembered.ts';

/** Finds who shows what stands in the header `Authorization`. */
export interface Authenticate {
  /**
   * @param credential an API key, or an access token of a session
   * @param address where it comes from
   * @param hash SHA-256 of the credential in hexadecimal, if that is known already
   * @returns null: it is unknown, was revoked, has expired or ended, or belongs to somebody who is no longer active
   * @throws HttpError 403 the key does not work from this address
   */
  (credential: string, address?: string, hash?: string): Promise<Caller | null>;
  /** Forgets what it remembers, so that what has ended is refused from now on. */
  forget: () => void;
}

/** An API key that is not revoked, whose maker is active. */
export interface KnownKey {
  /** SHA-256 of the key in hexadecimal */
  hash: string;
  keyId: string;
  organizationId: string;
  /** what it may do now; a role that this release does not know may do nothing */
  role: string;
  /** the user who made it; null: nobody who signs in */
  madeBy: string | null;
  /** addresses and CIDR ranges that it works from; empty: from everywhere */
  allowedIps: readonly string[];
  /** from this moment on it is refused; null: never */
  expiresAt: Instant | null;
}

/** A user who is active. */
export interface KnownUser {
  userId: string;
  organizationId: string;
  /** the present one; one that this release does not know may do nothing */
  role: string;
}

export interface AuthenticationDependencies {
  /** looks a key up by its SHA-256 in hexadecimal; null when there is none that works */
  find: (hash: string) => Promise<KnownKey | null>;
  /** looks a user up; null when there is none who is active */
  user: (organizationId: string, userId: string) => Promise<KnownUser | null>;
  /** finds the session of an access token by the token's SHA-256 in hexadecimal; null when there is none */
  session: (hash: string) => Promise<FoundSession | null>;
  /**
   * A number that changes whenever a key or user may have changed. While it stays the same, callers are remembered;
   * while it is null or absent, every request looks its key up.
   */
  version?: () => bigint | null;
  now: () => Instant;
  /** milliseconds; only differences count */
  clock?: () => number;
}

/** How long a process remembers that a session goes on, milliseconds (docs/decisions.md: Access). */
const SESSION_REMEMBERED_MS = 1_000;

/**
 * Looks API keys and access tokens up by hash, and compares keys in constant time (decisions.md: HTTP rules, API key). A
 * revoked key is refused as soon as its revocation is found, an expired one from the instant it expires, and a session a
 * second after it has ended at the latest. What either may do follows from the present role of its user.
 */
export const createAuthenticate = (dependencies: AuthenticationDependencies): Authenticate => {
  const { find, user, session, version = () => null, now, clock = () => performance.now() } = dependencies;

  const keys = whileUnchanged(version, async (wanted) => {
    const known = await find(wanted);
    if (!known || !sameText(known.hash, wanted)) return null;
    return { caller: callerByKey(known), expiresAt: known.expiresAt, allows: allowing(known.allowedIps) };
  });
  const users = whileUnchanged(version, (name) => {
    const [organizationId, userId] = JSON.parse(name) as [string, string];
    return user(organizationId, userId);
  });
  const sessions = forATime(SESSION_REMEMBERED_MS, session, clock);

  const bySession = async (hash: string): Promise<Caller | null> => {
    const known = await sessions.get(hash);
    const who = known && (await users.get(JSON.stringify([known.organizationId, known.userId])));
    return who && callerBySession(known, who);
  };

  const byKey = async (hash: string, address: string | undefined): Promise<Caller | null> => {
    const known = await keys.get(hash);
    if (!known || (known.expiresAt !== null && known.expiresAt <= now())) return null;
    if (!known.allows(address ?? null)) throw new HttpError(403, 'This API key does not work from this address.');
    return known.caller;
  };

  const authenticate = (credential: string, address?: string, hash?: string): Promise<Caller | null> =>
    isAccessToken(credential)
      ? bySession(hash ?? hashOfToken(credential))
      : byKey(hash ?? hashOfApiKey(credential), address);
  return Object.assign(authenticate, {
    forget: () => {
      for (const { forget } of [keys, users, sessions]) forget();
    },
  });
};

const callerByKey = ({ keyId, organizationId, role, madeBy }: KnownKey): Caller => ({
  actor: { kind: 'api_key', id: keyId, role },
  organizationId,
  countedAs: keyId,
  userId: madeBy,
  sessionId: null,
  keyId,
});

/** Counted by user: a token is replaced every few minutes, and a request that is repeated is that of the same caller. */
const callerBySession = ({ sessionId }: FoundSession, { userId, organizationId, role }: KnownUser): Caller => ({
  actor: { kind: 'user', id: userId, role },
  organizationId,
  countedAs: `user ${userId}`,
  userId,
  sessionId,
  keyId: null,
});

/** Whether addresses are among those that a key works from. Ranges that this release can't read include none. */
const allowing = (ranges: readonly string[]): ((address: string | null) => boolean) => {
  if (ranges.length === 0) return () => true;
  return (address) =>
    ranges.some((range) => {
      try {
        return isWithin(range, address);
      } catch {
        return false;
      }
    });
};

const sameText = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
