import { Type } from '@sinclair/typebox';
import { signOut, refreshSession } from '../../../commands/sign-in/session-refresh.ts';
import type { StartedSession } from '../../../commands/sign-in/session-start.ts';
import { NotSignedIn } from '../../../domain/errors.ts';
import { organizations } from '../../../projections/organizations/projection.ts';
import { decryptUser } from '../../../queries/organizations/users.ts';
import { noContent, ok, route, type RouteResponse, type Call, type Route } from '../../route.ts';
import { signInOrigin } from '../login/origin.ts';
import { Challenge, SecondFactorCredentials, PasswordCredentials } from '../login/schema.ts';
import { signInByCode, signInByPassword } from '../login/sign-in.ts';
import { mayOperate } from '../operator/operator.ts';
import { presentUser, type User } from '../users/schema.ts';
import { sessionCookieOf, type SessionCookie } from './cookie.ts';
import { BrowserSession, presentSession, Refreshed } from './schema.ts';

const tag = 'Browser sessions';
/** The organization is unknown until the user is authenticated. */
const access = { public: { tenant: null } };
const unrepeatable = { unrepeatable: true, confidential: true } as const;
/** Error statuses: 401 for wrong credentials, 403 for a request from a page of another origin. */
const refuses = [401, 403];

type BrowserCall = Call<unknown, unknown, unknown>;

const setCookie = (
  cookie: SessionCookie,
  { refresh, sessionEndsIn }: StartedSession,
): Pick<RouteResponse, 'cookies'> => ({
  cookies: [cookie.set(refresh, sessionEndsIn)],
});

/** Ends the session in the cookie, if there is one. */
const endCookieSession = async (call: BrowserCall, { token }: SessionCookie): Promise<void> => {
  if (token === null) return;
  try {
    await call.commands.bind(signOut)(token, signInOrigin(call), call.context);
  } catch (error) {
    if (!(error instanceof NotSignedIn)) throw error;
  }
};

const presentedTo = ({ operator }: Pick<BrowserCall, 'operator'>, session: StartedSession, user: User) =>
  presentSession(session, user, mayOperate(operator, user));

/**
 * Creates the response to a browser that has signed in. Ends the session of the previous cookie, because after the new
 * cookie replaces the previous one, that session could no longer be ended.
 */
export const respondSignedIn = async (
  call: BrowserCall,
  cookie: SessionCookie,
  session: StartedSession,
  user: () => User | Promise<User>,
): Promise<RouteResponse> => {
  await endCookieSession(call, cookie);
  return { ...ok(async () => presentedTo(call, session, await user())), ...setCookie(cookie, session) };
};

/** Reads the user of a refreshed session. Returns null if the user was removed meanwhile. */
const userOf = async ({ scope }: Pick<BrowserCall, 'scope'>, userId: string): Promise<User | null> => {
  const user = await scope.read(organizations).users.get(userId);
  return user && presentUser(await decryptUser(scope, user));
};

export const browserSessionRoutes: Route[] = [
  route({
    methods: ['post'],
    path: '/v1/session/login',
    summary: 'Sign in from a browser',
    description: 'The browser stores the refresh token in a cookie.',
    tag,
    access,
    errorStatuses: refuses,
    ...unrepeatable,
    oneTime: ['access_token', 'challenge'],
    body: PasswordCredentials,
    responses: { 200: Type.Union([BrowserSession, Challenge]) },
    handle: async (call) => {
      const cookie = await sessionCookieOf(call);
      const signedIn = await signInByPassword(call);
      if ('challenge' in signedIn) return ok(() => ({ requires_2fa: true, challenge: signedIn.challenge }));
      return respondSignedIn(call, cookie, signedIn.session, () => signedIn.user);
    },
  }),
  route({
    methods: ['post'],
    path: '/v1/session/totp',
    summary: 'Complete a browser sign-in with a second factor',
    tag,
    access,
    errorStatuses: refuses,
    ...unrepeatable,
    oneTime: ['access_token'],
    body: SecondFactorCredentials,
    responses: { 200: BrowserSession },
    handle: async (call) => {
      const cookie = await sessionCookieOf(call);
      const { session, user } = await signInByCode(call);
      return respondSignedIn(call, cookie, session, () => user);
    },
  }),
  route({
    methods: ['post'],
    path: '/v1/session/refresh',
    summary: 'Refresh a browser session',
    description: 'Returns an access token for the session in the cookie, or null without a session.',
    tag,
    access,
    errorStatuses: [403],
    ...unrepeatable,
    responses: { 200: Refreshed },
    handle: async (call) => {
      const cookie = await sessionCookieOf(call);
      if (cookie.token === null) return ok(() => ({ session: null }));
      const none = { ...ok(() => ({ session: null })), cookies: [cookie.clear()] };
      try {
        const given = [cookie.token, signInOrigin(call), call.context, { shared: true }] as const;
        const session = await call.commands.bind(refreshSession)(...given);
        const user = await userOf(call, session.userId);
        if (!user) return none;
        return { ...ok(() => ({ session: presentedTo(call, session, user) })), ...setCookie(cookie, session) };
      } catch (error) {
        if (error instanceof NotSignedIn) return none;
        throw error;
      }
    },
  }),
  route({
    methods: ['post'],
    path: '/v1/session/logout',
    summary: 'Sign out from a browser',
    description: 'Ends the session in the cookie, if there is one.',
    tag,
    access,
    errorStatuses: [403],
    unrepeatable: true,
    responses: { 204: null },
    handle: async (call) => {
      const cookie = await sessionCookieOf(call);
      await endCookieSession(call, cookie);
      return { ...noContent(), cookies: [cookie.clear()] };
    },
  }),
];
