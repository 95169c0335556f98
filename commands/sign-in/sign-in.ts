import { randomBytes } from 'node:crypto';
import { millisecondsOf, MINUTE_MS } from '../../domain/time.ts';
import type { CommandContext } from '../engine/context.ts';
import type { CommandDependencies } from '../dependencies.ts';
import { uncountOnError, useCode } from './second-factor.ts';
import { startSession, type StartedSession } from './session-start.ts';
import { hashOfToken } from './session-tokens.ts';
import { countSignIn, recordFailure, simulateFailure, rememberAddress } from './sign-in-backoff.ts';
import {
  activeUser,
  asUser,
  passwordMark,
  phcOf,
  signInRefused,
  type Account,
  type ActiveUser,
  type Origin,
} from './account.ts';

type SigningIn = Pick<CommandDependencies, 'handle' | 'keys' | 'entries' | 'passwords'>;

const CHALLENGE_MS = 5 * MINUTE_MS;
const TRIES = 5;
const CHALLENGE_PREFIX = 'utc_';

/** The value of an entry `challenge`. The entry's id is the SHA-256 of the challenge. */
interface Challenge {
  organization_id: string;
  email_key: string;
  /** identifies the version of the password that was verified (`passwordMark`) */
  password: string;
  tries: number;
}

export interface Credentials {
  /** fingerprint of the e-mail address */
  emailKey: string;
  password: string;
  /** The account with this address, according to a read model. Null if there is none. */
  account: Account | null;
}

/** The result of a correct password: a session, or a challenge if the user has a second factor. */
export type SignedIn = { session: StartedSession; userId: string } | { challenge: string };

/**
 * Signs a user in by e-mail address and password.
 *
 * @throws NotSignedIn if the address or the password is wrong, always with the same message and after the same work
 * @throws TooMany
 */
export const signIn =
  (dependencies: SigningIn) =>
  async (given: Credentials, origin: Origin, context: CommandContext): Promise<SignedIn> => {
    const { passwords, handle } = dependencies;
    const { emailKey, account, password } = given;
    const now = millisecondsOf(context.now);
    const tried = { emailKey, userId: account?.userId ?? null, network: origin.network };
    const attempt = await countSignIn(dependencies)(tried, now);
    const user = await uncountOnError(attempt.uncount, async () => {
      // If there is no account, load a user that does not exist, so that the request takes as long as with an account.
      const found = await activeUser({ handle })(account ?? { userId: 'nobody', organizationId: 'nobody' });
      const right = await passwords.matches(password, found && (await phcOf(dependencies)(found)));
      if (right) return found;
      await (found ? failed(dependencies, found, origin, now) : simulateFailure(dependencies)(origin.network, now));
      return null;
    });
    if (!user) throw signInRefused('sign-in');
    await attempt.uncount();
    if (user.secondFactor) return { challenge: await challenge(dependencies, user, emailKey, now) };
    return { session: await begin(dependencies, user, ['password'], origin, context), userId: user.id };
  };

const begin = async (
  dependencies: SigningIn,
  user: ActiveUser,
  methods: readonly string[],
  origin: Origin,
  context: CommandContext,
): Promise<StartedSession> => {
  const session = await startSession(dependencies)(user, methods, await asUser(user, origin, context));
  await rememberAddress(dependencies)(user.id, origin.network, millisecondsOf(context.now));
  return session;
};

const failed = async (
  dependencies: SigningIn,
  user: ActiveUser,
  { network, client }: Origin,
  now: number,
): Promise<void> => {
  const { id: userId, organizationId, role } = user;
  const { clientAddress = null } = await client({ actor: { kind: 'user', id: userId, role }, organizationId });
  await recordFailure(dependencies)({ userId, organizationId, network, clientAddress }, now);
};

const challenge = async ({ entries }: SigningIn, user: ActiveUser, emailKey: string, now: number): Promise<string> => {
  const text = `${CHALLENGE_PREFIX}${randomBytes(32).toString('base64url')}`;
  const value: Challenge = {
    organization_id: user.organizationId,
    email_key: emailKey,
    password: passwordMark(user),
    tries: 0,
  };
  const entry = { id: hashOfToken(text), owner: user.id, value: JSON.stringify(value), expires_at: now + CHALLENGE_MS };
  await entries.put('challenge', entry, null, now);
  return text;
};

/**
 * Completes a challenge with a code of the user's second factor. A challenge is valid for
 * five minutes, five attempts and one sign-in. Each wrong code counts as a failed sign-in.
 *
 * @param within id of the organization that the user must belong to; default: any organization
 * @throws NotSignedIn @throws TooMany
 */
export const answerChallenge =
  (dependencies: SigningIn) =>
  async (
    { challenge, code, within }: { challenge: string; code: string; within?: string },
    origin: Origin,
    context: CommandContext,
  ): Promise<{ session: StartedSession; userId: string; organizationId: string }> => {
    const { entries } = dependencies;
    const now = millisecondsOf(context.now);
    const id = hashOfToken(challenge);
    const entry = await entries.get('challenge', id, now);
    if (!challenge.startsWith(CHALLENGE_PREFIX) || entry?.owner == null) throw signInRefused('code');
    const userId = entry.owner;
    const stored = JSON.parse(entry.value) as Challenge;
    const { organization_id: organizationId, email_key: emailKey } = stored;
    if (within !== undefined && within !== organizationId) throw signInRefused('code');
    const attempt = await countSignIn(dependencies)({ emailKey, userId, network: origin.network }, now);
    const tries = stored.tries + 1;
    const put = { id, owner: userId, value: JSON.stringify({ ...stored, tries }), expires_at: entry.expires_at };
    const version = tries > TRIES ? null : await entries.put('challenge', put, entry.version, now);
    if (version === null) {
      if (tries > TRIES) await entries.remove('challenge', id);
      throw signInRefused('code');
    }
    const user = await activeUser(dependencies)({ userId, organizationId });
    if (!user || passwordMark(user) !== stored.password) throw signInRefused('code');
    // If the user has removed the second factor in the meantime, the code counts as wrong, and the user must sign in
    // again.
    const own = await asUser(user, origin, context);
    const by = await useCode(dependencies)(user, code, own);
    if (by === null) {
      await failed(dependencies, user, origin, now);
      if (tries === TRIES) await entries.remove('challenge', id);
      throw signInRefused('code');
    }
    if (!(await entries.remove('challenge', id, version))) throw signInRefused('code');
    await attempt.uncount();
    return { session: await begin(dependencies, user, ['password', by], origin, context), userId, organizationId };
  };
