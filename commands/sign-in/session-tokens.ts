import { createHmac, hash, randomBytes } from 'node:crypto';
import type { Sealed } from '../../domain/sealed.ts';
import type { EndReason } from '../../domain/session/decide.ts';
import { DAY_MS, MINUTE_MS, type Instant } from '../../domain/time.ts';
import type { Entries, Entry, StoredEntry } from '../../stores/coordination/port.ts';

/*
 * Session tokens are random. Only their SHA-256 hashes are stored, in entries of two kinds: `session_token` maps a hash
 * to a session, and `session` has the session itself.
 *
 * An access token consists of `uta_` and 256 random bits. It has an entry `session_token`.
 *
 * A refresh token consists of `utr_`, 256 random bits that are constant for the session (the family), and 256 bits that
 * every refresh replaces. Only the family has an entry `session_token`. So a replaced token is recognised as long as
 * the session lasts, without an entry for each token. The entry `session` has the hash of the current token.
 */

/** Lifetime of an access token, in milliseconds. */
export const ACCESS_MS = 15 * MINUTE_MS;
/** Maximum lifetime of a session, in milliseconds. */
export const SESSION_MS = 30 * DAY_MS;
/**
 * Time in which repeated use of the same refresh token returns the same response, in milliseconds. The first response
 * might have been lost.
 */
export const REPEATED_MS = 10_000;

export const ACCESS_PREFIX = 'uta_';
export const REFRESH_PREFIX = 'utr_';

/** Returns the SHA-256 of a token in hexadecimal. */
export const hashOfToken = (token: string): string => hash('sha256', token);

const ACCESS_TOKEN = /^uta_[\w-]{43}$/;

/** Tests whether a text has the form of an access token. Generated API keys never have this form. */
export const isAccessToken = (text: string): boolean => ACCESS_TOKEN.test(text);

/** A refresh of a session. */
export interface Rotation {
  /** SHA-256 of the refresh token that was used */
  used: string;
  /** Random text. The new tokens are derived from this text and the used token. */
  salt: string;
  /** Time of the refresh, in milliseconds since 1970. */
  at: number;
}

/** The value of an entry `session`. The entry's id is the id of the session, and its owner is the user. */
export interface StoredSession {
  organization_id: string;
  /**
   * Hashes of passwords (`passwordMark`) for which the session is valid: the current password, and during a change of
   * the password also the new one.
   */
  passwords: readonly string[];
  /** SHA-256 of the constant part of the session's refresh tokens, which is the id of an entry `session_token`. */
  family: string;
  /** SHA-256 of the current refresh token */
  refresh: string;
  /** The session's most recent refreshes, newest last. Refreshes older than {@link REPEATED_MS} are not used. */
  rotations: readonly Rotation[];
  /** SHA-256 of the session's access tokens, newest last */
  access: readonly string[];
  created_at: Instant;
  /** Time of the most recent refresh. */
  refreshed_at: Instant;
  expires_at: Instant;
  ip_address: Sealed | null;
  user_agent: Sealed | null;
  /**
   * Null while the session is active. After its end, the reason and the time of the end (in milliseconds since 1970),
   * which remain until the log contains the end.
   */
  ended: { reason: EndReason; at: number } | null;
}

/** The value of an entry `session_token`. The entry's id is the SHA-256 of the token, and its owner is the user. */
export interface StoredToken {
  kind: 'access' | 'family';
  session_id: string;
  organization_id: string;
}

/** The tokens of a session, shown to the user once. */
export interface TokenPair {
  access: string;
  refresh: string;
}

const random = (): string => randomBytes(32).toString('base64url');
const LENGTH_OF_RANDOM = 43;

/** Returns the constant part of a refresh token, which identifies the session. Returns null for other texts. */
export const familyOf = (refreshToken: string): string | null => {
  const random = refreshToken.slice(REFRESH_PREFIX.length);
  return refreshToken.startsWith(REFRESH_PREFIX) && random.length === 2 * LENGTH_OF_RANDOM
    ? random.slice(0, LENGTH_OF_RANDOM)
    : null;
};

/** Creates the first tokens of a session. */
export const newTokens = (): TokenPair => ({
  access: `${ACCESS_PREFIX}${random()}`,
  refresh: `${REFRESH_PREFIX}${random()}${random()}`,
});

export const newSalt = (): string => random();

const derived = (refreshToken: string, what: string, salt: string): string =>
  createHmac('sha256', refreshToken).update(`${what} ${salt}`).digest('base64url');

/**
 * Derives the tokens that replace a refresh token. The new tokens are derived from the refresh token and a random salt,
 * so that a repeated request gets the same tokens. The service stores the salt but not the refresh token, so it cannot
 * derive the new tokens without the client's request.
 */
export const tokensAfter = (refreshToken: string, salt: string): TokenPair => {
  const refresh = `${REFRESH_PREFIX}${familyOf(refreshToken) ?? ''}${derived(refreshToken, 'refresh', salt)}`;
  return { access: accessWith(refresh, salt), refresh };
};

/** Derives the access token that was issued together with a refresh token. @param salt salt of both tokens */
export const accessWith = (refreshToken: string, salt: string): string =>
  `${ACCESS_PREFIX}${derived(refreshToken, 'access', salt)}`;

/** The session of an access token. */
export interface FoundSession {
  sessionId: string;
  userId: string;
  organizationId: string;
}

export const storedSession = ({ value }: Pick<Entry, 'value'>): StoredSession => JSON.parse(value) as StoredSession;
const storedToken = ({ value }: Pick<Entry, 'value'>): StoredToken => JSON.parse(value) as StoredToken;

/** Creates the entry that maps the hash of a token to a session. */
export const tokenEntry = (hash: string, userId: string, token: StoredToken, expiresAt: number): Entry => ({
  id: hash,
  value: JSON.stringify(token),
  owner: userId,
  expires_at: expiresAt,
});

/** Finds a session and its entry by a token. Returns null if there is none. */
export const sessionByToken = async (
  entries: Pick<Entries, 'get'>,
  kind: StoredToken['kind'],
  tokenHash: string,
  now: number,
): Promise<{ sessionId: string; entry: StoredEntry; session: StoredSession } | null> => {
  const found = await entries.get('session_token', tokenHash, now);
  if (!found) return null;
  const token = storedToken(found);
  if (token.kind !== kind) return null;
  const entry = await entries.get('session', token.session_id, now);
  return entry && { sessionId: token.session_id, entry, session: storedSession(entry) };
};

/**
 * Finds the session of an access token.
 *
 * @param tokenHash SHA-256 of the token in hexadecimal
 * @param now milliseconds since 1970
 * @returns null if the token is unknown or has expired, or its session has ended
 */
export const findSession = async (
  entries: Pick<Entries, 'get'>,
  tokenHash: string,
  now: number,
): Promise<FoundSession | null> => {
  const found = await sessionByToken(entries, 'access', tokenHash, now);
  if (!found?.session.access.includes(tokenHash)) return null;
  const { sessionId, entry, session } = found;
  return entry.owner === null ? null : { sessionId, userId: entry.owner, organizationId: session.organization_id };
};
