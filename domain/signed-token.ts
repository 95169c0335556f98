import { timingSafeEqual } from 'node:crypto';
import type { Instant } from './time.ts';

/** The content of a link that works without a key: for whom it speaks, about what, and until when. */
export interface Link {
  /** what it was signed for; it is valid for nothing else */
  purpose: string;
  organizationId: string;
  /** what it is about: the id of a subscriber, the name of a file */
  subject: string;
  /** it is refused from this moment on; null: never */
  expiresAt: Instant | null;
}

/** Signs a text: an HMAC under a key of this service (`Keys.fingerprint`), which also separates purposes. */
export type Mac = (kind: string, text: string) => Promise<string>;

const KIND = 'signed link';

/** The token of a link, for a URL: its content in base64url, a dot, the signature. The content is not secret. */
export const signedToken = async ({ purpose, ...said }: Link, mac: Mac): Promise<string> => {
  const { organizationId, subject, expiresAt } = said;
  const text = Buffer.from(JSON.stringify([organizationId, subject, expiresAt])).toString('base64url');
  return `${text}.${await signature(purpose, text, mac)}`;
};

/** A path that opens without a key: the token of a link stands behind it. */
export const signedPath = async (path: string, link: Link, mac: Mac): Promise<string> =>
  `${path}?token=${await signedToken(link, mac)}`;

/** The content of a token; null if it was not signed for this purpose, or has expired. */
export const openedToken = async (token: string, purpose: string, now: Instant, mac: Mac): Promise<Link | null> => {
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

/** Whether two texts are the same, in a time that does not depend on how they differ. */
export const sameText = (one: string, other: string): boolean => {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
};
