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

/** A new session, and its user as the API shows it. */
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
  // The command checks the status in the stream: the read model may not know yet that an invitation was accepted.
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
  // Read before the sign-in is stored, so that the read does not wait for the read model.
  const before = scope.read(organizations).users;
  const { session, userId } = await commands.bind(answerChallenge)(body, signInOrigin(call), context);
  const user = await before.get(userId);
  if (!user) throw signInRefused('sign-in');
  return { session, user: await signedInUser(call, user) };
};

/**
 * The user after this sign-in, computed from the state before it. If the response had to wait for a late read model,
 * the client would never get its tokens.
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
