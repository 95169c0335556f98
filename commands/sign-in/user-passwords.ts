import { Invalid, TooMany } from '../../domain/errors.ts';
import { organizationDecider } from '../../domain/organization/state.ts';
import { verifyResetLink } from '../../domain/organization/user-links.ts';
import * as decide from '../../domain/organization/user-passwords.ts';
import { userKey } from '../../domain/organization/user.ts';
import { HOUR_MS, millisecondsOf } from '../../domain/time.ts';
import { countAgainstLimit } from './rate-limits.ts';
import type { CommandContext } from '../engine/context.ts';
import type { CommandDependencies } from '../dependencies.ts';
import { requireGoodPassword } from '../passwords.ts';
import { requirePassword, userOf } from './second-factor.ts';
import { storedSession } from './session-tokens.ts';
import { endSessionsOf } from './sessions.ts';
import { rememberAddress } from './sign-in-backoff.ts';
import { activeUser, asUser, emailOf, passwordMark, type Account, type Origin } from './account.ts';

type Changing = Pick<CommandDependencies, 'handle' | 'keys' | 'entries' | 'passwords'>;

/** Changes the password of the caller, and ends all other sessions. @throws Invalid @throws TooMany */
export const changePassword =
  (dependencies: Changing) =>
  async (
    { userId, sessionId }: { userId: string; sessionId: string },
    { old_password, new_password }: { old_password: string; new_password: string },
    context: CommandContext,
  ): Promise<void> => {
    const { handle, keys } = dependencies;
    const { organizationId } = context;
    const user = await userOf(dependencies, userId, context);
    await requireGoodPassword(new_password, 'new_password', await emailOf(dependencies)(user));
    await requirePassword(dependencies)(user, old_password, 'old_password', context);
    const phc = await dependencies.passwords.hash(new_password);
    const sealed = await keys.seal(userKey(userId), phc, { organizationId, field: 'password' });
    // Make the session valid for the new password before the password changes. Otherwise a concurrent refresh, or a
    // refresh after a crash, would end the caller's session.
    const passwords = [user.password, sealed].map((password) => passwordMark({ password }));
    await keepSession(dependencies, sessionId, passwords, millisecondsOf(context.now));
    await handle(
      organizationId,
      organizationDecider,
      (organization) => decide.changePassword(organization, userId, user.password, sealed),
      context,
    );
    // If the process dies here, the other sessions end at their next refresh, because the password has changed.
    await endSessionsOf(dependencies)(userId, organizationId, 'password_changed', context, sessionId);
  };

/** Makes the caller's session valid for all of these passwords. */
const keepSession = async (
  { entries }: Pick<Changing, 'entries'>,
  sessionId: string,
  passwords: readonly string[],
  now: number,
): Promise<void> => {
  for (;;) {
    const entry = await entries.get('session', sessionId, now);
    if (!entry) return;
    const { id, owner, expires_at } = entry;
    const value = JSON.stringify({ ...storedSession(entry), passwords });
    if ((await entries.put('session', { id, owner, expires_at, value }, entry.version, now)) !== null) return;
  }
};

/** Maximum number of password reset links per hour and account. */
const RESETS_OF_ACCOUNT = 3;

/**
 * Requests a password reset link, which is sent to the e-mail address of the account. After three requests within an
 * hour, further requests are ignored without an error.
 */
export const requestPasswordReset =
  (dependencies: Pick<CommandDependencies, 'handle' | 'entries' | 'mails'>) =>
  async (account: Account | null, origin: Origin, context: CommandContext): Promise<void> => {
    const { handle, entries, mails } = dependencies;
    const user = account && (await activeUser(dependencies)(account));
    // If the service sends no e-mail, the link cannot be delivered. Operators reset passwords on the command line.
    if (!user || !mails) return;
    const now = millisecondsOf(context.now);
    const allowance = { id: `password resets of ${user.id}`, most: RESETS_OF_ACCOUNT, within: HOUR_MS };
    try {
      await countAgainstLimit(entries, allowance, now, 'Too many password resets.');
    } catch (error) {
      if (error instanceof TooMany) return;
      throw error;
    }
    await handle(
      user.organizationId,
      organizationDecider,
      (organization) => decide.requestReset(organization, user.id),
      await asUser(user, origin, context),
    );
  };

/** Sets a password by a reset link, and ends all sessions. Does not change the second factor. @throws Invalid */
export const resetPassword =
  (dependencies: Changing) =>
  async (input: { token: string; new_password: string }, origin: Origin, context: CommandContext): Promise<void> => {
    const { handle, keys, passwords } = dependencies;
    const link = await verifyResetLink(input.token, context.now, (kind, text) => keys.fingerprint(kind, text));
    if (!link) throw Invalid.field('token', decide.RESET_REFUSED);
    const { organizationId, userId, reset, way } = link;
    // Check the link before hashing, which is expensive.
    decide.requireOpenReset(await handle.load(organizationId, organizationDecider, { organizationId }), userId, reset);
    const user = await userOf(dependencies, userId, { ...context, organizationId });
    await requireGoodPassword(input.new_password, 'new_password', await emailOf(dependencies)(user));
    const phc = await passwords.hash(input.new_password);
    const own = await asUser(user, origin, context);
    const sealed = await keys.seal(userKey(userId), phc, { organizationId, field: 'password' });
    await handle(
      organizationId,
      organizationDecider,
      (organization) => decide.resetPassword(organization, { userId, reset, way }, sealed),
      own,
    );
    await endSessionsOf(dependencies)(userId, organizationId, 'password_reset', own);
    await rememberAddress(dependencies)(userId, origin.network, millisecondsOf(context.now));
  };
