import { openedToken, signedToken, type Mac } from '../signed-token.ts';
import { instantOf, millisecondsOf, type Instant } from '../time.ts';
import { opensPage, type PasswordRules } from './visitors.ts';

/** What a token is signed for. */
const PURPOSE = 'page access';
/** Tells these tokens from API keys and from tokens of sessions. */
export const PAGE_TOKEN_PREFIX = 'utp_';
/** A token works so long at most, milliseconds. */
export const PAGE_TOKEN_MS = 86_400_000;

const PAGE_TOKEN = /^utp_[\w-]+\.[\w-]{43}$/;

/** Whether a text has the form of a token of {@link pageToken}. Whoever shows one is a visitor. */
export const isPageToken = (text: string | null): text is string => text !== null && PAGE_TOKEN.test(text);

/** A page that a visitor opens by a password. */
interface Opened {
  organizationId: string;
  pageId: string;
  password: PasswordRules;
}

/** Which password of which page, and which revision of it: with any change that revokes tokens there is another one. */
const subjectOf = (pageId: string, { id, revision }: PasswordRules): string => `${pageId} ${id} ${revision.toString()}`;

/**
 * A token by which a visitor who has given a password sees its page. It is signed and stored nowhere; it ends with the
 * password, or after a day.
 *
 * @returns the token, and for how many whole seconds it works
 */
export const pageToken = async (
  { organizationId, pageId, password }: Opened,
  now: Instant,
  mac: Mac,
): Promise<{ token: string; expiresIn: number }> => {
  const longest = instantOf(millisecondsOf(now) + PAGE_TOKEN_MS);
  const { expires_at } = password;
  const expiresAt = expires_at !== null && expires_at < longest ? expires_at : longest;
  const link = { purpose: PURPOSE, organizationId, subject: subjectOf(pageId, password), expiresAt };
  return {
    token: `${PAGE_TOKEN_PREFIX}${await signedToken(link, mac)}`,
    expiresIn: Math.floor((millisecondsOf(expiresAt) - millisecondsOf(now)) / 1_000),
  };
};

/**
 * The password by which a token opens a page now; null: it opens nothing, since it was issued for another page, has
 * expired, or its password was removed, changed or deactivated since.
 */
export const passwordOfToken = async (
  token: string | null,
  page: { id: string; organization_id: string; passwords: readonly PasswordRules[] },
  now: Instant,
  mac: Mac,
): Promise<PasswordRules | null> => {
  if (!isPageToken(token)) return null;
  const link = await openedToken(token.slice(PAGE_TOKEN_PREFIX.length), PURPOSE, now, mac);
  if (link?.organizationId !== page.organization_id) return null;
  const opens = page.passwords.find((password) => subjectOf(page.id, password) === link.subject);
  return opens && opensPage(opens, now) ? opens : null;
};
