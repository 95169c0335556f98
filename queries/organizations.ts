import { found } from '../domain/lifecycle.ts';
import type { ApiKeyDocument, OrganizationDocument } from '../projections/organizations/documents.ts';
import { organizations } from '../projections/organizations/projection.ts';
import { creditBalance, type CreditBalance } from './credits.ts';
import type { Reading, Scope } from './scope.ts';

export interface OrganizationWithCredits extends OrganizationDocument {
  /** what it has used this month */
  credits: CreditBalance;
}

/** @throws NotFound it is not the scope's organization (spec.md: Authentication 4) */
export const findOrganization = async (
  { read, organizationId }: Reading,
  id: string,
): Promise<OrganizationDocument> => {
  return found(id === organizationId ? await read(organizations).organizations.get(id) : null, 'organization');
};

/** @throws NotFound */
export const organizationWithCredits = async (
  scope: Pick<Scope, 'read' | 'organizationId' | 'now'>,
  id: string,
): Promise<OrganizationWithCredits> => {
  const organization = await findOrganization(scope, id);
  return { ...organization, credits: await creditBalance(scope, organization.credit_limit) };
};

/** The API keys of the organization that were not revoked, expired ones included, oldest first. */
export const listApiKeys = ({ read, organizationId }: Reading): Promise<ApiKeyDocument[]> =>
  read(organizations).api_keys.find({ where: { organization_id: organizationId }, sort: { created_at: 1 } });
