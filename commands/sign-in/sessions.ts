import { endSession as decideEnd, type EndReason } from '../../domain/session/decide.ts';
import { sessionDecider } from '../../domain/session/state.ts';
import { millisecondsOf } from '../../domain/time.ts';
import type { StoredEntry } from '../../stores/coordination/port.ts';
import { stepContext, type CommandContext } from '../engine/context.ts';
import type { CommandDependencies } from '../dependencies.ts';
import { storedSession, type StoredSession } from './session-tokens.ts';

type Ending = Pick<CommandDependencies, 'handle' | 'entries'>;

/** An expiry that has passed according to every clock. */
const PAST = 0;

/**
 * Ends a session. First changes its entry, which takes effect in all processes, and then appends the end to the log. If
 * the process dies in between, a sweep appends the end later (commands/sign-in/sign-in-sweep.ts).
 *
 * @returns whether the session was active
 */
export const endSession =
  (dependencies: Ending) =>
  async (id: string, reason: EndReason, context: CommandContext): Promise<boolean> => {
    const { entries } = dependencies;
    const now = millisecondsOf(context.now);
    for (;;) {
      const entry = await entries.get('session', id, now);
      if (!entry) return false;
      const session: StoredSession = { ...storedSession(entry), ended: { reason, at: now } };
      const ended = { id, owner: entry.owner, value: JSON.stringify(session), expires_at: PAST };
      const version = await entries.put('session', ended, entry.version, now);
      if (version === null) continue;
      await recordEnd(dependencies)(id, session, version, context);
      return true;
    }
  };

/**
 * Records the end of a session in the log, and removes the entries of the session. This function can be repeated after
 * a crash.
 */
export const recordEnd =
  ({ handle, entries }: Ending) =>
  async (id: string, session: StoredSession, version: number, context: CommandContext): Promise<void> => {
    const { ended, family, access } = session;
    if (ended !== null) {
      await handle(
        id,
        sessionDecider,
        (state) => decideEnd(state, ended.reason),
        stepContext(context, `end of session ${id}`),
      );
    }
    for (const hash of [family, ...access]) await entries.remove('session_token', hash);
    await entries.remove('session', id, version);
  };

/** Lists the active sessions of a user, oldest first. */
export const sessionsOf =
  ({ entries }: Pick<Ending, 'entries'>) =>
  async (userId: string, now: number): Promise<{ entry: StoredEntry; session: StoredSession }[]> =>
    (await entries.listOfOwner('session', userId, now))
      .map((entry) => ({ entry, session: storedSession(entry) }))
      .sort((a, b) => (a.session.created_at < b.session.created_at ? -1 : 1));

/**
 * Ends all sessions of a user of the context's organization.
 *
 * @param except id of a session that stays active
 * @returns the number of ended sessions
 */
export const endSessionsOf =
  (dependencies: Ending) =>
  async (
    userId: string,
    organizationId: string,
    reason: EndReason,
    context: CommandContext,
    except: string | null = null,
  ): Promise<number> => {
    let count = 0;
    for (const { entry, session } of await sessionsOf(dependencies)(userId, millisecondsOf(context.now))) {
      if (entry.id === except || session.organization_id !== organizationId) continue;
      if (await endSession(dependencies)(entry.id, reason, context)) count += 1;
    }
    return count;
  };
