import { setTimeout as sleep } from 'node:timers/promises';
import { createKeyedMutex } from '../../domain/mutex.ts';
import { abandonInvitation, EmailClaimLost, holdsEmail } from '../../domain/organization/users.ts';
import { EMAIL } from '../../domain/organization/user-email.ts';
import { organizationDecider } from '../../domain/organization/state.ts';
import { ConcurrentChange, Conflict } from '../../domain/errors.ts';
import type { CommandContext } from '../engine/context.ts';
import type { Handle } from '../engine/handle.ts';
import { claimName, giveNameBack, NameTaken, type NameOwners } from './reservations.ts';

const TRIES = 5;

/** 409: another user of this or another organization has the e-mail. */
export class EmailTaken extends Conflict {
  constructor() {
    super('This e-mail belongs to a user already.', { json: { email: ['Belongs to a user already.'] } });
  }
}

/** Closes another organization's stream to a claim, in the name of the service and of that organization. */
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

/**
 * Keeps the e-mails of users unique in the service (commands/reservations/reservations.ts). They are known by their fingerprints;
 * commands of one process that want the same one run one after another.
 */
export const createUserEmails = (handle: Handle) => {
  const inTurn = createKeyedMutex();
  const claim = claimName(handle, owners(handle));
  const giveBack = giveNameBack(handle);
  const nameOf = (emailKey: string) => ({ kind: EMAIL, name: emailKey });
  /** Names of this kind are fingerprints, which nobody is told. */
  const claimed = (emailKey: string, userId: string, context: CommandContext): Promise<number> =>
    claim(nameOf(emailKey), userId, context).catch((error: unknown) => {
      if (error instanceof NameTaken) throw new EmailTaken();
      throw error instanceof Conflict ? new ConcurrentChange() : error;
    });
  return {
    /**
     * Runs a command that wants an e-mail for a user, with a claim on it, and again while another process takes that
     * claim away.
     *
     * @throws EmailTaken
     * @throws Conflict others took it every time
     */
    holding: <T>(
      { userId, emailKey }: { userId: string; emailKey: string },
      context: CommandContext,
      command: (claim: number) => Promise<T>,
    ): Promise<T> =>
      inTurn(emailKey, async () => {
        for (let tries = 1; ; tries++) {
          try {
            return await command(await claimed(emailKey, userId, context));
          } catch (error) {
            if (!(error instanceof EmailClaimLost) || tries === TRIES) throw error;
            await sleep(20 * tries * Math.random());
          }
        }
      }),

    /** Frees the e-mail of a user who was removed. */
    giveBack: (userId: string, emailKey: string, context: CommandContext): Promise<void> =>
      giveBack(nameOf(emailKey), userId, null, context),
  };
};

export type UserEmails = ReturnType<typeof createUserEmails>;
