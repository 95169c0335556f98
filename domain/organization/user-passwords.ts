import { IllegalState, Invalid } from '../errors.ts';
import type { Sealed } from '../sealed.ts';
import type { OrganizationEvent } from './events.ts';
import { existing, type Organization } from './state.ts';
import type { ResetLink } from './user-links.ts';
import { presentUser, presentUsers, type PresentUser } from './users.ts';

export const RESET_REFUSED = 'The link is invalid or has expired.';

/** Returns the user of a reset link. @throws Invalid field `token`: the link is invalid, outdated or already used */
export const requireOpenReset = (organization: Organization, userId: string, reset: number): PresentUser => {
  const user =
    organization.status === 'active' ? presentUsers(organization).find(({ id }) => id === userId) : undefined;
  if (user?.status !== 'active' || !user.resettable || user.reset !== reset) {
    throw Invalid.field('token', RESET_REFUSED);
  }
  return user;
};

/**
 * Requests a reset link and invalidates earlier reset links.
 *
 * @throws NotFound
 * @throws IllegalState the user has not joined
 */
export const requestReset = (organization: Organization, userId: string): OrganizationEvent => {
  const user = activeUserOf(organization, userId);
  return {
    type: 'PasswordResetRequested',
    data: { organization_id: existing(organization).id, user_id: userId, reset: user.reset + 1 },
  };
};

/**
 * Sets a password by a reset link. Only a mailed link proves ownership of the e-mail address.
 *
 * @throws Invalid field `token`
 */
export const resetPassword = (
  organization: Organization,
  { userId, reset, way }: Pick<ResetLink, 'userId' | 'reset' | 'way'>,
  password: Sealed,
): OrganizationEvent => {
  requireOpenReset(organization, userId, reset);
  return changed(organization, userId, password, 'reset', way === 'mailed');
};

/**
 * Replaces a password after the caller has entered the current password.
 *
 * @param shown the sealed password with which the caller's entry was compared
 * @throws NotFound
 * @throws IllegalState the password was changed concurrently
 */
export const changePassword = (
  organization: Organization,
  userId: string,
  shown: Sealed,
  password: Sealed,
): OrganizationEvent => {
  if (activeUserOf(organization, userId).password?.sealed !== shown.sealed) {
    throw new IllegalState('The password was changed at the same time.');
  }
  return changed(organization, userId, password, 'user', false);
};

/**
 * Sets the password of an active user on behalf of the operator.
 *
 * @throws NotFound
 * @throws IllegalState the user has not joined
 */
export const setPassword = (organization: Organization, userId: string, password: Sealed): OrganizationEvent => {
  activeUserOf(organization, userId);
  return changed(organization, userId, password, 'operator', false);
};

const activeUserOf = (organization: Organization, userId: string): PresentUser => {
  const user = presentUser(organization, userId);
  if (user.status !== 'active') throw new IllegalState('The invitation has not been accepted yet.');
  return user;
};

const changed = (
  organization: Organization,
  userId: string,
  password: Sealed,
  by: 'user' | 'reset' | 'operator',
  email_verified: boolean,
): OrganizationEvent => ({
  type: 'UserPasswordChanged',
  data: { organization_id: existing(organization).id, user_id: userId, password, by, email_verified },
});
