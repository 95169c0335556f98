import type { Instant } from '../time.ts';
import { ADMIN, apiKeyRevoked, createApiKey, wasRevoked } from './api-keys.ts';
import { hashOfApiKey } from './api-key.ts';
import type { OrganizationEvent } from './events.ts';
import { requireOrganizationName } from './name.ts';
import { organizationDecider, requireAbsent, type Organization } from './state.ts';

/** @throws Conflict the organization already exists */
export const createOrganization = (
  organization: Organization,
  { id, name }: { id: string; name: string },
): OrganizationEvent => {
  requireAbsent(organization);
  return { type: 'OrganizationCreated', data: { organization_id: id, name: requireOrganizationName(name) } };
};

/** The admin key of the first start: the value of `ADMIN_API_KEY`, or a generated key if that variable is not set. */
export interface FirstKey {
  id: string;
  key: string;
  origin: 'environment' | 'first_start';
}

/**
 * Creates or updates the first organization at every start of the service. If the organization does not exist, it is
 * created with its admin key. Otherwise, a new value of `ADMIN_API_KEY` replaces the previous key from the environment.
 * A key that was revoked is not created again.
 */
export const bootstrapOrganization = (
  organization: Organization,
  first: { id: string; name: string; key: FirstKey },
  now: Instant,
): OrganizationEvent[] => {
  const adminKey = { ...first.key, name: 'Admin', role: ADMIN, expiresAt: null, allowedIps: [], maker: null };
  if (organization.status === 'absent') {
    const created = createOrganization(organization, first);
    return [created, ...createApiKey(organizationDecider.evolve(organization, created), adminKey, now)];
  }
  const hash = hashOfApiKey(first.key.key);
  if (first.key.origin !== 'environment' || wasRevoked(organization, hash)) return [];
  if (organization.apiKeys.some((key) => key.hash === hash)) return [];
  const earlier = organization.apiKeys.filter((key) => key.origin === 'environment');
  return [...createApiKey(organization, adminKey, now), ...earlier.map((key) => apiKeyRevoked(organization.id, key))];
};
