import { TooMany } from '../../domain/errors.ts';
import { systemActor } from '../../domain/system-event.ts';
import { millisecondsOf } from '../../domain/time.ts';
import { commandContext, type CommandContext } from '../engine/context.ts';
import type { CommandDependencies } from '../dependencies.ts';
import type { StartedSession } from './session-start.ts';
import {
  ACCESS_MS,
  accessWith,
  familyOf,
  hashOfToken,
  newSalt,
  REPEATED_MS,
  sessionByToken,
  tokenEntry,
  tokensAfter,
  type StoredSession,
  type TokenPair,
} from './session-tokens.ts';
import { endSession } from './sessions.ts';
import { activeUser, actorOf, passwordMark, signInRefused, type Origin } from './account.ts';
import type { EndReason } from '../../domain/session/decide.ts';

/** Maximum number of refreshes within ten seconds. */
const MAX_REFRESHES = 5;
/** Maximum number of valid access tokens of a session. Older tokens are revoked. */
const MAX_ACCESS_TOKENS = MAX_REFRESHES + 1;

type Refreshing = Pick<CommandDependencies, 'handle' | 'entries'>;

/**
 * Exchanges a refresh token for new tokens (rotation). If the same token is used again within ten seconds, the same
 * tokens are returned, because requests can be concurrent and responses can be lost. If a replaced token is used later,
 * it was probably stolen, so the session is ended.
 *
 * @param shared whether several clients share the token, such as the tabs of a browser. In this case, a token that was
 * issued less than ten seconds ago is not rotated, and the access token issued with it is returned. So any number of
 * tabs can refresh at the same time.
 * @throws NotSignedIn if the token is invalid, or the session has ended or ends because of this request
 * @throws TooMany
 */
export const refreshSession =
  (dependencies: Refreshing) =>
  async (token: string, origin: Origin, context: CommandContext, { shared = false } = {}): Promise<StartedSession> => {
    const { entries } = dependencies;
    const now = millisecondsOf(context.now);
    const family = familyOf(token);
    if (family === null) throw signInRefused('token');
    const used = hashOfToken(token);
    for (;;) {
      const found = await sessionByToken(entries, 'family', hashOfToken(family), now);
      if (found?.entry.owner == null) throw signInRefused('token');
      const { sessionId, entry, session } = found;
      const userId = found.entry.owner;
      const organizationId = session.organization_id;
      const end = async (reason: EndReason): Promise<never> => {
        const actor = systemActor('sessions');
        // Record the address from which the replaced token was used.
        const client = await origin.client({ actor: { kind: 'user', id: userId, role: null }, organizationId });
        await endSession(dependencies)(
          sessionId,
          reason,
          commandContext({ ...context, actor, organizationId, ...client }),
        );
        throw signInRefused('token');
      };

      const rotations = session.rotations.filter(({ at }) => at > now - REPEATED_MS);
      const started = (pair: TokenPair, ends: number): StartedSession => ({
        sessionId,
        userId,
        ...pair,
        expiresIn: secondsUntil(ends, now),
        sessionEndsIn: secondsUntil(entry.expires_at, now),
      });
      const repeated = rotations.find((rotation) => rotation.used === used);
      if (repeated) return started(tokensAfter(token, repeated.salt), repeated.at + ACCESS_MS);
      if (used !== session.refresh) return end('token_reused');
      const last = rotations.at(-1);
      if (shared && last) {
        return started({ access: accessWith(token, last.salt), refresh: token }, last.at + ACCESS_MS);
      }
      const user = await activeUser(dependencies)({ userId, organizationId });
      if (!user) return end('user_removed');
      if (!session.passwords.includes(passwordMark(user))) return end('password_changed');
      if (rotations.length >= MAX_REFRESHES) {
        throw new TooMany('The tokens of this session are refreshed too often.', REPEATED_MS / 1_000);
      }

      const salt = newSalt();
      const pair = tokensAfter(token, salt);
      const access = [...session.access, hashOfToken(pair.access)];
      const next: StoredSession = {
        ...session,
        refresh: hashOfToken(pair.refresh),
        rotations: [...rotations, { used, salt, at: now }],
        access: access.slice(-MAX_ACCESS_TOKENS),
        refreshed_at: context.now,
      };
      const ends = Math.min(now + ACCESS_MS, entry.expires_at);
      const ofToken = { kind: 'access', session_id: sessionId, organization_id: organizationId } as const;
      await entries.putAll('session_token', [tokenEntry(hashOfToken(pair.access), userId, ofToken, ends)]);
      const { id, owner, expires_at } = entry;
      const put = { id, owner, expires_at, value: JSON.stringify(next) };
      if ((await entries.put('session', put, entry.version, now)) === null) {
        await entries.remove('session_token', hashOfToken(pair.access));
        continue;
      }
      for (const hash of access.slice(0, -MAX_ACCESS_TOKENS)) await entries.remove('session_token', hash);
      return started(pair, ends);
    }
  };

const secondsUntil = (ends: number, now: number): number => Math.max(1, Math.floor((ends - now) / 1_000));

/**
 * Ends the session of an access or refresh token, with its user as the actor.
 *
 * @throws NotSignedIn if the token is unknown or was replaced
 */
export const signOut =
  (dependencies: Refreshing) =>
  async (token: string, origin: Origin, context: CommandContext): Promise<void> => {
    const { entries } = dependencies;
    const now = millisecondsOf(context.now);
    const family = familyOf(token);
    const used = hashOfToken(token);
    const found =
      family === null
        ? await sessionByToken(entries, 'access', used, now)
        : await sessionByToken(entries, 'family', hashOfToken(family), now);
    if (found?.entry.owner == null) throw signInRefused('token');
    const { session, sessionId } = found;
    const isOf =
      family === null
        ? session.access.includes(used)
        : session.refresh === used || session.rotations.some((rotation) => rotation.used === used);
    if (!isOf) throw signInRefused('token');
    const organizationId = session.organization_id;
    const user = await activeUser(dependencies)({ userId: found.entry.owner, organizationId });
    const actor = user ? actorOf(user) : { kind: 'user' as const, id: found.entry.owner, role: null };
    const client = await origin.client({ actor, organizationId });
    const own = commandContext({ ...context, actor, organizationId, ...client });
    await endSession(dependencies)(sessionId, 'signed_out', own);
  };
