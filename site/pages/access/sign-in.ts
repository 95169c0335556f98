import { Type } from '@sinclair/typebox';
import { answerChallenge, signIn, type SignedIn } from '../../../commands/sign-in/sign-in.ts';
import { SESSION_MS } from '../../../commands/sign-in/session-tokens.ts';
import type { Origin } from '../../../commands/sign-in/account.ts';
import { NotFound, NotSignedIn, TooMany } from '../../../domain/errors.ts';
import { emailKeyOf } from '../../../domain/organization/user-email.ts';
import { pageSessionToken } from '../../../domain/page/session-token.ts';
import { instantOf, millisecondsOf } from '../../../domain/time.ts';
import { networkOf } from '../../../http/client-address.ts';
import type { RouteResponse } from '../../../http/routes/route.ts';
import { pageWordsFor } from '../../../messages/page-words/index.ts';
import { organizations } from '../../../projections/organizations/projection.ts';
import { findByEmail } from '../../../queries/organizations/users.ts';
import type { Route } from '../../route.ts';
import { cookieFor, SESSION_COOKIE } from '../cookies.ts';
import { signInForm } from '../error-responses.ts';
import { returnAddress } from '../return-address.ts';
import type { PageVisit, SiteCall } from '../visit.ts';
import { backTo, FIELD, pageForm } from './page-form.ts';

interface SignInInput {
  email: string;
  password: string;
  /** set if the code of a second factor is submitted */
  challenge: string | undefined;
  code: string;
}

export const originOf = ({ clientAddress, sealedFor }: Pick<SiteCall, 'clientAddress' | 'sealedFor'>): Origin => ({
  network: networkOf(clientAddress ?? ''),
  client: sealedFor,
});

/** Signs in an account of the page's organization. @throws NotSignedIn @throws TooMany */
const signInAt = async (visit: PageVisit, given: SignInInput, call: SiteCall): Promise<SignedIn> => {
  const { page, scope } = visit;
  const { commands, context, mac } = call;
  const origin = originOf(call);
  if (given.challenge !== undefined) {
    const response = { challenge: given.challenge, code: given.code, within: page.organization_id };
    return commands.bind(answerChallenge)(response, origin, context);
  }
  const emailKey = await emailKeyOf({ fingerprint: mac }, given.email);
  const user = await findByEmail(scope.read(organizations).users, emailKey);
  // Reject an account of another organization with the same message and after the same amount of work as an unknown
  // account. Otherwise, the response would reveal that the account exists.
  const account =
    user?.organization_id === page.organization_id ? { userId: user.id, organizationId: user.organization_id } : null;
  return commands.bind(signIn)({ emailKey, password: given.password, account }, origin, context);
};

const sessionCookie = async ({ page, sent, scope }: PageVisit, sessionId: string, call: SiteCall): Promise<string> => {
  const expiresAt = instantOf(millisecondsOf(scope.now) + SESSION_MS);
  const session = { organizationId: page.organization_id, pageId: page.id, sessionId };
  const value = await pageSessionToken(session, expiresAt, call.mac);
  return cookieFor(sent, { name: SESSION_COOKIE, value, maxAge: SESSION_MS / 1_000 });
};

/** Accepts the credentials of an account, and the second factor if the account has one. Grants access with a cookie. */
export const signInRoute: Route = pageForm({
  path: '/sign-in',
  summary: 'Sign in to see a status page for members',
  body: Type.Object({ email: FIELD, password: FIELD, challenge: FIELD, code: FIELD, return: FIELD }),
  answer: async ({ visit, access }, { email = '', password = '', challenge, code = '', return: back }, call) => {
    const { page, sent, choices } = visit;
    if (!page.viewers_must_be_team_members) throw new NotFound('Not found.');
    const location = returnAddress(back, sent);
    if (access === 'granted') return backTo(location, []);
    const words = pageWordsFor(choices.language).access;
    const again = (problem: string, more: { status?: number; headers?: Record<string, string> } = {}): RouteResponse =>
      signInForm(visit, { problem, back: location, ...more }, { email, challenge: challenge ?? null });
    try {
      const signedIn = await signInAt(visit, { email, password, challenge, code }, call);
      if ('challenge' in signedIn) return signInForm(visit, { back: location }, { challenge: signedIn.challenge });
      return backTo(location, [await sessionCookie(visit, signedIn.session.sessionId, call)]);
    } catch (error) {
      if (error instanceof NotSignedIn) return again(challenge === undefined ? words.wrongAccount : words.wrongCode);
      if (!(error instanceof TooMany)) throw error;
      const headers = { 'Retry-After': error.seconds.toString() };
      return again(words.tooMany(error.seconds), { status: 429, headers });
    }
  },
});
