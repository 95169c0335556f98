import { IllegalState } from '../errors.ts';
import type { Sealed } from '../sealed.ts';
import type { OrganizationEvent } from './events.ts';
import { existing, type Organization } from './state.ts';
import { presentUser, type PresentUser } from './users.ts';

/** @throws NotFound @throws IllegalState the user already has a second factor */
export const requireNoSecondFactor = (organization: Organization, userId: string): PresentUser => {
  const user = presentUser(organization, userId);
  if (user.secondFactor)
    throw new IllegalState('A second factor is already set up. Remove it before you set up another one.');
  return user;
};

/** @param recoveryCodes SHA-256 of each recovery code, hexadecimal @throws NotFound @throws IllegalState */
export const enableSecondFactor = (
  organization: Organization,
  userId: string,
  secret: Sealed,
  recoveryCodes: readonly string[],
): OrganizationEvent => {
  requireNoSecondFactor(organization, userId);
  return {
    type: 'SecondFactorEnabled',
    data: {
      organization_id: existing(organization).id,
      user_id: userId,
      secret,
      recovery_codes: [...recoveryCodes],
    },
  };
};

/** @throws NotFound @throws IllegalState no second factor is set up */
export const disableSecondFactor = (
  organization: Organization,
  userId: string,
  by: 'user' | 'operator',
): OrganizationEvent => {
  if (!presentUser(organization, userId).secondFactor) throw new IllegalState('No second factor is set up.');
  return { type: 'SecondFactorDisabled', data: { organization_id: existing(organization).id, user_id: userId, by } };
};

/**
 * Consumes a recovery code.
 *
 * @param code SHA-256 of the recovery code, hexadecimal
 * @returns null if the user has no such code, or the code was already used
 */
export const useRecoveryCode = (organization: Organization, userId: string, code: string): OrganizationEvent | null => {
  const { id, users } = existing(organization);
  const user = users.find((one) => one.id === userId);
  if (!user?.secondFactor?.recoveryCodes.includes(code)) return null;
  return { type: 'RecoveryCodeUsed', data: { organization_id: id, user_id: userId, recovery_code: code } };
};
