import { verifyToken, signedToken, type Mac } from '../signed-token.ts';
import type { Instant } from '../time.ts';

/** The purpose that the signature of a token contains, so that tokens for other purposes are invalid here. */
const PURPOSE = 'page session';

/** The content of a token: a member's session, and the page of the member's organization that the token opens. */
export interface PageSession {
  organizationId: string;
  pageId: string;
  sessionId: string;
}

/**
 * Issues a token that grants a signed-in member access to one page. Unlike the tokens of the session, this token grants
 * no access to the API. It is valid until the session ends, at most until `expiresAt`.
 */
export const pageSessionToken = (
  { organizationId, pageId, sessionId }: PageSession,
  expiresAt: Instant,
  mac: Mac,
): Promise<string> =>
  signedToken({ purpose: PURPOSE, organizationId, subject: `${pageId} ${sessionId}`, expiresAt }, mac);

/**
 * Verifies a token from {@link pageSessionToken}. Returns null if the token is invalid. The caller must check whether
 * the session is still active.
 */
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
