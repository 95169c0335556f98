import { createHmac, hash, randomBytes } from 'node:crypto';
import type { Sealed } from '../../domain/sealed.ts';
import type { EndReason } from '../../domain/session/decide.ts';
import type { Instant } from '../../domain/time.ts';
import type { Entries, Entry, StoredEntry } from '../../stores/coordination/port.ts';

/*
 * Tokens of sessions are random texts; only their SHA-256 is kept, in entries of two kinds.
 *
 * An access token is `uta_` and 256 random bits; its entry `session_token` names the session.
 *
 * A refresh token is `utr_`, 256 random bits that stay the same for a session and find it by an entry `session_token`,
 * and 256 that every use replaces. So a former token is recognized for as long as the session lasts, without one entry
 * a token. The entry `session` says which token is the present one.
 */

/** An access token works so long, milliseconds. */
export const ACCESS_MS = 15 * 60_000;
/** A session goes on so long at most, milliseconds. */
export const SESSION_MS = 30 * 86_400_000;
/** A former refresh token gives the same answer again so long, milliseconds: the first may have been lost. */
export const REPEATED_MS = 10_000;

export const ACCESS_PREFIX = 'uta_';
export const REFRESH_PREFIX = 'utr_';

/** What a token is found by: its SHA-256, hexadecimal. */
export const hashOfToken = (token: string): string => hash('sha256', token);

const ACCESS_TOKEN = /^uta_[\w-]{43}$/;

/** Whether a text has the form of an access token. No other is looked for among sessions; generated keys never have it. */
export const isAccessToken = (text: string): boolean => ACCESS_TOKEN.test(text);

/** A use of a refresh token. */
export interface Rotation {
  /** SHA-256 of the refresh token that was used */
  used: string;
  /** random; the token that was used and this give the tokens of the answer again */
  salt: string;
  /** when, milliseconds since 1970 */
  at: number;
}

/** The value of an entry `session`: id is the session's, owner the user. */
export interface StoredSession {
  organization_id: string;
  /** tell the password it began with, or that its user is changing to by it, from others (commands/sign-in/signed-in.ts) */
  passwords: readonly string[];
  /** SHA-256 of the part of its refresh tokens that stays the same: id of an entry `session_token` */
  family: string;
  /** SHA-256 of the present refresh token */
  refresh: string;
  /** its last uses, newest last; only those of the last {@link REPEATED_MS} matter */
  rotations: readonly Rotation[];
  /** SHA-256 of its access tokens, newest last */
  access: readonly string[];
  created_at: Instant;
  /** when it was last refreshed */
  refreshed_at: Instant;
  expires_at: Instant;
  ip_address: Sealed | null;
  user_agent: Sealed | null;
  /** why and when (milliseconds since 1970) it was ended; the entry waits for that to be recorded; null: it goes on */
  ended: { reason: EndReason; at: number } | null;
}

/** The value of an entry `session_token`: id is the token's SHA-256, owner the user. */
export interface StoredToken {
  kind: 'access' | 'family';
  session_id: string;
  organization_id: string;
}

/** Two tokens, to be given to the user once. */
export interface TokenPair {
  access: string;
  refresh: string;
}

const random = (): string => randomBytes(32).toString('base64url');
const LENGTH_OF_RANDOM = 43;

/** The part of a refresh token that finds its session; null when the text is no refresh token. */
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
 * The tokens that a refresh token gives. They follow from it and a random salt, so that the same use gives the same
 * answer again; who has only one of both can't make them.
 */
export const tokensAfter = (refreshToken: string, salt: string): TokenPair => {
  const refresh = `${REFRESH_PREFIX}${familyOf(refreshToken) ?? ''}${derived(refreshToken, 'refresh', salt)}`;
  return { access: accessWith(refresh, salt), refresh };
};

/** The access token that was given out together with a refresh token. @param salt that both were made with */
export const accessWith = (refreshToken: string, salt: string): string =>
  `${ACCESS_PREFIX}${derived(refreshToken, 'access', salt)}`;

/** A session that an access token speaks for. */
export interface FoundSession {
  sessionId: string;
  userId: string;
  organizationId: string;
}

export const storedSession = ({ value }: Pick<Entry, 'value'>): StoredSession => JSON.parse(value) as StoredSession;
const storedToken = ({ value }: Pick<Entry, 'value'>): StoredToken => JSON.parse(value) as StoredToken;

/** An entry that finds a session by a token's hash. */
export const tokenEntry = (hash: string, userId: string, token: StoredToken, expiresAt: number): Entry => ({
  id: hash,
  value: JSON.stringify(token),
  owner: userId,
  expires_at: expiresAt,
});

/** Finds the session of a token of a kind, with its entry; null when there is none any more. */
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
 * Finds the session that an access token speaks for.
 *
 * @param tokenHash SHA-256 of the token, hexadecimal
 * @param now milliseconds since 1970
 * @returns null: the token is unknown or has expired, or its session has ended
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
