import { createKeyedMutex } from '../../domain/concurrency/mutex.ts';
import { existing, organizationDecider } from '../../domain/organization/state.ts';
import { presentUser } from '../../domain/organization/users.ts';
import { DAY_MS, HOUR_MS, millisecondsOf } from '../../domain/time.ts';
import { uncountFromLimit, countAgainstLimit, type AttemptLimit } from '../sign-in/rate-limits.ts';
import type { CommandContext } from '../engine/context.ts';
import type { CommandDependencies } from '../dependencies.ts';
import { EmailTaken } from '../reservations/user-emails.ts';
import { inviteUser as invite, resendInvitation as resend, type Invitation, type NewUser } from './users.ts';

/**
 * Limits the responses that say that an e-mail address is in use, because such responses reveal who has an account in
 * the service.
 */
const taken = (organizationId: string): AttemptLimit => ({
  id: `email taken ${organizationId}`,
  most: 10,
  within: HOUR_MS,
});

/** Limits invitations, because they are unsolicited e-mails. */
const mails = (organizationId: string, emailKey: string): readonly [AttemptLimit, string][] => [
  [
    { id: `invitations ${organizationId} ${emailKey}`, most: 5, within: DAY_MS },
    'This address was invited five times within a day. Please try again later.',
  ],
  [
    { id: `invitations ${emailKey}`, most: 20, within: DAY_MS },
    'This address was invited too often. Please try again later.',
  ],
  [
    { id: `invitations ${organizationId}`, most: 200, within: DAY_MS },
    'The organization has sent 200 invitations within a day. Please try again later.',
  ],
];

type Bounded = Pick<CommandDependencies, 'entries'>;

const admit =
  ({ entries }: Bounded, context: CommandContext) =>
  async (emailKey: string): Promise<void> => {
    const now = millisecondsOf(context.now);
    for (const [allowance, sentence] of mails(context.organizationId, emailKey)) {
      await countAgainstLimit(entries, allowance, now, sentence);
    }
  };

/**
 * Serialises invitations per organization, so that each process reserves at most one response per organization at a
 * time ({@link limitingTakenEmails}).
 */
const inTurn = createKeyedMutex();

/**
 * Runs a command that creates a user. Its response can reveal that an e-mail address is in use, so an organization gets
 * only a limited number of such responses. Each command counts against this limit before the address is looked up, and
 * is uncounted if the address is free. When the limit is reached, all commands are refused, so that the refusal reveals
 * nothing about the address.
 *
 * @throws TooMany
 */
export const limitingTakenEmails =
  ({ entries }: Bounded) =>
  <T>(context: CommandContext, make: () => Promise<T>): Promise<T> =>
    inTurn(context.organizationId, async () => {
      const now = millisecondsOf(context.now);
      const allowance = taken(context.organizationId);
      await countAgainstLimit(
        entries,
        allowance,
        now,
        'Too many invitations to addresses already in use. Please try again later.',
      );
      const spent = { reservation: false };
      try {
        return await make();
      } catch (error) {
        spent.reservation = error instanceof EmailTaken;
        throw error;
      } finally {
        if (!spent.reservation) await uncountFromLimit(entries, allowance, now);
      }
    });

/**
 * Invites a user, within the limits of the organization.
 *
 * @throws as {@link invite}
 * @throws TooMany
 */
export const inviteWithinLimits =
  (dependencies: Parameters<typeof invite>[0] & Bounded) =>
  (input: NewUser, context: CommandContext): Promise<Invitation> =>
    limitingTakenEmails(dependencies)(context, () =>
      invite(dependencies)(input, context, admit(dependencies, context)),
    );

/** Resends an invitation, within the limits of the address. @throws the errors of {@link resend} @throws TooMany */
export const resendWithinLimits =
  (dependencies: Pick<CommandDependencies, 'handle'> & Bounded) =>
  async (userId: string, context: CommandContext): Promise<Invitation> => {
    const { handle } = dependencies;
    const organization = existing(await handle.load(context.organizationId, organizationDecider, context));
    const { status, emailKey } = presentUser(organization, userId);
    if (status === 'invited') await admit(dependencies, context)(emailKey);
    return resend(dependencies)(userId, context);
  };
