import { timingSafeEqual } from 'node:crypto';
import type { Instant } from './time.ts';

/** The content of a signed link that works without an API key. */
export interface Link {
  /** the purpose for which the link was signed; the link is invalid for other purposes */
  purpose: string;
  organizationId: string;
  /** what the link is about, such as the id of a subscriber or the name of a file */
  subject: string;
  /** when the link expires; null: never */
  expiresAt: Instant | null;
}

/**
 * Signs a text with an HMAC under a key of this service (`Keys.fingerprint`). Signatures of different kinds never
 * match.
 */
export type Mac = (kind: string, text: string) => Promise<string>;

const KIND = 'signed link';

/**
 * Returns the token of a link for use in a URL: the content in base64url, a dot, and the signature. The content is not
 * encrypted.
 */
export const signedToken = async ({ purpose, organizationId, subject, expiresAt }: Link, mac: Mac): Promise<string> => {
  const text = Buffer.from(JSON.stringify([organizationId, subject, expiresAt])).toString('base64url');
  return `${text}.${await signature(purpose, text, mac)}`;
};

/** Returns a path that works without an API key. Its query contains the token of the link. */
export const signedPath = async (path: string, link: Link, mac: Mac): Promise<string> =>
  `${path}?token=${await signedToken(link, mac)}`;

/**
 * Verifies a token and returns its content. Returns null if the token was not signed for this purpose, or has expired.
 */
export const verifyToken = async (token: string, purpose: string, now: Instant, mac: Mac): Promise<Link | null> => {
  const [text = '', given = '', ...rest] = token.split('.');
  if (text === '' || given === '' || rest.length > 0) return null;
  if (!sameText(given, await signature(purpose, text, mac))) return null;
  const [organizationId, subject, expiresAt] = JSON.parse(Buffer.from(text, 'base64url').toString()) as [
    string,
    string,
    Instant | null,
  ];
  return expiresAt !== null && expiresAt <= now ? null : { purpose, organizationId, subject, expiresAt };
};

const signature = (purpose: string, text: string, mac: Mac): Promise<string> =>
  mac(KIND, JSON.stringify([purpose, text]));

/** Compares two texts in constant time. */
export const sameText = (one: string, other: string): boolean => {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
};
