import { Type } from '@sinclair/typebox';
import { refreshSession, signOut } from '../../../commands/sign-in/session-refresh.ts';
import { signInRefused } from '../../../commands/sign-in/account.ts';
import { noContent, ok, route, type Call, type Route } from '../../route.ts';
import { signInOrigin } from './origin.ts';
import {
  Challenge,
  SecondFactorCredentials,
  PasswordCredentials,
  presentTokens,
  SHOWN_ONCE,
  SignedIn,
  Tokens,
} from './schema.ts';
import { signInByCode, signInByPassword } from './sign-in.ts';

const tag = 'Sign-in';
/** The organization is unknown until the user is authenticated. */
const access = { public: { tenant: null } };
/** Error statuses: 401 for wrong credentials or an invalid token. */
const refuses = [401];
const secret = { unrepeatable: true, confidential: true, oneTime: SHOWN_ONCE };

/** Returns the token in `Authorization`. @throws NotSignedIn if there is none */
const tokenOf = ({ credential }: Pick<Call<unknown, unknown, unknown>, 'credential'>): string => {
  if (credential === null) throw signInRefused('token');
  return credential;
};

export const signInRoutes: Route[] = [
  route({
    methods: ['post'],
    path: '/v1/login',
    summary: 'Sign in with e-mail and password',
    tag,
    access,
    errorStatuses: refuses,
    ...secret,
    body: PasswordCredentials,
    responses: { 200: Type.Union([SignedIn, Challenge]) },
    handle: async (call) => {
      const signedIn = await signInByPassword(call);
      if ('challenge' in signedIn) return ok(() => ({ requires_2fa: true, challenge: signedIn.challenge }));
      return ok(() => ({ ...presentTokens(signedIn.session), user: signedIn.user }));
    },
  }),
  route({
    methods: ['post'],
    path: '/v1/login/totp',
    summary: 'Complete a sign-in with a second factor',
    tag,
    access,
    errorStatuses: refuses,
    ...secret,
    body: SecondFactorCredentials,
    responses: { 200: SignedIn },
    handle: async (call) => {
      const { session, user } = await signInByCode(call);
      return ok(() => ({ ...presentTokens(session), user }));
    },
  }),
  route({
    methods: ['post'],
    path: '/v1/refresh',
    summary: 'Refresh tokens',
    description: 'Exchanges the refresh token in `Authorization` for new tokens. A refresh token can be used once.',
    tag,
    access,
    errorStatuses: refuses,
    ...secret,
    responses: { 200: Tokens },
    handle: async (call) => {
      const session = await call.commands.bind(refreshSession)(tokenOf(call), signInOrigin(call), call.context);
      return ok(() => presentTokens(session));
    },
  }),
  route({
    methods: ['post'],
    path: '/v1/logout',
    summary: 'Sign out',
    description: 'Ends the session whose access or refresh token is in `Authorization`.',
    tag,
    access,
    errorStatuses: refuses,
    unrepeatable: true,
    responses: { 204: null },
    handle: async (call) => {
      await call.commands.bind(signOut)(tokenOf(call), signInOrigin(call), call.context);
      return noContent();
    },
  }),
];
