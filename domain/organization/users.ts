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

/** Maximum length of a first or last name in characters. */
export const MAX_PERSONAL_NAME = 50;

/** An invited or active user. */
export type PresentUser = User & { status: 'invited' | 'active'; email: Sealed };

const isPresent = (user: User): user is PresentUser => user.status === 'invited' || user.status === 'active';

/** The invited and active users of an organization. */
export const presentUsers = ({ users }: Pick<ActiveOrganization, 'users'>): PresentUser[] => users.filter(isPresent);

const known = ({ users }: ActiveOrganization, userId: string): User | undefined =>
  users.find(({ id }) => id === userId);

/**
 * Requires that the actor has all permissions of the role that is granted.
 *
 * @throws Forbidden the actor's role does not include the other
 */
export const requireGrantable = ({ kind, role }: Actor, other: string): void => {
  // The operator has all permissions on the command line.
  if (kind === 'system') return;
  if (role === null || !includesRole(role, other)) {
    throw new Forbidden(`You can't give the role ${other}, since it has permissions that you lack.`);
  }
};

/** @throws NotFound the user does not exist, or was removed */
export const presentUser = (organization: Organization, userId: string): PresentUser =>
  requireFound(
    presentUsers(existing(organization)).find(({ id }) => id === userId),
    'user',
  );

/** The claim on the e-mail address was closed: another user took it over before this one was stored. */
export class EmailClaimLost extends Conflict {}

export interface NewUser {
  id: string;
  /** sealed under the user's key */
  email: Sealed;
  emailKey: string;
  /** number of the claim on the e-mail address */
  emailClaim: number;
  role: string;
}

/** The data with which a user joins, sealed under the user's key. */
export interface JoiningData {
  firstName: Sealed | null;
  lastName: Sealed | null;
  /** PHC string */
  password: Sealed;
  /** whether the user has proven ownership of the e-mail address */
  emailVerified: boolean;
}

/** @throws Invalid the role does not exist */
export const requireRole = (role: string): void => {
  if (!isRole(role)) throw Invalid.field('role', `There is no role "${role}". The roles are ${ROLES.join(', ')}.`);
};

/**
 * Requires that the plan allows one more user.
 *
 * @throws NotFound the organization does not exist
 * @throws Forbidden its plan allows no more
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
 * @throws Invalid
 * @throws Forbidden its plan allows no more
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

/** Creates a user who can sign in immediately, for the operator. @throws as {@link inviteUser} */
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

/** Whether a user holds its e-mail address, so that no other user can have it. */
export const holdsEmail = (organization: Organization, userId: string): boolean =>
  organization.status === 'active' && presentUsers(organization).some(({ id }) => id === userId);

/**
 * Closes an unused claim of a user on an e-mail address, so that another user can take it. Does nothing if the user holds
 * the address, was removed, or the claim is already closed.
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

/** @throws NotFound @throws IllegalState the invitation was accepted */
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
 * The status of an invitation link: it can be accepted (`open`); it was accepted; a newer one was sent; the user was
 * removed or never existed (`gone`).
 */
export type InvitationStatus = 'open' | 'accepted' | 'superseded' | 'gone';

/** @param invitation the number in the link */
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

/** The user of an open invitation. @throws Invalid field `token`: the link is invalid or no longer valid */
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

/** @throws Conflict no other user could assign roles */
const requireAnotherAdmin = (organization: ActiveOrganization, user: PresentUser): void => {
  const isAdmin = ({ status, role }: User): boolean => status === 'active' && role === 'admin';
  if (!isAdmin(user) || organization.users.some((other) => other.id !== user.id && isAdmin(other))) return;
  throw new Conflict('This is the last admin of the organization. Give another user the role admin first.');
};

/** @throws NotFound @throws Invalid the role does not exist @throws Conflict the user is the last admin */
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

/** Removes a user and revokes the API keys that the user created, directly or with a key. @throws NotFound @throws Conflict */
export const removeUser = (organization: Organization, userId: string): OrganizationEvent[] => {
  const active = existing(organization);
  const user = presentUser(active, userId);
  requireAnotherAdmin(active, user);
  return [
    { type: 'UserRemoved', data: { organization_id: active.id, user_id: userId } },
    ...active.apiKeys.filter(({ createdBy }) => createdBy === userId).map((key) => apiKeyRevoked(active.id, key)),
  ];
};

/** Records that the personal data of a user must be erased. A user who still exists is removed. */
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

/** @param names only changed names @throws NotFound @throws IllegalState the user has not joined */
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

/** Normalises a first or last name: one line, without direction marks. @throws Invalid */
export const personalName = (text: string, field: 'first_name' | 'last_name'): string => {
  const name = withVisibleCharacters(text.normalize('NFC'));
  if (isBlank(name)) throw Invalid.field(field, NOT_BLANK);
  if (Array.from(name).length > MAX_PERSONAL_NAME) {
    throw Invalid.field(field, `Must be at most ${MAX_PERSONAL_NAME} characters long.`);
  }
  return name;
};
