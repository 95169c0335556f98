import { changedFields } from '../changes.ts';
import { Conflict, Forbidden, IllegalState, Invalid } from '../errors.ts';
import type { Actor } from '../event.ts';
import { requireFound, notFound } from '../existence.ts';
import { withVisibleCharacters } from '../mail/address.ts';
import type { Sealed } from '../sealed.ts';
import { isBlank, NOT_BLANK } from '../text.ts';
import { apiKeyRevoked } from './api-keys.ts';
import type { OrganizationEvent } from './events.ts';
import { planLimitError, limitsOf } from './limits.ts';
import type { Plans } from './plans.ts';
import { includesRole, isRole, ROLES } from './roles.ts';
import { existing, type ActiveOrganization, type Organization } from './state.ts';
import type { User } from './user.ts';

/** Maximum number of characters in a first or last name. */
export const MAX_PERSONAL_NAME = 50;

/** A user with the status `invited` or `active`. */
export type PresentUser = User & { status: 'invited' | 'active'; email: Sealed };

const isPresent = (user: User): user is PresentUser => user.status === 'invited' || user.status === 'active';

/** Returns the invited and active users of an organization. */
export const presentUsers = ({ users }: Pick<ActiveOrganization, 'users'>): PresentUser[] => users.filter(isPresent);

const known = ({ users }: ActiveOrganization, userId: string): User | undefined =>
  users.find(({ id }) => id === userId);

/**
 * Requires that the actor has all permissions of a role before granting it.
 *
 * @param other the role to grant
 * @throws Forbidden the actor's role does not include the other role
 */
export const requireGrantable = ({ kind, role }: Actor, other: string): void => {
  // On the command line, the operator has all permissions.
  if (kind === 'system') return;
  if (role === null || !includesRole(role, other)) {
    throw new Forbidden(`You can't give the role ${other}, since it has permissions that you lack.`);
  }
};

/** Returns an invited or active user. @throws NotFound the user does not exist, or was removed */
export const presentUser = (organization: Organization, userId: string): PresentUser =>
  requireFound(
    presentUsers(existing(organization)).find(({ id }) => id === userId),
    'user',
  );

/**
 * The claim on the e-mail address was closed, because another user took over the address before this user was stored.
 */
export class EmailClaimLost extends Conflict {}

export interface NewUser {
  id: string;
  /** the e-mail address, sealed under the user's key */
  email: Sealed;
  emailKey: string;
  /** number of the claim on the e-mail address */
  emailClaim: number;
  role: string;
}

/** The data that a user enters when joining, sealed under the user's key. */
export interface JoiningData {
  firstName: Sealed | null;
  lastName: Sealed | null;
  /** PHC string of the password */
  password: Sealed;
  /** whether the user has proven ownership of the e-mail address */
  emailVerified: boolean;
}

/** @throws Invalid the role does not exist */
export const requireRole = (role: string): void => {
  if (!isRole(role)) throw Invalid.field('role', `There is no role "${role}". The roles are ${ROLES.join(', ')}.`);
};

/**
 * Requires that the organization's plan allows one more user.
 *
 * @throws NotFound the organization does not exist
 * @throws Forbidden the plan allows no more users
 */
export const requireUserQuota = (organization: Organization, plans: Pick<Plans, 'default'>): void => {
  const active = existing(organization);
  const { plan, limits } = limitsOf(active, plans);
  if (limits.users !== null && presentUsers(active).length >= limits.users) {
    throw planLimitError(plan, 'users', limits.users);
  }
};

/**
 * Invites a user.
 *
 * @throws NotFound the organization does not exist
 * @throws Invalid the role does not exist
 * @throws Forbidden the plan allows no more users
 * @throws EmailClaimLost
 */
