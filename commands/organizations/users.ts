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
import { personalNames, sealJoiningData, sealerOf } from './user-texts.ts';

type Handling = Pick<CommandDependencies, 'handle'>;
type Sealing = Pick<CommandDependencies, 'handle' | 'keys'>;
type Inviting = Pick<CommandDependencies, 'handle' | 'keys' | 'plans' | 'userEmails'>;
type Removing = Pick<CommandDependencies, 'entries' | 'handle' | 'keys' | 'userEmails'>;

/**
 * The data of an invitation that its link contains (domain/organization/user-links.ts). The invitations of a user are
 * numbered from 1.
 */
export interface Invitation {
  userId: string;
  invitation: number;
}

export interface NewUser {
  email: string;
  role: string;
}

/** Creates a user with a unique e-mail address. @param admit called before the first event is appended */
const addUser = async (
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
        const sealed = await sealerOf(keys, id, context)('email', address);
        return decided(organization, { id, role, email: sealed, emailKey, emailClaim });
      },
      context,
    );
    return id;
  };
  // A repeated command does not claim the address again.
  const organization = await handle.load(organizationId, organizationDecider, context);
  if (decide.holdsEmail(organization, id)) return append(0);
  // Check the quota before claiming the address.
  decide.requireUserQuota(organization, plans);
  let admitted = false;
  return userEmails.withClaim({ userId: id, emailKey }, context, async (claim) => {
    if (!admitted) await admit?.(emailKey);
    admitted = true;
    return append(claim);
  });
};

/**
 * Invites a user to the context's organization.
 *
 * @param admit limits the rate of e-mails to an address, given by its fingerprint; default: no limit
 * @throws Invalid
 * @throws Forbidden if the plan allows no more users, or the actor lacks permissions of the role
 * @throws EmailTaken
 */
export const inviteUser =
  (dependencies: Inviting) =>
  async (input: NewUser, context: CommandContext, admit?: (emailKey: string) => Promise<void>): Promise<Invitation> => {
    const { plans } = dependencies;
    const decided = async (organization: Organization, user: decide.NewUser) => [
      decide.inviteUser(organization, user, plans),
    ];
    return { userId: await addUser(dependencies, input, context, decided, admit), invitation: 1 };
  };

/** A user that the operator creates. */
export interface NewActiveUser extends NewUser {
  first_name: string | null;
  last_name: string | null;
  password: string;
}

/**
 * Creates a user who can sign in immediately.
 *
 * @param require throws if the state of the organization does not allow the creation of the user
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
    // Check the conditions before hashing, which is expensive.
    require(await handle.load(context.organizationId, organizationDecider, context));
    await requireGoodPassword(input.password, 'password', input.email);
    const names = personalNames(input);
    const hashed = await passwords.hash(input.password);
    return addUser(dependencies, input, context, async (organization, user) => {
      require(organization);
      const joining = { ...(await sealJoiningData(keys, user.id, context, names, hashed)), emailVerified: false };
      return decide.createUser(organization, user, joining, plans);
    });
  };

/**
 * Resends an invitation. Earlier links become invalid.
 *
 * @throws NotFound
 * @throws IllegalState the invitation was already accepted
 */
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
 * Changes the role of a user.
 *
 * @throws NotFound
 * @throws Invalid
 * @throws Forbidden if the actor lacks permissions of the role
 * @throws Conflict if the user is the only admin
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

/** Releases the e-mail address of a removed user and ends the user's sessions, which are refused already. */
const afterRemoval = async (
  { entries, handle, userEmails }: Pick<Removing, 'entries' | 'handle' | 'userEmails'>,
  user: User | undefined,
  context: CommandContext,
): Promise<void> => {
  if (!user) return;
  await userEmails.release(user.id, user.emailKey, context);
  await endSessionsOf({ entries, handle })(user.id, context.organizationId, 'user_removed', context);
};

/**
 * Removes a user with its sessions and the API keys that it has created, and releases the e-mail address.
 *
 * @throws NotFound
 * @throws Conflict if the user is the only admin
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
 * Erases the personal data of a user permanently, by deleting the user's key. A user who is still active is removed
 * first. If the process dies before the key is deleted, a reactor deletes the key later.
 *
 * @throws NotFound
 * @throws Conflict if the user is the only admin
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

/** Names to change. Absent names stay unchanged, and null removes a name. */
export interface ProfileInput {
  first_name?: string | null | undefined;
  last_name?: string | null | undefined;
}

const FIELDS = ['first_name', 'last_name'] as const;

/** Changes the names of a user. @throws NotFound @throws Invalid @throws IllegalState if the user has not joined yet */
export const changeProfile =
  ({ handle, keys }: Sealing) =>
  async (userId: string, input: ProfileInput, context: CommandContext): Promise<void> => {
    const { organizationId } = context;
    const seal = sealerOf(keys, userId, context);
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
