import type { PageSession } from '../../domain/page/session-token.ts';
import { millisecondsOf } from '../../domain/time.ts';
import type { CommandDependencies } from '../dependencies.ts';
import { commandContext, type CommandContext } from '../engine/context.ts';
import { storedSession } from '../sign-in/session-tokens.ts';
import { endSession } from '../sign-in/sessions.ts';
import { activeUser, actorOf, passwordMark, type ActiveUser, type Origin } from '../sign-in/account.ts';

type Finding = Pick<CommandDependencies, 'handle' | 'entries'>;

/**
 * Returns the user of a session in which a page is viewed. Returns null if the session has ended or expired, the user
 * was removed, or the user's password was changed.
 */
export const memberBySession =
  (dependencies: Finding) =>
  async (
    { organizationId, sessionId }: Omit<PageSession, 'pageId'>,
    { now }: Pick<CommandContext, 'now'>,
  ): Promise<ActiveUser | null> => {
    const entry = await dependencies.entries.get('session', sessionId, millisecondsOf(now));
    if (entry?.owner == null) return null;
    const { organization_id, ended, passwords } = storedSession(entry);
    if (organization_id !== organizationId || ended !== null) return null;
    const user = await activeUser(dependencies)({ userId: entry.owner, organizationId });
    return user && passwords.includes(passwordMark(user)) ? user : null;
  };

/** Ends a member's session on a page, with the member as the actor. Does nothing if the session has already ended. */
export const signOutOfPage =
  (dependencies: Finding) =>
  async (session: PageSession, origin: Origin, context: CommandContext): Promise<void> => {
    const { organizationId, sessionId } = session;
    const user = await memberBySession(dependencies)(session, context);
    if (!user) return;
    const actor = actorOf(user);
    const client = await origin.client({ actor, organizationId });
    await endSession(dependencies)(
      sessionId,
      'signed_out',
      commandContext({ ...context, actor, organizationId, ...client }),
    );
  };
