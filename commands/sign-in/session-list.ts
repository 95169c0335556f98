import { CLIENT_ADDRESS, USER_AGENT } from '../../domain/event.ts';
import { notFound } from '../../domain/existence.ts';
import type { Sealed } from '../../domain/sealed.ts';
import { millisecondsOf, type Instant } from '../../domain/time.ts';
import { openText } from '../../stores/keys/port.ts';
import type { CommandContext } from '../engine/context.ts';
import type { CommandDependencies } from '../dependencies.ts';
import { endSession, sessionsOf } from './sessions.ts';

/** A session as shown to its owner and to admins. */
export interface ListedSession {
  id: string;
  created_at: Instant;
  /** Time of the start or the most recent refresh. A session in use is refreshed every 15 minutes. */
  last_used_at: Instant;
  expires_at: Instant;
  ip_address: string | null;
  user_agent: string | null;
  /** whether this is the session of the caller */
  current: boolean;
}

/** Lists the active sessions of a user of the context's organization, newest first. There are at most a hundred. */
export const listSessions =
  (dependencies: Pick<CommandDependencies, 'entries' | 'keys'>) =>
  async (userId: string, current: string | null, context: CommandContext): Promise<ListedSession[]> => {
    const { keys } = dependencies;
    const { organizationId } = context;
    const now = millisecondsOf(context.now);
    const opened = async (text: Sealed | null, field: string): Promise<string | null> =>
      text && openText(text, { organizationId, field }, keys);
    const sessions = (await sessionsOf(dependencies)(userId, now)).reverse();
    return Promise.all(
      sessions
        .filter(({ session }) => session.organization_id === organizationId)
        .map(async ({ entry: { id }, session }) => ({
          id,
          created_at: session.created_at,
          last_used_at: session.refreshed_at,
          expires_at: session.expires_at,
          ip_address: await opened(session.ip_address, CLIENT_ADDRESS),
          user_agent: await opened(session.user_agent, USER_AGENT),
          current: id === current,
        })),
    );
  };

/** Ends one session of a user of the context's organization. @throws NotFound */
export const endOneSession =
  (dependencies: Pick<CommandDependencies, 'entries' | 'handle'>) =>
  async (userId: string, sessionId: string, context: CommandContext): Promise<void> => {
    const sessions = await sessionsOf(dependencies)(userId, millisecondsOf(context.now));
    const own = sessions.find(
      ({ entry, session }) => entry.id === sessionId && session.organization_id === context.organizationId,
    );
    if (!own || !(await endSession(dependencies)(sessionId, 'ended', context))) throw notFound('session');
  };
