import { html, TEXT, type MediaType } from '../../http/media/media-types.ts';
import { HttpError } from '../../http/errors.ts';
import type { RouteResponse } from '../../http/routes/route.ts';
import { pageWordsFor } from '../../messages/page-words/index.ts';
import { hintsOf } from '../../queries/pages/page-passwords.ts';
import { pageHtml } from '../../views/document.tsx';
import { MessagePage } from '../../views/status/message-page.tsx';
import { PasswordPage } from '../../views/status/password-page.tsx';
import { SignInPage } from '../../views/status/sign-in-page.tsx';
import { bareFrameOf, frameOf } from './frame.ts';
import { requestedAddress } from './return-address.ts';
import { formSecurity, pageSecurity } from './security.ts';
import type { PageVisit, Visitor } from './visit.ts';

const PAGE = html();

export const NOINDEX = { 'X-Robots-Tag': 'noindex, nofollow' };
const PRIVATE = { ...NOINDEX, 'Cache-Control': 'private, no-store' };

/** Returns the 404 response: an HTML page of the status page, or text. @throws HttpError for JSON */
export const notFoundAt = (visit: PageVisit, type: MediaType): RouteResponse => {
  const { notFound, notFoundText } = pageWordsFor(visit.choices.language);
  if (!isPage(type)) return plainErrorResponse(404, 'Not found.', type, NOINDEX);
  const frame = { ...frameOf(visit), indexed: false };
  return {
    status: 404,
    headers: { ...NOINDEX, 'Cache-Control': visit.isPublic ? 'no-cache' : 'private, no-store' },
    security: pageSecurity(visit.page),
    type: PAGE,
    body: () => pageHtml(MessagePage({ frame, title: notFound, text: notFoundText })),
  };
};

/** The rejection of a sent form. The form is shown again, with an error message. */
export interface SentForm {
  status: number;
  headers?: Record<string, string>;
  problem: string;
  /** URL to which the form redirects after success */
  back: string;
}

const formResponse = (body: () => string, { status = 401, headers = {} }: Partial<SentForm>): RouteResponse => ({
  status,
  headers: { ...(status === 401 && { 'WWW-Authenticate': 'Bearer' }), ...PRIVATE, ...headers },
  security: formSecurity(),
  type: PAGE,
  body,
});

/** Returns the password form. */
export const passwordForm = (visit: PageVisit, sent: Partial<SentForm> = {}): RouteResponse => {
  const hints = hintsOf(visit.page, visit.scope).flatMap(({ password_hint: hint }) => (hint === null ? [] : [hint]));
  const back = sent.back ?? requestedAddress(visit.sent);
  return formResponse(
    () => pageHtml(PasswordPage({ frame: bareFrameOf(visit), hints, back, problem: sent.problem ?? null })),
    sent,
  );
};

/** Returns the sign-in form, or the form for the code of a second factor. */
export const signInForm = (
  visit: PageVisit,
  sent: Partial<SentForm> = {},
  asks: { email?: string; challenge?: string | null } = {},
): RouteResponse => {
  const back = sent.back ?? requestedAddress(visit.sent);
  const { email = '', challenge = null } = asks;
  return formResponse(
    () => pageHtml(SignInPage({ frame: bareFrameOf(visit), email, challenge, back, problem: sent.problem ?? null })),
    sent,
  );
};

/**
 * Returns the response to a visitor who must authenticate. It is a form if the response type is HTML, and otherwise
 * text.
 *
 * @throws HttpError for JSON
 */
export const unauthorized = ({ visit, access }: Visitor, type: MediaType): RouteResponse => {
  if (isPage(type)) return access === 'members' ? signInForm(visit) : passwordForm(visit);
  const message =
    access === 'members'
      ? 'Only members of the organization may see this page.'
      : 'This page needs a password, or the token of one.';
  return plainErrorResponse(401, message, type, { ...PRIVATE, 'WWW-Authenticate': 'Bearer' });
};

const isPage = ({ name }: MediaType): boolean => name === PAGE.name;

/**
 * Returns an error response as plain text.
 *
 * @throws HttpError if the response type is JSON, or has its own format for errors, like the type of badges
 */
const plainErrorResponse = (
  status: number,
  message: string,
  type: MediaType,
  headers: Record<string, string>,
): RouteResponse => {
  if (type.renderError !== null || /[/+]json$/.test(type.name)) throw new HttpError(status, message, { headers });
  return { status, headers, type: TEXT, body: () => `${message}\n` };
};
