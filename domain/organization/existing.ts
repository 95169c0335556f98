import { NotFound } from '../errors.ts';
import type { Organization } from './state.ts';

/** An organization that there is. @throws NotFound */
export const existing = (organization: Organization): Extract<Organization, { status: 'active' }> => {
  if (organization.status === 'absent') throw new NotFound('There is no such organization.');
  return organization;
};
