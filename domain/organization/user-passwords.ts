import { IllegalState, Invalid } from '../errors.ts';
import type { Sealed } from '../sealed.ts';
import type { OrganizationEvent } from './events.ts';
import { existing, type Organization } from './state.ts';
import type { ResetLink } from './user-links.ts';
import { presentUser, presentUsers, type PresentUser } from './users.ts';

export const RESET_REFUSED = 'The link is invalid or has expired.';

/** The user whose password a link resets. @throws Invalid field `token`: the link opens nothing (any more) */
export const requireOpenReset = (organization: Organization, userId: string, reset: number): PresentUser => {
  const user =
    organization.status === 'active' ? presentUsers(organization).find(({ id }) => id === userId) : undefined;
  if (user?.status !== 'active' || !user.resettable || user.reset !== reset) {
    throw Invalid.field('token', RESET_REFUSED);
  }
  return user;
};

/** Asks for a link that resets the password; former ones are void. @throws NotFound @throws IllegalState not joined */
export const requestReset = (organization: Organization, userId: string): OrganizationEvent => {
  const user = activeUserOf(organization, userId);
  return {
    type: 'PasswordResetRequested',
    data: { organization_id: existing(organization).id, user_id: userId, reset: user.reset + 1 },
  };
};

/** Sets a password by a link; one that was shown to somebody proves no mailbox. @throws Invalid field `token` */
export const resetPassword = (
  organization: Organization,
  { userId, reset, way }: Pick<ResetLink, 'userId' | 'reset' | 'way'>,
  password: Sealed,
): OrganizationEvent => {
  requireOpenReset(organization, userId, reset);
  return changed(organization, userId, password, 'reset', way === 'mailed');
};

/**
 * Replaces the password that was shown. @param shown sealed as it was when it was compared
 *
 * @throws NotFound @throws IllegalState it was changed meanwhile
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

/** The operator gives an active user another password. @throws NotFound @throws IllegalState not joined */
export const setPassword = (organization: Organization, userId: string, password: Sealed): OrganizationEvent => {
  activeUserOf(organization, userId);
  return changed(organization, userId, password, 'operator', false);
};

const activeUserOf = (organization: Organization, userId: string): PresentUser => {
  const user = presentUser(organization, userId);
  if (user.status !== 'active') throw new IllegalState('The invitation was not accepted yet.');
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
