import { verifyToken, signedToken, type Mac } from '../signed-token.ts';
import { DAY_MS, later, millisecondsOf, type Instant } from '../time.ts';
import { grantsAccess, type PasswordRules } from './access.ts';

/** The purpose that the signature of a token contains, so that tokens for other purposes are invalid here. */
const PURPOSE = 'page access';
/** Prefix that distinguishes these tokens from API keys and session tokens. */
export const PAGE_TOKEN_PREFIX = 'utp_';
/** Maximum lifetime of a token in milliseconds. */
export const PAGE_TOKEN_MS = DAY_MS;

const PAGE_TOKEN = /^utp_[\w-]+\.[\w-]{43}$/;

/**
 * Whether a text has the form of a token from {@link pageToken}. A client with such a token is treated as a visitor.
 */
export const isPageToken = (text: string | null): text is string => text !== null && PAGE_TOKEN.test(text);

/** A page, and the password with which a visitor opened it. */
interface Opened {
  organizationId: string;
  pageId: string;
  password: PasswordRules;
}

/**
 * Returns the subject of a token: the page, the password, and the password's revision, which increases with every
 * change that revokes tokens.
 */
const subjectOf = (pageId: string, { id, revision }: PasswordRules): string => `${pageId} ${id} ${revision}`;

/**
 * Issues a token for a visitor who entered a password of a page. The token grants access to the page. It is signed, and
 * not stored. It expires after a day, or when the password expires, whichever is earlier.
 *
 * @returns the token, and its remaining lifetime in whole seconds
 */
export const pageToken = async (
  { organizationId, pageId, password }: Opened,
  now: Instant,
  mac: Mac,
): Promise<{ token: string; expiresIn: number }> => {
  const longest = later(now, PAGE_TOKEN_MS);
  const { expires_at } = password;
  const expiresAt = expires_at !== null && expires_at < longest ? expires_at : longest;
  const link = { purpose: PURPOSE, organizationId, subject: subjectOf(pageId, password), expiresAt };
  return {
    token: `${PAGE_TOKEN_PREFIX}${await signedToken(link, mac)}`,
    expiresIn: Math.floor((millisecondsOf(expiresAt) - millisecondsOf(now)) / 1_000),
  };
};

/**
 * Returns the password for which a token was issued, if the token grants access to the page. Returns null if the token
 * was issued for another page or has expired, or if its password was removed, changed or deactivated.
 */
export const passwordOfToken = async (
  token: string | null,
  page: { id: string; organization_id: string; passwords: readonly PasswordRules[] },
  now: Instant,
  mac: Mac,
): Promise<PasswordRules | null> => {
  if (!isPageToken(token)) return null;
  const link = await verifyToken(token.slice(PAGE_TOKEN_PREFIX.length), PURPOSE, now, mac);
  if (link?.organizationId !== page.organization_id) return null;
  const opens = page.passwords.find((password) => subjectOf(page.id, password) === link.subject);
  return opens && grantsAccess(opens, now) ? opens : null;
};
