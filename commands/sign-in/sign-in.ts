import { randomBytes } from 'node:crypto';
import { millisecondsOf } from '../../domain/time.ts';
import type { CommandContext } from '../engine/context.ts';
import type { CommandDependencies } from '../dependencies.ts';
import { orTakenBack, useCode } from './second-factor.ts';
import { startSession, type Started } from './session-start.ts';
import { hashOfToken } from './session-tokens.ts';
import { countSignIn, noteFailure, noteNothing, rememberAddress } from './sign-in-limits.ts';
import {
  activeUser,
  asUser,
  passwordMark,
  phcOf,
  refused,
  type Account,
  type ActiveUser,
  type Origin,
} from './signed-in.ts';

type SigningIn = Pick<CommandDependencies, 'handle' | 'keys' | 'entries' | 'passwords'>;

const CHALLENGE_MS = 300_000;
const TRIES = 5;
const CHALLENGE_PREFIX = 'utc_';

/** The value of an entry `challenge`: its id is the SHA-256 of the challenge. */
interface Challenge {
  organization_id: string;
  email_key: string;
  /** the password that was shown (passwordMark) */
  password: string;
  tries: number;
}

export interface Credentials {
  /** fingerprint of the e-mail */
  emailKey: string;
  password: string;
  /** who has this e-mail, as a read model says; null: nobody */
  account: Account | null;
}

/** What a right password gives: a session, or a challenge that a code of the second factor answers. */
export type SignedIn = { session: Started; userId: string } | { challenge: string };

/**
 * Signs somebody in by e-mail and password.
 *
 * @throws NotSignedIn the same for everything that is wrong, after the same work
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
    const user = await orTakenBack(attempt.takeBack, async () => {
      // What nobody has is looked up too, which takes as long.
      const found = await activeUser({ handle })(account ?? { userId: 'nobody', organizationId: 'nobody' });
      const right = await passwords.matches(password, found && (await phcOf(dependencies)(found)));
      if (right) return found;
      await (found ? failed(dependencies, found, origin, now) : noteNothing(dependencies)(origin.network, now));
      return null;
    });
    if (!user) throw refused('sign-in');
    await attempt.takeBack();
    if (user.secondFactor) return { challenge: await challenge(dependencies, user, emailKey, now) };
    return { session: await begin(dependencies, user, ['password'], origin, context), userId: user.id };
  };

const begin = async (
  dependencies: SigningIn,
  user: ActiveUser,
  methods: readonly string[],
  origin: Origin,
  context: CommandContext,
): Promise<Started> => {
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
  await noteFailure(dependencies)({ userId, organizationId, network, clientAddress }, now);
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
 * Answers a challenge by a code of the user's second factor. A challenge is answered once, within five minutes, in at
 * most five tries; each wrong one is a failed sign-in.
 *
 * @param within the only organization whose accounts are taken; default: all are
 * @throws NotSignedIn @throws TooMany
 */
export const answerChallenge =
  (dependencies: SigningIn) =>
  async (
    { challenge, code, within }: { challenge: string; code: string; within?: string },
    origin: Origin,
    context: CommandContext,
  ): Promise<{ session: Started; userId: string; organizationId: string }> => {
    const { entries } = dependencies;
    const now = millisecondsOf(context.now);
    const id = hashOfToken(challenge);
    const entry = await entries.get('challenge', id, now);
    if (!challenge.startsWith(CHALLENGE_PREFIX) || entry?.owner == null) throw refused('code');
    const userId = entry.owner;
    const asked = JSON.parse(entry.value) as Challenge;
    const { organization_id: organizationId, email_key: emailKey } = asked;
    if (within !== undefined && within !== organizationId) throw refused('code');
    const attempt = await countSignIn(dependencies)({ emailKey, userId, network: origin.network }, now);
    const tries = asked.tries + 1;
    const put = { id, owner: userId, value: JSON.stringify({ ...asked, tries }), expires_at: entry.expires_at };
    const version = tries > TRIES ? null : await entries.put('challenge', put, entry.version, now);
    if (version === null) {
      if (tries > TRIES) await entries.remove('challenge', id);
      throw refused('code');
    }
    const user = await activeUser(dependencies)({ userId, organizationId });
    if (!user || passwordMark(user) !== asked.password) throw refused('code');
    // Who has removed the second factor meanwhile signs in again.
    const own = await asUser(user, origin, context);
    const by = await useCode(dependencies)(user, code, own);
    if (by === null) {
      await failed(dependencies, user, origin, now);
      if (tries === TRIES) await entries.remove('challenge', id);
      throw refused('code');
    }
    if (!(await entries.remove('challenge', id, version))) throw refused('code');
    await attempt.takeBack();
    return { session: await begin(dependencies, user, ['password', by], origin, context), userId, organizationId };
  };
