import { unreachable, type Decider } from '../decider.ts';
import { lifecycleOf } from '../lifecycle.ts';
import type { Instant } from '../time.ts';
import type { OrganizationEvent } from './events.ts';

export interface ApiKey {
  id: string;
  hash: string;
  /** as its event says, known to this release or not (roles.ts) */
  role: string;
  expiresAt: Instant | null;
  origin: 'environment' | 'first_start' | 'request';
  /** revoked keys are remembered, so none comes back */
  revoked: boolean;
}

export type Organization =
  | { status: 'absent' }
  | {
      status: 'active';
      id: string;
      apiKeys: readonly ApiKey[];
      /** credits in a month; null: no limit */
      creditLimit: number | null;
      /** first instant of the last month in which this limit was reached */
      reachedIn: Instant | null;
    };

export const { existing, requireAbsent, onExisting } = lifecycleOf<Organization>('organization');

const evolve = (organization: Organization, event: OrganizationEvent): Organization => {
  switch (event.type) {
    case 'OrganizationCreated':
      return { status: 'active', id: event.data.organization_id, apiKeys: [], creditLimit: null, reachedIn: null };
    case 'ApiKeyCreated': {
      const { api_key_id: id, hash, role, expires_at: expiresAt, origin } = event.data;
      return withKeys(organization, (keys) => [...keys, { id, hash, role, expiresAt, origin, revoked: false }]);
    }
    case 'OrganizationCreditLimitChanged':
      return onExisting(organization, (active) => ({
        ...active,
        creditLimit: event.data.changes.credit_limit,
        reachedIn: null,
      }));
    case 'CreditLimitReached':
      return onExisting(organization, (active) => ({ ...active, reachedIn: event.data.period_start }));
    case 'ApiKeyRevoked':
      return withKeys(organization, (keys) =>
        keys.map((key) => (key.id === event.data.api_key_id ? { ...key, revoked: true } : key)),
      );
    default:
      return unreachable(event);
  }
};

const withKeys = (organization: Organization, change: (keys: readonly ApiKey[]) => readonly ApiKey[]): Organization =>
  onExisting(organization, (active) => ({ ...active, apiKeys: change(active.apiKeys) }));

export const organizationDecider: Decider<Organization, OrganizationEvent> = {
  category: 'organization',
  initialState: { status: 'absent' },
  evolve,
};
