import { organizationDecider, type Organization } from '../../domain/organization/state.ts';
import { emailKeyOf, readEmail } from '../../domain/organization/user-email.ts';
import { userKey, type User } from '../../domain/organization/user.ts';
import * as decide from '../../domain/organization/users.ts';
import type { OrganizationEvent } from '../../domain/organization/events.ts';
import type { Sealed } from '../../domain/sealed.ts';
import { openText } from '../../stores/keys/port.ts';
import type { CommandContext } from '../engine/context.ts';
import type { CommandDependencies } from '../dependencies.ts';
import { requireGoodPassword } from '../passwords.ts';
import { endSessionsOf } from '../sign-in/sessions.ts';
import { personalNames, sealedJoining, sealing } from './user-texts.ts';

type Handling = Pick<CommandDependencies, 'handle'>;
type Sealing = Pick<CommandDependencies, 'handle' | 'keys'>;
type Inviting = Pick<CommandDependencies, 'handle' | 'keys' | 'plans' | 'userEmails'>;
type Removing = Pick<CommandDependencies, 'entries' | 'handle' | 'keys' | 'userEmails'>;

/** An invitation as its link names it (domain/organization/user-links.ts). */
export interface Invitation {
  userId: string;
  invitation: number;
}

export interface NewUser {
  email: string;
  role: string;
}

/** Makes a user who has an e-mail that nobody else has. @param admit is asked before anything is appended for the user */
const makeUser = async (
  { handle, keys, plans, userEmails }: Inviting,
  { email, role }: NewUser,
  context: CommandContext,
  decided: (organization: Organization, input: decide.NewUser) => Promise<OrganizationEvent[]>,
  admit?: (emailKey: string) => Promise<void>,
): Promise<string> => {
  const { actor, organizationId } = context;
  const address = readEmail(email);
  decide.requireRole(role);
  decide.requireGrantable(actor, role);
  const id = context.newId();
  const emailKey = await emailKeyOf(keys, address);
  const append = async (emailClaim: number): Promise<string> => {
    await handle(
      organizationId,
      organizationDecider,
      async (organization) => {
        const sealed = await sealing(keys, id, context)('email', address);
        return decided(organization, { id, role, email: sealed, emailKey, emailClaim });
      },
      context,
    );
    return id;
  };
  // What was done before, by the same command, claims nothing again.
  const organization = await handle.load(organizationId, organizationDecider, context);
  if (decide.holdsEmail(organization, id)) return append(0);
  // What is refused anyway claims nothing.
  decide.requireRoom(organization, plans);
  let admitted = false;
  return userEmails.holding({ userId: id, emailKey }, context, async (claim) => {
    if (!admitted) await admit?.(emailKey);
    admitted = true;
    return append(claim);
  });
};

/**
 * Invites somebody to the context's organization.
 *
 * @param admit lets an e-mail, by its fingerprint, be written to once more; absent: always
 * @throws Invalid
 * @throws Forbidden the plan allows no more users, or the actor lacks what the role may do
 * @throws EmailTaken
 */
export const inviteUser =
  (dependencies: Inviting) =>
  async (input: NewUser, context: CommandContext, admit?: (emailKey: string) => Promise<void>): Promise<Invitation> => {
    const { plans } = dependencies;
    const decided = async (organization: Organization, user: decide.NewUser) => [
      decide.inviteUser(organization, user, plans),
    ];
    return { userId: await makeUser(dependencies, input, context, decided, admit), invitation: 1 };
  };

/** A user as the operator makes one. */
export interface NewActiveUser extends NewUser {
  first_name: string | null;
  last_name: string | null;
  password: string;
}

/**
 * Makes a user who can sign in at once.
 *
 * @param require what must hold of the organization at that moment
 * @returns the user's id
 * @throws as {@link inviteUser}
 */
export const createUser =
  (dependencies: Inviting & Pick<CommandDependencies, 'passwords'>) =>
  async (
    input: NewActiveUser,
    context: CommandContext,
    require: (organization: Organization) => void = () => undefined,
  ): Promise<string> => {
    const { handle, keys, passwords, plans } = dependencies;
    // Nothing is hashed for what is refused anyway.
    require(await handle.load(context.organizationId, organizationDecider, context));
    await requireGoodPassword(input.password, 'password', input.email);
    const names = personalNames(input);
    const hashed = await passwords.hash(input.password);
    return makeUser(dependencies, input, context, async (organization, user) => {
      require(organization);
      const joining = { ...(await sealedJoining(keys, user.id, context, names, hashed)), emailVerified: false };
      return decide.createUser(organization, user, joining, plans);
    });
  };

