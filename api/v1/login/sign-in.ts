import type { Static } from '@sinclair/typebox';
import type { Started } from '../../../commands/sign-in/session-start.ts';
import { answerChallenge, signIn } from '../../../commands/sign-in/sign-in.ts';
import { refused } from '../../../commands/sign-in/account.ts';
import { emailKeyOf } from '../../../domain/organization/user-email.ts';
import type { UserDocument } from '../../../projections/organizations/documents.ts';
import { organizations } from '../../../projections/organizations/projection.ts';
import { findByEmail, presentable } from '../../../queries/organizations/users.ts';
import type { Call } from '../../route.ts';
import { presentUser, type User } from '../users/schema.ts';
import { accountOf, originOf } from './origin.ts';
import type { CodeGiven, PasswordGiven } from './schema.ts';

type Signing<B> = Call<unknown, unknown, B>;

/** A new session, and its user as the API shows it. */
export interface BegunSession {
  session: Started;
  user: User;
}

/**
 * Signs in with e-mail and password, or returns a challenge for the second factor. @throws NotSignedIn @throws TooMany
 */
export const signInByPassword = async (
  call: Signing<Static<typeof PasswordGiven>>,
): Promise<BegunSession | { challenge: string }> => {
  const { body, scope, commands, context, mac } = call;
  const emailKey = await emailKeyOf({ fingerprint: mac }, body.email);
  // The command checks the status in the stream: the read model may not know yet that an invitation was accepted.
  const user = await findByEmail(scope.read(organizations).users, emailKey);
  const given = { emailKey, password: body.password, account: accountOf(user) };
  const signedIn = await commands.ask(signIn)(given, originOf(call), context);
  if ('challenge' in signedIn) return signedIn;
  if (!user) throw refused('sign-in');
  return { session: signedIn.session, user: await signedInUser(call, user) };
};

/** Completes a sign-in with a code of the second factor. @throws NotSignedIn @throws TooMany */
export const signInByCode = async (call: Signing<Static<typeof CodeGiven>>): Promise<BegunSession> => {
  const { body, scope, commands, context } = call;
  // Read before the sign-in is stored, so that the read does not wait for the read model.
  const before = scope.read(organizations).users;
  const { session, userId } = await commands.ask(answerChallenge)(body, originOf(call), context);
  const user = await before.get(userId);
  if (!user) throw refused('sign-in');
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
    await presentable(scope, {
      ...user,
      status: 'active',
      sign_ins: user.sign_ins === 0 ? 1 : 2,
      last_login: context.now,
    }),
  );
