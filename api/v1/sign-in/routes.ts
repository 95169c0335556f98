import { Type } from '@sinclair/typebox';
import { refreshSession, signOut } from '../../../commands/sign-in/session-refresh.ts';
import { answerChallenge, signIn } from '../../../commands/sign-in/sign-in.ts';
import { emailKeyOf } from '../../../domain/organization/user-email.ts';
import { refused } from '../../../commands/sign-in/signed-in.ts';
import { organizations } from '../../../projections/organizations/projection.ts';
import type { UserDocument } from '../../../projections/organizations/documents.ts';
import { findByEmail, presentable } from '../../../queries/organizations/users.ts';
import { noContent, ok, route, type Call, type Route } from '../../route.ts';
import { presentUser, type User } from '../users/schema.ts';
import { accountOf, originOf } from './origin.ts';
import { Challenge, Code, Password, presentTokens, SHOWN_ONCE, SignedIn, Tokens } from './schema.ts';

const tag = 'Sign-in';
/** Whose data it is about is known when it is done. */
const access = { public: { tenant: null } };
/** Whoever is not known, or shows no token that works. */
const refuses = [401];
const secret = { unrepeatable: true, confidential: true, oneTime: SHOWN_ONCE };

type Looking = Pick<Call<unknown, unknown, unknown>, 'scope' | 'context'>;

/**
 * The user as this sign-in leaves it. It is made from what was known before: nobody could have the tokens if the answer
 * had to wait for a read model.
 */
const signedInUser = async ({ scope, context }: Looking, user: UserDocument): Promise<User> =>
  presentUser(
    await presentable(scope, {
      ...user,
      status: 'active',
      sign_ins: user.sign_ins === 0 ? 1 : 2,
      last_login: context.now,
    }),
  );

/** The token in `Authorization`. @throws NotSignedIn there is none */
const tokenOf = ({ credential }: Pick<Call<unknown, unknown, unknown>, 'credential'>): string => {
  if (credential === null) throw refused('token');
  return credential;
};

export const signInRoutes: Route[] = [
  route({
    methods: ['post'],
    path: '/v1/login',
    summary: 'Sign in by e-mail and password',
    tag,
    access,
    refuses,
    ...secret,
    body: Type.Object({ email: Type.String({ maxLength: 1_000 }), password: Password }),
    answers: { 200: Type.Union([SignedIn, Challenge]) },
    handle: async (call) => {
      const { body, scope, commands, context, mac } = call;
      const emailKey = await emailKeyOf({ fingerprint: mac }, body.email);
      // Whether the user is active is for the stream to say: the read model may not know yet that an invitation is accepted.
      const user = await findByEmail(scope.read(organizations).users, emailKey);
      const given = { emailKey, password: body.password, account: accountOf(user) };
      const signedIn = await commands.ask(signIn)(given, originOf(call), context);
      if ('challenge' in signedIn || !user) return ok(() => ({ requires_2fa: true, ...signedIn }));
      const shown = await signedInUser(call, user);
      return ok(() => ({ ...presentTokens(signedIn.session), user: shown }));
    },
  }),
  route({
    methods: ['post'],
    path: '/v1/login/totp',
    summary: 'Finish a sign-in by a code of the second factor',
    tag,
    access,
    refuses,
    ...secret,
    body: Type.Object({ challenge: Type.String({ maxLength: 200 }), code: Code }),
    answers: { 200: SignedIn },
    handle: async (call) => {
      const { body, scope, commands, context } = call;
      // Read before the sign-in is stored, which the read model need not have caught up with.
      const before = scope.read(organizations).users;
      const { session, userId } = await commands.ask(answerChallenge)(body, originOf(call), context);
      const user = await before.get(userId);
      if (!user) throw refused('sign-in');
      const shown = await signedInUser(call, user);
      return ok(() => ({ ...presentTokens(session), user: shown }));
    },
  }),
  route({
    methods: ['post'],
    path: '/v1/refresh',
    summary: 'New tokens for the refresh token in Authorization, which then is used up',
    tag,
    access,
    refuses,
    ...secret,
    answers: { 200: Tokens },
    handle: async (call) => {
      const session = await call.commands.ask(refreshSession)(tokenOf(call), originOf(call), call.context);
      return ok(() => presentTokens(session));
    },
  }),
  route({
    methods: ['post'],
    path: '/v1/logout',
    summary: 'End the session whose access or refresh token is in Authorization',
    tag,
    access,
    refuses,
    unrepeatable: true,
    answers: { 204: null },
    handle: async (call) => {
      await call.commands.ask(signOut)(tokenOf(call), originOf(call), call.context);
      return noContent();
    },
  }),
];
