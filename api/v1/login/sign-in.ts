import type { Static } from '@sinclair/typebox';
import type { StartedSession } from '../../../commands/sign-in/session-start.ts';
import { answerChallenge, signIn } from '../../../commands/sign-in/sign-in.ts';
import { signInRefused } from '../../../commands/sign-in/account.ts';
import { emailKeyOf } from '../../../domain/organization/user-email.ts';
import type { UserDocument } from '../../../projections/organizations/documents.ts';
import { organizations } from '../../../projections/organizations/projection.ts';
import { findByEmail, decryptUser } from '../../../queries/organizations/users.ts';
import type { Call } from '../../route.ts';
import { presentUser, type User } from '../users/schema.ts';
import { accountOf, signInOrigin } from './origin.ts';
import type { SecondFactorCredentials, PasswordCredentials } from './schema.ts';

type Signing<B> = Call<unknown, unknown, B>;

/** A new session, and its user in the form of responses. */
export interface SignedInSession {
  session: StartedSession;
  user: User;
}

/**
 * Signs in with e-mail and password, or returns a challenge for the second factor. @throws NotSignedIn @throws TooMany
 */
export const signInByPassword = async (
  call: Signing<Static<typeof PasswordCredentials>>,
): Promise<SignedInSession | { challenge: string }> => {
  const { body, scope, commands, context, mac } = call;
  const emailKey = await emailKeyOf({ fingerprint: mac }, body.email);
  // The user's status is not checked here but in the command, from the stream. The read model might not know yet that
  // an invitation was accepted.
  const user = await findByEmail(scope.read(organizations).users, emailKey);
  const given = { emailKey, password: body.password, account: accountOf(user) };
  const signedIn = await commands.bind(signIn)(given, signInOrigin(call), context);
  if ('challenge' in signedIn) return signedIn;
  if (!user) throw signInRefused('sign-in');
  return { session: signedIn.session, user: await signedInUser(call, user) };
};

/** Completes a sign-in with a code of the second factor. @throws NotSignedIn @throws TooMany */
export const signInByCode = async (call: Signing<Static<typeof SecondFactorCredentials>>): Promise<SignedInSession> => {
  const { body, scope, commands, context } = call;
  // Reading starts before the sign-in is stored. A later read would wait until the read model contains the sign-in.
  const before = scope.read(organizations).users;
  const { session, userId } = await commands.bind(answerChallenge)(body, signInOrigin(call), context);
  const user = await before.get(userId);
  if (!user) throw signInRefused('sign-in');
  return { session, user: await signedInUser(call, user) };
};

/**
 * Returns the user after a sign-in, computed from the stored user before the sign-in. The response must not wait until
 * the read model contains the sign-in: a response that reports a late read model would not contain the tokens.
 */
const signedInUser = async (
  { scope, context }: Pick<Signing<unknown>, 'scope' | 'context'>,
  user: UserDocument,
): Promise<User> =>
  presentUser(
    await decryptUser(scope, {
      ...user,
      status: 'active',
      sign_ins: user.sign_ins === 0 ? 1 : 2,
      last_login: context.now,
    }),
  );
