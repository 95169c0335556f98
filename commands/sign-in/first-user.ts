import { requireNobodyJoined } from '../../domain/organization/users.ts';
import { millisecondsOf } from '../../domain/time.ts';
import type { CommandDependencies } from '../dependencies.ts';
import { step, type CommandContext } from '../engine/context.ts';
import { countingTakenEmails } from '../organizations/invitations.ts';
import { createUser } from '../organizations/users.ts';
import { startSession, type Started } from './session-start.ts';
import { rememberAddress } from './sign-in-limits.ts';
import { activeUser, asUser, refused, type Origin } from './signed-in.ts';

type Creating = Pick<CommandDependencies, 'entries' | 'handle' | 'keys' | 'passwords' | 'plans' | 'userEmails'>;

/**
 * Makes the first user of the context's organization, an admin, and signs them in. Of two at once one succeeds.
 *
 * @throws Invalid the e-mail or the password
 * @throws Conflict somebody can sign in already, or the e-mail is another user's
 * @throws Forbidden the plan allows no user @throws TooMany
 */
export const createFirstUser =
  (dependencies: Creating) =>
  async (
    { email, password }: { email: string; password: string },
    origin: Origin,
    context: CommandContext,
  ): Promise<Started> => {
    const { organizationId } = context;
    const input = { email, password, role: 'admin', first_name: null, last_name: null };
    const userId = await countingTakenEmails(dependencies)(context, () =>
      createUser(dependencies)(input, context, requireNobodyJoined),
    );
    const user = await activeUser(dependencies)({ userId, organizationId });
    if (!user) throw refused('sign-in');
    const own = await asUser(user, origin, step(context, 'sign-in'));
    const session = await startSession(dependencies)(user, ['password'], own);
    await rememberAddress(dependencies)(userId, origin.network, millisecondsOf(context.now));
    return session;
  };
