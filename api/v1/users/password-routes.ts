import { Type } from '@sinclair/typebox';
import { acceptInvitation } from '../../../commands/sign-in/accepted-invitations.ts';
import { changePassword, resetPassword } from '../../../commands/sign-in/user-passwords.ts';
import { requestResetByEmail } from '../../../commands/sign-in/reset-requests.ts';
import { Forbidden } from '../../../domain/errors.ts';
import { emailKeyOf } from '../../../domain/organization/user-email.ts';
import { verifyInvitationLink } from '../../../domain/organization/user-links.ts';
import { MAX_PERSONAL_NAME } from '../../../domain/organization/users.ts';
import { organizations } from '../../../projections/organizations/projection.ts';
import { findByEmail } from '../../../queries/organizations/users.ts';
import { ok, route, type Call, type Route } from '../../route.ts';
import { nullable, text } from '../../schema.ts';
import { accountOf, signInOrigin } from '../login/origin.ts';
import { Message, Password } from '../login/schema.ts';

const tag = 'Users';
const publicly = { access: { public: { tenant: null } }, unrepeatable: true, confidential: true };
const name = Type.Optional(nullable(text(MAX_PERSONAL_NAME, { min: 1 })));

/** Returns the signed-in user and the session. @throws Forbidden if the caller has no session */
export const requireSignedIn = ({
  caller: { userId, sessionId },
}: Pick<Call<unknown, unknown, unknown>, 'caller'>): { userId: string; sessionId: string } => {
  if (userId === null || sessionId === null) throw new Forbidden('This needs a session of a user, not an API key.');
  return { userId, sessionId };
};

export const passwordRoutes: Route[] = [
  route({
    methods: ['post'],
    path: '/v1/users/change-password',
    summary: 'Change your password',
    description: 'All your other sessions end.',
    tag,
    access: { needs: 'account.manage' },
    unrepeatable: true,
    confidential: true,
    body: Type.Object({ old_password: Password, new_password: Password }),
    responses: { 200: Message },
    handle: async (call) => {
      await call.commands.bind(changePassword)(requireSignedIn(call), call.body, call.context);
      return ok(() => ({ message: 'The password is changed. All other sessions have ended.' }));
    },
  }),
  route({
    methods: ['post'],
    path: '/v1/users/request-password-reset',
    summary: 'Request a password reset',
    description:
      'Sends an e-mail with a link to set a new password. The response is the same if no user has this address.',
    tag,
    ...publicly,
    body: Type.Object({ email: Type.String({ maxLength: 1_000 }) }),
    responses: { 200: Message },
    handle: async (call) => {
      const { body, scope, commands, context, mac } = call;
      const { users } = scope.read(organizations);
      const find = async () => accountOf(await findByEmail(users, await emailKeyOf({ fingerprint: mac }, body.email)));
      await commands.bind(requestResetByEmail)(find, signInOrigin(call), context);
      return ok(() => ({ message: 'If a user with this e-mail address can sign in here, a link is on its way.' }));
    },
  }),
  route({
    methods: ['post'],
    path: '/v1/users/reset-password',
    summary: 'Set a password with a link',
    description: 'The link is that of a password reset, or of an invitation, which is accepted at the same time.',
    tag,
    ...publicly,
    body: Type.Object({
      token: Type.String({ maxLength: 2_000 }),
      new_password: Password,
      first_name: name,
      last_name: name,
    }),
    responses: { 200: Message },
    // The response asks the user to sign in, so signing in must work as soon as the response arrives.
    waitsFor: [organizations.name],
    handle: async (call) => {
      const { body, commands, context, mac } = call;
      const origin = signInOrigin(call);
      if ((await verifyInvitationLink(body.token, context.now, mac)) === null) {
        await commands.bind(resetPassword)(body, origin, context);
        return ok(() => ({ message: 'The password is set. Please sign in.' }));
      }
      const { token, new_password: password, first_name = null, last_name = null } = body;
      const accepted = { token, password, password_field: 'new_password', first_name, last_name };
      await commands.bind(acceptInvitation)(accepted, origin, context);
      return ok(() => ({ message: 'The invitation is accepted. Please sign in.' }));
    },
  }),
];