/** Sends an invitation once more; former links are void. @throws NotFound @throws IllegalState it was accepted */
export const resendInvitation =
  ({ handle }: Handling) =>
  async (userId: string, context: CommandContext): Promise<Invitation> => {
    const { events } = await handle(
      context.organizationId,
      organizationDecider,
      (organization) => decide.resendInvitation(organization, userId),
      context,
    );
    const { invitation } = events[0]?.data as { invitation: number };
    return { userId, invitation };
  };

/**
 * Gives a user another role.
 *
 * @throws NotFound
 * @throws Invalid
 * @throws Forbidden the actor lacks what the role may do
 * @throws Conflict it is the last admin
 */
export const changeRole =
  ({ handle }: Handling) =>
  async (userId: string, role: string, context: CommandContext): Promise<void> => {
    decide.requireRole(role);
    decide.requireGrantable(context.actor, role);
    await handle(
      context.organizationId,
      organizationDecider,
      (organization) => decide.changeRole(organization, userId, role),
      context,
    );
  };

const userIn = (organization: Organization, userId: string): User | undefined =>
  organization.status === 'active' ? organization.users.find(({ id }) => id === userId) : undefined;

/** What follows when a user is removed: the e-mail is free, and the sessions end, which nobody takes any more. */
const afterRemoval = async (
  { entries, handle, userEmails }: Pick<Removing, 'entries' | 'handle' | 'userEmails'>,
  user: User | undefined,
  context: CommandContext,
): Promise<void> => {
  if (!user) return;
  await userEmails.giveBack(user.id, user.emailKey, context);
  await endSessionsOf({ entries, handle })(user.id, context.organizationId, 'user_removed', context);
};

/**
 * Removes a user, the API keys that the user has made, and the sessions; the e-mail is free.
 *
 * @throws NotFound
 * @throws Conflict it is the last admin
 */
export const removeUser =
  (dependencies: Omit<Removing, 'keys'>) =>
  async (userId: string, context: CommandContext): Promise<void> => {
    const { state } = await dependencies.handle(
      context.organizationId,
      organizationDecider,
      (organization) => decide.removeUser(organization, userId),
      context,
    );
    await afterRemoval(dependencies, userIn(state, userId), context);
  };

/**
 * Forgets who a user was, everywhere and for good; one who is still there is removed. A reactor forgets the key, too, if
 * the process dies before.
 *
 * @throws NotFound @throws Conflict it is the last admin
 */
export const forgetUser =
  (dependencies: Removing) =>
  async (userId: string, context: CommandContext): Promise<void> => {
    const { state } = await dependencies.handle(
      context.organizationId,
      organizationDecider,
      (organization) => decide.forgetUser(organization, userId),
      context,
    );
    await dependencies.keys.forget(userKey(userId));
    await afterRemoval(dependencies, userIn(state, userId), context);
  };

/** Names as they are sent: absent ones stay, null takes one away. */
export interface ProfileInput {
  first_name?: string | null | undefined;
  last_name?: string | null | undefined;
}

const FIELDS = ['first_name', 'last_name'] as const;

/** Changes the names of a user. @throws NotFound @throws Invalid @throws IllegalState not yet joined */
export const changeProfile =
  ({ handle, keys }: Sealing) =>
  async (userId: string, input: ProfileInput, context: CommandContext): Promise<void> => {
    const { organizationId } = context;
    const seal = sealing(keys, userId, context);
    const wanted = FIELDS.flatMap((field) => {
      const text = input[field];
      return text === undefined ? [] : [[field, text === null ? null : decide.personalName(text, field)] as const];
    });
    await handle(
      organizationId,
      organizationDecider,
      async (organization) => {
        const { firstName, lastName } = decide.presentUser(organization, userId);
        const current = { first_name: firstName, last_name: lastName };
        const changes: Partial<Record<(typeof FIELDS)[number], Sealed | null>> = {};
        for (const [field, text] of wanted) {
          const known = current[field];
          const before = known && (await openText(known, { organizationId, field }, keys));
          if (before !== text) changes[field] = text === null ? null : await seal(field, text);
        }
        return decide.changeProfile(organization, userId, changes);
      },
      context,
    );
  };
