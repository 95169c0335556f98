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
import { activeUser, passwordMark, refused, type ActiveUser } from './signed-in.ts';

/** Sessions of a user that go on; beyond them the oldest ends. */
const MOST_SESSIONS = 100;

/** A session that was begun, with its tokens, which are shown once. */
export interface Started extends TokenPair {
  sessionId: string;
  userId: string;
  /** seconds for which the access token works */
  expiresIn: number;
  /** seconds until the session ends, however often it is refreshed */
  sessionEndsIn: number;
}

/**
 * Begins a session of a user who has shown who they are, in the user's own context. Whatever token came with the
 * request plays no part in it (session fixation).
 *
 * @param methods how the user has shown it, in order: `password`, `totp`, `recovery_code`
 * @throws NotSignedIn the user was removed, or the password changed, meanwhile
 */
export const startSession =
  (dependencies: Pick<CommandDependencies, 'handle' | 'entries'>) =>
  async (user: ActiveUser, methods: readonly string[], context: CommandContext): Promise<Started> => {
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

    // Whoever ended all sessions of the user before this one was there has changed the user before that.
    const present = await activeUser(dependencies)({ userId, organizationId });
    if (!present || !stored.passwords.includes(passwordMark(present))) {
      await endSession(dependencies)(id, present ? 'password_changed' : 'user_removed', context);
      throw refused('sign-in');
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
  for (const { entry } of sessions.slice(0, Math.max(0, sessions.length + 1 - MOST_SESSIONS))) {
    await endSession(dependencies)(entry.id, 'ended', context);
  }
};