export const inviteUser = (
  organization: Organization,
  input: NewUser,
  plans: Pick<Plans, 'default'>,
): OrganizationEvent => {
  const active = existing(organization);
  requireRole(input.role);
  const before = known(active, input.id);
  if (before && before.status !== 'abandoned') throw new Conflict('This user already exists.');
  requireUserQuota(active, plans);
  if (before && input.emailClaim <= before.emailClaim)
    throw new EmailClaimLost('Another user has taken the e-mail address.');
  return {
    type: 'UserInvited',
    data: {
      organization_id: active.id,
      user_id: input.id,
      email: input.email,
      email_key: input.emailKey,
      email_claim: input.emailClaim,
      role: input.role,
      invitation: 1,
    },
  };
};

const joined = ({ id }: ActiveOrganization, userId: string, joining: JoiningData): OrganizationEvent => ({
  type: 'UserJoined',
  data: {
    organization_id: id,
    user_id: userId,
    first_name: joining.firstName,
    last_name: joining.lastName,
    password: joining.password,
    email_verified: joining.emailVerified,
  },
});

/**
 * Creates a user who can sign in immediately. Only the operator can do this. Throws the same errors as {@link
 * inviteUser}.
 */
export const createUser = (
  organization: Organization,
  input: NewUser,
  joining: JoiningData,
  plans: Pick<Plans, 'default'>,
): OrganizationEvent[] => [inviteUser(organization, input, plans), joined(existing(organization), input.id, joining)];

/** @throws NotFound @throws Conflict a user of the organization can already sign in */
export const requireNobodyJoined = (organization: Organization): void => {
  if (existing(organization).users.some(({ status }) => status === 'active')) {
    throw new Conflict('The organization already has a user. Please sign in.');
  }
};

/** Whether a user holds an e-mail address, so that no other user can get this address. */
export const holdsEmail = (organization: Organization, userId: string): boolean =>
  organization.status === 'active' && presentUsers(organization).some(({ id }) => id === userId);

/**
 * Closes an unused claim of a user on an e-mail address, so that another user can take the address. Returns no event if
 * the user holds the address or was removed, or if the claim is already closed.
 */
export const abandonInvitation = (organization: Organization, userId: string, claim: number): OrganizationEvent[] => {
  if (organization.status !== 'active') return [];
  const user = known(organization, userId);
  if (user && (user.status !== 'abandoned' || claim <= user.emailClaim)) return [];
  return [
    {
      type: 'UserInvitationAbandoned',
      data: { organization_id: organization.id, user_id: userId, email_claim: claim },
    },
  ];
};

/** Sends an invitation again with a new link. @throws NotFound @throws IllegalState the invitation was accepted */
export const resendInvitation = (organization: Organization, userId: string): OrganizationEvent => {
  const { id } = existing(organization);
  const user = presentUser(organization, userId);
  if (user.status !== 'invited') throw new IllegalState('The invitation was already accepted.');
  return {
    type: 'InvitationResent',
    data: { organization_id: id, user_id: userId, invitation: user.invitation + 1 },
  };
};

/**
 * The status of an invitation link. `open`: it can be accepted. `accepted`: it was accepted. `superseded`: a newer link
 * was sent. `gone`: the user was removed or never existed.
 */
export type InvitationStatus = 'open' | 'accepted' | 'superseded' | 'gone';

/** Returns the status of an invitation link. @param invitation the number of the invitation in the link */
export const invitationStatus = (organization: Organization, userId: string, invitation: number): InvitationStatus => {
  const user =
    organization.status === 'active' ? presentUsers(organization).find(({ id }) => id === userId) : undefined;
  if (!user) return 'gone';
  if (user.status === 'active') return 'accepted';
  return user.invitation === invitation ? 'open' : 'superseded';
};

const REFUSED: Record<Exclude<InvitationStatus, 'open'>, string> = {
  accepted: 'The invitation was already accepted.',
  superseded: 'A newer invitation was sent. Use its link.',
  gone: 'The link is invalid or has expired.',
};

/**
 * Returns the user of an open invitation.
 *
 * @throws Invalid field `token`: the link is invalid, outdated or already accepted
 */
