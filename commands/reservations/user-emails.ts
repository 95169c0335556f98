import { abandonInvitation, EmailClaimLost, holdsEmail } from '../../domain/organization/users.ts';
import { EMAIL } from '../../domain/organization/user-email.ts';
import { organizationDecider } from '../../domain/organization/state.ts';
import { Conflict } from '../../domain/errors.ts';
import type { CommandContext } from '../engine/context.ts';
import type { Handle } from '../engine/handle.ts';
import type { NameOwners } from './reservations.ts';
import { uniqueNames } from './unique-names.ts';

/** Error 409: another user, of this or another organization, has the e-mail address. */
export class EmailTaken extends Conflict {
  constructor() {
    super('This e-mail address already belongs to a user.', { json: { email: ['Already belongs to a user.'] } });
  }
}

/**
 * Settles the claims of other users ({@link NameOwners}). The service is the actor, in the organization of the user who
 * made the claim.
 */
const owners = (handle: Handle): NameOwners => ({
  settle: async ({ ownerId, organizationId, claim }, _, context) => {
    const { state } = await handle(
      organizationId,
      organizationDecider,
      (organization) => abandonInvitation(organization, ownerId, claim),
      context,
    );
    return holdsEmail(state, ownerId) ? 'holds the name' : 'closed to the claim';
  },
});

/** Keeps the e-mail addresses of users unique in the service. Addresses are identified by their fingerprints. */
export const createUserEmails = (handle: Handle) => {
  const names = uniqueNames(handle, { owners: owners(handle), isLost: (error) => error instanceof EmailClaimLost });
  const nameOf = (emailKey: string) => ({ kind: EMAIL, name: emailKey });
  return {
    /**
     * Runs a command with a claim on an e-mail address for a user. Runs it again if another process took over the
     * claim.
     *
     * @throws EmailTaken
     * @throws Conflict if concurrent claims won every time
     */
    withClaim: <T>(
      { userId, emailKey }: { userId: string; emailKey: string },
      context: CommandContext,
      command: (claim: number) => Promise<T>,
    ): Promise<T> => {
      const name = nameOf(emailKey);
      const attempt = async () => command(await names.claimHidden(name, userId, () => new EmailTaken(), context));
      return names.inOrder(name, () => names.untilClaimHolds(attempt));
    },

    /** Releases the e-mail address of a removed user. */
    release: (userId: string, emailKey: string, context: CommandContext): Promise<void> =>
      names.release(nameOf(emailKey), userId, null, context),
  };
};

export type UserEmails = ReturnType<typeof createUserEmails>;
