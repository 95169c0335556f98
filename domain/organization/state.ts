import { unreachable, type Decider } from '../decider.ts';
import { lifecycleOf } from '../existence.ts';
import type { Instant } from '../time.ts';
import type { InvoiceDetails, OrganizationEvent } from './events.ts';
import type { Plan } from './subscription-events.ts';
import { evolveUser, type User } from './user.ts';

export interface ApiKey {
  id: string;
  hash: string;
  /** the role in the event that created the key; possibly unknown to this release (roles.ts) */
  role: string;
  expiresAt: Instant | null;
  origin: 'environment' | 'first_start' | 'request';
  /** the user who created the key; null: no user. When the user is removed, the key is revoked. */
  createdBy: string | null;
  createdByKey: string | null;
  /** addresses and CIDR ranges that may use the key; empty: no restriction */
  allowedIps: readonly string[];
}

/**
 * A linked list of revoked keys, newest first. There may be very many revoked keys, and adding a key to a linked list
 * takes constant time.
 */
export interface RevokedKeys {
  hash: string;
  before: RevokedKeys | null;
}

/** A subscription. It is in effect until an event records its end. */
export interface Subscription {
  id: string;
  plan: Plan;
  startDate: Instant;
  endDate: Instant;
}

export interface ActiveOrganization {
  status: 'active';
  id: string;
  name: string;
  autoRenew: boolean;
  invoiceDetails: InvoiceDetails;
  /** without revoked keys, but including expired ones */
  apiKeys: readonly ApiKey[];
  /** stored so that a revoked key cannot be added again */
  revokedKeys: RevokedKeys | null;
  /** including removed users, because their keys and claims are still needed */
  users: readonly User[];
  /** null: the default plan applies */
  subscription: Subscription | null;
  /** how many times a subscription has started or ended */
  planChanges: number;
  /** the monthly credit limit that the operator set; null: the limit of the plan applies */
  creditLimit: number | null;
  /**
   * the first instant of the most recent month in which the current limit was reached; null if the limit was not
   * reached
   */
  reachedIn: Instant | null;
}

export type Organization = { status: 'absent' } | ActiveOrganization;

export const { existing, requireAbsent, onExisting } = lifecycleOf<Organization>('organization');

/** The invoice details of an organization that has not entered any. */
export const NO_INVOICE_DETAILS: InvoiceDetails = { legal_name: null, tax_id: null, address: null, email: null };

const evolve = (organization: Organization, event: OrganizationEvent): Organization => {
  switch (event.type) {
    case 'OrganizationCreated':
      return {
        status: 'active',
        id: event.data.organization_id,
        name: event.data.name,
        autoRenew: false,
        invoiceDetails: NO_INVOICE_DETAILS,
        apiKeys: [],
        revokedKeys: null,
        users: [],
        subscription: null,
        planChanges: 0,
        creditLimit: null,
        reachedIn: null,
      };
    case 'OrganizationUpdated':
      return onExisting(organization, (active) => {
        const { name, auto_renew, invoice_details } = event.data.changes;
        return {
          ...active,
          name: name ?? active.name,
          autoRenew: auto_renew ?? active.autoRenew,
          invoiceDetails: invoice_details ?? active.invoiceDetails,
        };
      });
    case 'ApiKeyCreated': {
      const { api_key_id: id, hash, role, expires_at: expiresAt, origin } = event.data;
      const { created_by: createdBy, created_by_key: createdByKey, allowed_ips: allowedIps } = event.data;
      const made = { id, hash, role, expiresAt, origin, createdBy, createdByKey, allowedIps };
      return onExisting(organization, (active) => ({ ...active, apiKeys: [...active.apiKeys, made] }));
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
      return onExisting(organization, (active) => ({
        ...active,
        apiKeys: active.apiKeys.filter(({ id }) => id !== event.data.api_key_id),
        revokedKeys: { hash: event.data.hash, before: active.revokedKeys },
      }));
    case 'SubscriptionStarted': {
      const { subscription_id: id, plan, start_date: startDate, end_date: endDate } = event.data;
      return withSubscription(organization, { id, plan, startDate, endDate });
    }
    case 'SubscriptionExtended':
      return onExisting(organization, (active) => ({
        ...active,
        subscription: active.subscription && { ...active.subscription, endDate: event.data.end_date },
      }));
    case 'SubscriptionEnded':
      return withSubscription(organization, null);
    case 'SubscriptionNotRenewed':
      return organization;
    case 'UserInvited':
    case 'UserInvitationAbandoned':
    case 'InvitationResent':
    case 'UserJoined':
    case 'UserProfileChanged':
    case 'UserRoleChanged':
    case 'UserPasswordChanged':
    case 'PasswordResetRequested':
    case 'SecondFactorEnabled':
    case 'RecoveryCodeUsed':
    case 'SecondFactorDisabled':
    case 'UserRemoved':
    case 'UserForgotten':
      return onExisting(organization, (active) => ({ ...active, users: evolveUser(active.users, event) }));
    default:
      return unreachable(event);
  }
};

/**
 * Sets the subscription. `reachedIn` is cleared, because the limit of the new plan can be reached in the same month
 * too.
 */
const withSubscription = (organization: Organization, subscription: Subscription | null): Organization =>
  onExisting(organization, (active) => ({
    ...active,
    subscription,
    planChanges: active.planChanges + 1,
    reachedIn: null,
  }));

export const organizationDecider: Decider<Organization, OrganizationEvent> = {
  category: 'organization',
  initialState: { status: 'absent' },
  evolve,
};
