import { createHash } from 'node:crypto';
import { IllegalState, Invalid } from '../../domain/errors.ts';
import * as decide from '../../domain/organization/second-factor.ts';
import { existing, organizationDecider } from '../../domain/organization/state.ts';
import { userKey } from '../../domain/organization/user.ts';
import { notFound } from '../../domain/existence.ts';
import type { Sealed } from '../../domain/sealed.ts';
import { millisecondsOf, MINUTE_MS } from '../../domain/time.ts';
import { readableText } from '../../stores/keys/port.ts';
import { stepContext, type CommandContext } from '../engine/context.ts';
import type { CommandDependencies } from '../dependencies.ts';
import { countConfirmation } from './sign-in-backoff.ts';
import { activeUser, emailOf, phcOf, type ActiveUser } from './account.ts';
import { hashOfRecoveryCode, newRecoveryCodes, newSecret, otpauthUrl, stepOfCode, STEPS_MS } from './totp.ts';

type Confirming = Pick<CommandDependencies, 'handle' | 'keys' | 'entries' | 'passwords'>;

const FIELD = 'totp_secret';
const PENDING_MS = 15 * MINUTE_MS;
const TRIES = 5;

/** The value of an entry `challenge` with the id {@link pendingId}. */
interface Pending {
  secret: Sealed;
  tries: number;
}

const pendingId = (userId: string): string => `second factor of ${userId}`;

/** Loads a user of the context's organization. @throws NotFound */
export const userOf = async (
  { handle }: Pick<CommandDependencies, 'handle'>,
  userId: string,
  { organizationId }: CommandContext,
): Promise<ActiveUser> => {
  const user = await activeUser({ handle })({ userId, organizationId });
  if (!user) throw notFound('user');
  return user;
};

/** Tests whether a password is that of the user. Wrong passwords cause growing delays. @throws TooMany */
export const isPasswordOf =
  (dependencies: Omit<Confirming, 'handle'>) =>
  async (user: ActiveUser, password: string, context: CommandContext): Promise<boolean> => {
    const attempt = await countConfirmation(dependencies)(user.id, millisecondsOf(context.now));
    const right = await uncountOnError(attempt.uncount, async () =>
      dependencies.passwords.matches(password, await phcOf(dependencies)(user)),
    );
    if (right) await attempt.uncount();
    return right;
  };

/** Requires the user's password. @throws Invalid @throws TooMany */
export const requirePassword =
  (dependencies: Confirming) =>
  async (user: ActiveUser, password: string, field: string, context: CommandContext): Promise<void> => {
    if (!(await isPasswordOf(dependencies)(user, password, context))) throw Invalid.field(field, 'Is wrong.');
  };

/** Runs `work`. If `work` throws, undoes the count of the attempt. */
export const uncountOnError = async <T>(takeBack: () => Promise<void>, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    await takeBack();
    throw error;
  }
};

/** A secret to set up in an authenticator app. It must be confirmed within 15 minutes. */
export interface SecondFactorSetup {
  secret: string;
  otpauth_url: string;
}

/**
 * Creates a secret for a second factor.
 *
 * @throws IllegalState if a second factor is already set up
 * @throws Invalid if the password is wrong
 */
export const setUpSecondFactor =
  (dependencies: Confirming) =>
  async (userId: string, password: string | null, context: CommandContext): Promise<SecondFactorSetup> => {
    const { handle, keys, entries } = dependencies;
    const { organizationId } = context;
    const user = await userOf(dependencies, userId, context);
    decide.requireNoSecondFactor(await handle.load(organizationId, organizationDecider, context), userId);
    if (password !== null) await requirePassword(dependencies)(user, password, 'password', context);
    const secret = newSecret();
    const sealed = await keys.seal(userKey(userId), secret, { organizationId, field: FIELD });
    const pending: Pending = { secret: sealed, tries: 0 };
    const expires_at = millisecondsOf(context.now) + PENDING_MS;
    await entries.putAll('challenge', [
      { id: pendingId(userId), owner: userId, value: JSON.stringify(pending), expires_at },
    ]);
    return { secret, otpauth_url: otpauthUrl(secret, (await emailOf(dependencies)(user)) ?? userId) };
  };

/**
 * Enables the pending second factor with one of its codes.
 *
 * @returns recovery codes, which must be shown only once
 * @throws IllegalState if no second factor is pending, or it has expired
 * @throws Invalid if the code is wrong
 */