export const requireOpenInvitation = (organization: Organization, userId: string, invitation: number): PresentUser => {
  const standing = invitationStatus(organization, userId, invitation);
  if (standing !== 'open') throw Invalid.field('token', REFUSED[standing]);
  return presentUser(organization, userId);
};

/** @throws Invalid field `token` */
export const acceptInvitation = (
  organization: Organization,
  { userId, invitation }: { userId: string; invitation: number },
  joining: JoiningData,
): OrganizationEvent => {
  requireOpenInvitation(organization, userId, invitation);
  return joined(existing(organization), userId, joining);
};

/** @throws Conflict the user is the only admin, so that no other user could assign roles */
const requireAnotherAdmin = (organization: ActiveOrganization, user: PresentUser): void => {
  const isAdmin = ({ status, role }: User): boolean => status === 'active' && role === 'admin';
  if (!isAdmin(user) || organization.users.some((other) => other.id !== user.id && isAdmin(other))) return;
  throw new Conflict('This is the last admin of the organization. Give another user the role admin first.');
};

/** @throws NotFound @throws Invalid the role does not exist @throws Conflict the user is the only admin */
export const changeRole = (organization: Organization, userId: string, role: string): OrganizationEvent[] => {
  const active = existing(organization);
  const user = presentUser(active, userId);
  requireRole(role);
  if (user.role === role) return [];
  requireAnotherAdmin(active, user);
  return [
    { type: 'UserRoleChanged', data: { organization_id: active.id, user_id: userId, role, previous: user.role } },
  ];
};

/**
 * Removes a user. Also revokes the API keys that the user created, directly or with another key.
 *
 * @throws NotFound
 * @throws Conflict the user is the only admin
 */
export const removeUser = (organization: Organization, userId: string): OrganizationEvent[] => {
  const active = existing(organization);
  const user = presentUser(active, userId);
  requireAnotherAdmin(active, user);
  return [
    { type: 'UserRemoved', data: { organization_id: active.id, user_id: userId } },
    ...active.apiKeys.filter(({ createdBy }) => createdBy === userId).map((key) => apiKeyRevoked(active.id, key)),
  ];
};

/** Records that the personal data of a user must be erased. A user who has not been removed yet is removed first. */
export const forgetUser = (organization: Organization, userId: string): OrganizationEvent[] => {
  const active = existing(organization);
  const user = requireFound(known(active, userId), 'user');
  if (user.status === 'abandoned') throw notFound('user');
  if (user.forgotten) return [];
  return [
    ...(isPresent(user) ? removeUser(organization, userId) : []),
    { type: 'UserForgotten', data: { organization_id: active.id, user_id: userId } },
  ];
};

type Names = Record<'first_name' | 'last_name', Sealed | null>;

/** @param names only the names that the request sets @throws NotFound @throws IllegalState the user has not joined */
export const changeProfile = (
  organization: Organization,
  userId: string,
  names: Partial<Names>,
): OrganizationEvent[] => {
  const { id } = existing(organization);
  const user = presentUser(organization, userId);
  if (user.status !== 'active') throw new IllegalState('The invitation has not been accepted yet.');
  const changed = changedFields<Names>({ first_name: user.firstName, last_name: user.lastName }, names);
  return changed ? [{ type: 'UserProfileChanged', data: { organization_id: id, user_id: userId, ...changed } }] : [];
};

/** Converts a first or last name to one line without direction marks. @throws Invalid the name is blank or too long */
export const personalName = (text: string, field: 'first_name' | 'last_name'): string => {
  const name = withVisibleCharacters(text.normalize('NFC'));
  if (isBlank(name)) throw Invalid.field(field, NOT_BLANK);
  if (Array.from(name).length > MAX_PERSONAL_NAME) {
    throw Invalid.field(field, `Must be at most ${MAX_PERSONAL_NAME} characters long.`);
  }
  return name;
};
