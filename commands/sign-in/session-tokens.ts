import { createHmac, hash, randomBytes } from 'node:crypto';
import type { Sealed } from '../../domain/sealed.ts';
import type { EndReason } from '../../domain/session/decide.ts';
import { DAY_MS, MINUTE_MS, type Instant } from '../../domain/time.ts';
import type { Entries, Entry, StoredEntry } from '../../stores/coordination/port.ts';

/*
 * Session tokens are random; only their SHA-256 hashes are stored, in entries of two kinds.
 *
 * An access token is `uta_` and 256 random bits; its entry `session_token` names the session.
 *
 * A refresh token is `utr_`, 256 random bits that are constant for the session (the family) and identify it by an entry
 * `session_token`, and 256 bits that every refresh replaces. So an old token is recognised as long as the session lasts,
 * without an entry for each token. The entry `session` names the current token.
 */

/** Lifetime of an access token, milliseconds. */
export const ACCESS_MS = 15 * MINUTE_MS;
/** Maximum lifetime of a session, milliseconds. */
export const SESSION_MS = 30 * DAY_MS;
/** For so long, milliseconds, a used refresh token returns the same response again, which may have been lost. */
export const REPEATED_MS = 10_000;

export const ACCESS_PREFIX = 'uta_';
export const REFRESH_PREFIX = 'utr_';

/** The SHA-256 hash of a token, hexadecimal. */
export const hashOfToken = (token: string): string => hash('sha256', token);

const ACCESS_TOKEN = /^uta_[\w-]{43}$/;

/** Whether a text has the form of an access token. Others are not looked up; generated API keys never have this form. */
export const isAccessToken = (text: string): boolean => ACCESS_TOKEN.test(text);

/** One refresh. */
export interface Rotation {
  /** SHA-256 of the refresh token that was used */
  used: string;
  /** random; the new tokens are derived from it and the used token */
  salt: string;
  /** when, milliseconds since 1970 */
  at: number;
}

/** The value of an entry `session`: id is the session's, owner the user. */
export interface StoredSession {
  organization_id: string;
  /** marks of the passwords for which it is valid: the one at its start, and one that its user is just setting */
  passwords: readonly string[];
  /** SHA-256 of the constant part of its refresh tokens: id of an entry `session_token` */
  family: string;
  /** SHA-256 of the current refresh token */
  refresh: string;
  /** its latest refreshes, newest last; only those within {@link REPEATED_MS} matter */
  rotations: readonly Rotation[];
  /** SHA-256 of its access tokens, newest last */
  access: readonly string[];
  created_at: Instant;
  /** when it was last refreshed */
  refreshed_at: Instant;
  expires_at: Instant;
  ip_address: Sealed | null;
  user_agent: Sealed | null;
  /** why and when (milliseconds since 1970) it was ended, until the end is recorded in the log; null: it is active */
  ended: { reason: EndReason; at: number } | null;
}

/** The value of an entry `session_token`: id is the token's SHA-256, owner the user. */
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

/** The constant part of a refresh token, which identifies its session; null if the text is not a refresh token. */
export const familyOf = (refreshToken: string): string | null => {
  const random = refreshToken.slice(REFRESH_PREFIX.length);
  return refreshToken.startsWith(REFRESH_PREFIX) && random.length === 2 * LENGTH_OF_RANDOM
    ? random.slice(0, LENGTH_OF_RANDOM)
    : null;
};

/** The first tokens of a session. */
export const newTokens = (): TokenPair => ({
  access: `${ACCESS_PREFIX}${random()}`,
  refresh: `${REFRESH_PREFIX}${random()}${random()}`,
});

export const newSalt = (): string => random();

const derived = (refreshToken: string, what: string, salt: string): string =>
  createHmac('sha256', refreshToken).update(`${what} ${salt}`).digest('base64url');

/**
 * The next tokens after a refresh token. They are derived from it and a random salt, so that a repeated request gets the
 * same tokens. Both parts are needed to compute them.
 */
export const tokensAfter = (refreshToken: string, salt: string): TokenPair => {
  const refresh = `${REFRESH_PREFIX}${familyOf(refreshToken) ?? ''}${derived(refreshToken, 'refresh', salt)}`;
  return { access: accessWith(refresh, salt), refresh };
};

/** The access token that was issued together with a refresh token. @param salt the salt of both */
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

/** The entry that maps a token's hash to its session. */
export const tokenEntry = (hash: string, userId: string, token: StoredToken, expiresAt: number): Entry => ({
  id: hash,
  value: JSON.stringify(token),
  owner: userId,
  expires_at: expiresAt,
});

/** Finds the session and its entry by a token; null if there is none. */
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
 * @param tokenHash SHA-256 of the token, hexadecimal
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
