import { createKeyedMutex } from '../../domain/mutex.ts';
import { existing, organizationDecider } from '../../domain/organization/state.ts';
import { presentUser } from '../../domain/organization/users.ts';
import { millisecondsOf } from '../../domain/time.ts';
import { giveBack, take, type Allowance } from '../sign-in/allowances.ts';
import type { CommandContext } from '../engine/context.ts';
import type { CommandDependencies } from '../dependencies.ts';
import { EmailTaken } from '../reservations/user-emails.ts';
import { inviteUser as invite, resendInvitation as resend, type Invitation, type NewUser } from './users.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Answers that an e-mail is taken: more would tell who has a user here, in whatever organization. */
const taken = (organizationId: string): Allowance => ({ id: `email taken ${organizationId}`, most: 10, within: HOUR });

/** Invitations are e-mails to people who may never have asked for one. */
const mails = (organizationId: string, emailKey: string): readonly [Allowance, string][] => [
  [
    { id: `invitations ${organizationId} ${emailKey}`, most: 5, within: DAY },
    'This address was invited five times within a day. Please try again later.',
  ],
  [{ id: `invitations ${emailKey}`, most: 20, within: DAY }, 'This address was invited too often. Please try later.'],
  [
    { id: `invitations ${organizationId}`, most: 200, within: DAY },
    'The organization has sent 200 invitations within a day. Please try again later.',
  ],
];

type Bounded = Pick<CommandDependencies, 'entries'>;

const admit =
  ({ entries }: Bounded, context: CommandContext) =>
  async (emailKey: string): Promise<void> => {
    const now = millisecondsOf(context.now);
    for (const [allowance, sentence] of mails(context.organizationId, emailKey)) {
      await take(entries, allowance, now, sentence);
    }
  };

/** Of an organization's invitations at once only one holds an answer that others could want, in a process. */
const inTurn = createKeyedMutex();

/**
 * Makes a user, where an answer may say that an e-mail is taken. One of the organization's allowance of such answers is
 * reserved before anything is looked up, and everything is refused when there is none left: else the refusal itself
 * would tell.
 *
 * @throws TooMany
 */
export const countingTakenEmails =
  ({ entries }: Bounded) =>
  <T>(context: CommandContext, make: () => Promise<T>): Promise<T> =>
    inTurn(context.organizationId, async () => {
      const now = millisecondsOf(context.now);
      const allowance = taken(context.organizationId);
      await take(entries, allowance, now, 'Too many e-mails that are taken were invited. Please try again later.');
      const spent = { one: false };
      try {
        return await make();
      } catch (error) {
        spent.one = error instanceof EmailTaken;
        throw error;
      } finally {
        if (!spent.one) await giveBack(entries, allowance, now);
      }
    });

/**
 * Invites somebody, as often as an organization may.
 *
 * @throws as {@link invite}
 * @throws TooMany
 */
export const inviteWithinBounds =
  (dependencies: Parameters<typeof invite>[0] & Bounded) =>
  (input: NewUser, context: CommandContext): Promise<Invitation> =>
    countingTakenEmails(dependencies)(context, () =>
      invite(dependencies)(input, context, admit(dependencies, context)),
    );

/** Sends an invitation once more, as often as an address may get one. @throws as {@link resend} @throws TooMany */
export const resendWithinBounds =
  (dependencies: Pick<CommandDependencies, 'handle'> & Bounded) =>
  async (userId: string, context: CommandContext): Promise<Invitation> => {
    const { handle } = dependencies;
    const organization = existing(await handle.load(context.organizationId, organizationDecider, context));
    const { status, emailKey } = presentUser(organization, userId);
    if (status === 'invited') await admit(dependencies, context)(emailKey);
    return resend(dependencies)(userId, context);
  };
