import { sessionDecider } from '../../domain/session/state.ts';
import { startSession as decideStart } from '../../domain/session/decide.ts';
import { instantOf, millisecondsOf } from '../../domain/time.ts';
import type { CommandContext } from '../engine/context.ts';
import type { CommandDependencies } from '../dependencies.ts';
import {
  ACCESS_MS,
  familyOf,
  hashOfToken,
  newTokens,
  SESSION_MS,
  tokenEntry,
  type StoredSession,
  type TokenPair,
} from './session-tokens.ts';
import { endSession, sessionsOf } from './sessions.ts';
import { activeUser, passwordMark, signInRefused, type ActiveUser } from './account.ts';

/** Maximum number of active sessions per user. If a user has more, the oldest one is ended. */
const MAX_SESSIONS = 100;
/** A new session, with its tokens, which are shown once. */
export interface StartedSession extends TokenPair {
  sessionId: string;
  userId: string;
  /** seconds until the access token expires */
  expiresIn: number;
  /** Seconds until the session ends. Refreshes do not extend this time. */
  sessionEndsIn: number;
}

/**
 * Starts a session for an authenticated user. `context` must have the user as the actor. To prevent session fixation,
 * the session always gets new tokens, even if the request contained a token.
 *
 * @param methods how the user authenticated, in order: `password`, `totp`, `recovery_code`
 * @throws NotSignedIn if the user was removed or the password changed concurrently
 */
export const startSession =
  (dependencies: Pick<CommandDependencies, 'handle' | 'entries'>) =>
  async (user: ActiveUser, methods: readonly string[], context: CommandContext): Promise<StartedSession> => {
    const { handle, entries } = dependencies;
    const { id: userId, organizationId } = user;
    const id = context.newId();
    const now = millisecondsOf(context.now);
    const ends = now + SESSION_MS;
    await endOldest(dependencies, userId, context);
    const session = { id, organizationId, userId, methods, expiresAt: instantOf(ends) };
    await handle(id, sessionDecider, (state) => decideStart(state, session), context);

    const { access, refresh } = newTokens();
    const family = hashOfToken(familyOf(refresh) ?? '');
    const stored: StoredSession = {
      organization_id: organizationId,
      passwords: [passwordMark(user)],
      family,
      refresh: hashOfToken(refresh),
      rotations: [],
      access: [hashOfToken(access)],
      created_at: context.now,
      refreshed_at: context.now,
      expires_at: instantOf(ends),
      ip_address: context.clientAddress ?? null,
      user_agent: context.userAgent ?? null,
      ended: null,
    };
    const token = { session_id: id, organization_id: organizationId };
    await entries.putAll('session_token', [
      tokenEntry(family, userId, { kind: 'family', ...token }, ends),
      tokenEntry(hashOfToken(access), userId, { kind: 'access', ...token }, now + ACCESS_MS),
    ]);
    await entries.put('session', { id, owner: userId, value: JSON.stringify(stored), expires_at: ends }, null, now);

    // A concurrent command that ends all sessions of the user might have missed this session. Such a command first
    // removes the user or changes the password, so check the user and the password again.
    const present = await activeUser(dependencies)({ userId, organizationId });
    if (!present || !stored.passwords.includes(passwordMark(present))) {
      await endSession(dependencies)(id, present ? 'password_changed' : 'user_removed', context);
      throw signInRefused('sign-in');
    }
    const sessionEndsIn = SESSION_MS / 1_000;
    return { sessionId: id, userId, access, refresh, expiresIn: ACCESS_MS / 1_000, sessionEndsIn };
  };

const endOldest = async (
  dependencies: Pick<CommandDependencies, 'handle' | 'entries'>,
  userId: string,
  context: CommandContext,
): Promise<void> => {
  const sessions = await sessionsOf(dependencies)(userId, millisecondsOf(context.now));
  for (const { entry } of sessions.slice(0, Math.max(0, sessions.length + 1 - MAX_SESSIONS))) {
    await endSession(dependencies)(entry.id, 'ended', context);
  }
};
