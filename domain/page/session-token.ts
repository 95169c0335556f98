import { verifyToken, signedToken, type Mac } from '../signed-token.ts';
import type { Instant } from '../time.ts';

/** The purpose in the signature of tokens. */
const PURPOSE = 'page session';

/** A session with which a member of an organization views one of its pages. */
export interface PageSession {
  organizationId: string;
  pageId: string;
  sessionId: string;
}

/**
 * A token that grants a signed-in member access to one page. Unlike the session's own tokens it grants no access to the
 * API. It is valid until the session ends, and at most until `expiresAt`.
 */
export const pageSessionToken = (
  { organizationId, pageId, sessionId }: PageSession,
  expiresAt: Instant,
  mac: Mac,
): Promise<string> =>
  signedToken({ purpose: PURPOSE, organizationId, subject: `${pageId} ${sessionId}`, expiresAt }, mac);

/** Verifies the token of a session for a page; null if invalid. The caller must check whether the session is active. */
export const sessionOfToken = async (
  token: string | null,
  page: { id: string; organization_id: string },
  now: Instant,
  mac: Mac,
): Promise<PageSession | null> => {
  const link = token === null ? null : await verifyToken(token, PURPOSE, now, mac);
  if (link?.organizationId !== page.organization_id) return null;
  const [pageId, sessionId] = link.subject.split(' ');
  if (pageId !== page.id || sessionId === undefined) return null;
  return { organizationId: page.organization_id, pageId, sessionId };
};
