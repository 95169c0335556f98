import { requireNobodyJoined } from '../../domain/organization/users.ts';
import { millisecondsOf } from '../../domain/time.ts';
import type { CommandDependencies } from '../dependencies.ts';
import { stepContext, type CommandContext } from '../engine/context.ts';
import { limitingTakenEmails } from '../organizations/invitations.ts';
import { createUser } from '../organizations/users.ts';
import { startSession, type StartedSession } from './session-start.ts';
import { rememberAddress } from './sign-in-backoff.ts';
import { activeUser, asUser, signInRefused, type Origin } from './account.ts';

type Creating = Pick<CommandDependencies, 'entries' | 'handle' | 'keys' | 'passwords' | 'plans' | 'userEmails'>;

/**
 * Creates the first user of the context's organization, an admin, and signs the user in. If several requests run
 * concurrently, only one succeeds.
 *
 * @throws Invalid if the e-mail address or the password is invalid
 * @throws Conflict if the organization already has a user, or the e-mail address belongs to another user
 * @throws Forbidden if the plan allows no user @throws TooMany
 */
export const createFirstUser =
  (dependencies: Creating) =>
  async (
    { email, password }: { email: string; password: string },
    origin: Origin,
    context: CommandContext,
  ): Promise<StartedSession> => {
    const { organizationId } = context;
    const input = { email, password, role: 'admin', first_name: null, last_name: null };
    const userId = await limitingTakenEmails(dependencies)(context, () =>
      createUser(dependencies)(input, context, requireNobodyJoined),
    );
    const user = await activeUser(dependencies)({ userId, organizationId });
    if (!user) throw signInRefused('sign-in');
    const own = await asUser(user, origin, stepContext(context, 'sign-in'));
    const session = await startSession(dependencies)(user, ['password'], own);
    await rememberAddress(dependencies)(userId, origin.network, millisecondsOf(context.now));
    return session;
  };