export const confirmSecondFactor =
  (dependencies: Confirming) =>
  async (userId: string, code: string, context: CommandContext): Promise<string[]> => {
    const { handle, keys, entries } = dependencies;
    const { organizationId } = context;
    const now = millisecondsOf(context.now);
    const id = pendingId(userId);
    const nonePending = new IllegalState('No second factor is waiting for confirmation. Please set it up again.');
    const entry = await entries.get('challenge', id, now);
    if (!entry) throw nonePending;
    const pending = JSON.parse(entry.value) as Pending;
    const tries = pending.tries + 1;
    if (tries > TRIES) {
      await entries.remove('challenge', id);
      throw nonePending;
    }
    const put = { id, owner: userId, value: JSON.stringify({ ...pending, tries }), expires_at: entry.expires_at };
    const version = await entries.put('challenge', put, entry.version, now);
    if (version === null) throw new IllegalState('Another code is being checked. Please try again.');
    const secret = await readableText(pending.secret, { organizationId, field: FIELD }, keys);
    if (secret === undefined || !(await useStep(dependencies, userId, pending.secret, secret, code, now))) {
      throw Invalid.field('code', 'Is wrong.');
    }
    const codes = newRecoveryCodes();
    await handle(
      organizationId,
      organizationDecider,
      (organization) => decide.enableSecondFactor(organization, userId, pending.secret, codes.map(hashOfRecoveryCode)),
      context,
    );
    await entries.remove('challenge', id);
    return codes;
  };

/** Removes the second factor. @throws IllegalState if none is set up @throws Invalid if password or code is wrong */
export const removeSecondFactor =
  (dependencies: Confirming) =>
  async (userId: string, { password, code }: { password: string; code: string }, context: CommandContext) => {
    const { handle } = dependencies;
    const user = await userOf(dependencies, userId, context);
    if (!user.secondFactor) throw new IllegalState('No second factor is set up.');
    await requirePassword(dependencies)(user, password, 'password', context);
    const attempt = await countConfirmation(dependencies)(userId, millisecondsOf(context.now));
    if ((await useCode(dependencies)(user, code, stepContext(context, 'code'))) === null)
      throw Invalid.field('code', 'Is wrong.');
    await attempt.uncount();
    await handle(
      context.organizationId,
      organizationDecider,
      (organization) => decide.disableSecondFactor(organization, userId, 'user'),
      context,
    );
  };

/**
 * Verifies a current TOTP code or a recovery code, and marks it as used. A code works only once.
 *
 * @returns the kind of code, or null if the code is wrong or was already used
 */
export const useCode =
  (dependencies: Pick<CommandDependencies, 'handle' | 'keys' | 'entries'>) =>
  async (user: ActiveUser, code: string, context: CommandContext): Promise<'totp' | 'recovery_code' | null> => {
    const { handle, keys } = dependencies;
    const { organizationId } = user;
    if (!user.secondFactor) return null;
    const digits = code.replace(/\s/g, '');
    if (/^\d{6}$/.test(digits)) {
      const { secret: sealed } = user.secondFactor;
      const secret = await readableText(sealed, { organizationId, field: FIELD }, keys);
      if (secret === undefined) return null;
      return (await useStep(dependencies, user.id, sealed, secret, digits, millisecondsOf(context.now)))
        ? 'totp'
        : null;
    }
    const hash = hashOfRecoveryCode(code);
    if (!user.secondFactor.recoveryCodes.includes(hash)) return null;
    const { events } = await handle(
      organizationId,
      organizationDecider,
      (organization) => decide.useRecoveryCode(existing(organization), user.id, hash) ?? [],
      context,
    );
    return events.length > 0 ? 'recovery_code' : null;
  };

/**
 * Verifies a TOTP code. Refuses the code if this code or a later code was already used. If a code is used concurrently,
 * only one use succeeds.
 */
const useStep = async (
  { entries }: Pick<CommandDependencies, 'entries'>,
  userId: string,
  sealed: Sealed,
  secret: string,
  code: string,
  now: number,
): Promise<boolean> => {
  const used = stepOfCode(secret, code, now);
  if (used === null) return false;
  const id = createHash('sha256').update(`${userId} ${sealed.sealed}`).digest('hex');
  const entry = await entries.get('totp_step', id, now);
  if (entry && (JSON.parse(entry.value) as number) >= used) return false;
  const put = { id, owner: userId, value: JSON.stringify(used), expires_at: now + STEPS_MS };
  return (await entries.put('totp_step', put, entry?.version ?? null, now)) !== null;
};
