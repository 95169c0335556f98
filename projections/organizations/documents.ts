import type { InvoiceDetails } from '../../domain/organization/events.ts';
import type { Plan } from '../../domain/organization/subscription-events.ts';
import type { Sealed } from '../../domain/sealed.ts';
import type { Instant } from '../../domain/time.ts';

export interface OrganizationDocument {
  id: string;
  name: string;
  auto_renew: boolean;
  /** texts are encrypted under `organization-{id}` */
  invoice_details: InvoiceDetails;
  /** the subscription in effect; null: the default plan applies */
  subscription_id: string | null;
  /** its plan as it was bought, and when it ends; null without one */
  plan: Plan | null;
  subscribed_until: Instant | null;
  /** credits in a month, as set by the operator; null: those of the plan */
  credit_limit: number | null;
  created_at: Instant;
  updated_at: Instant;
}

/** A subscription of an organization, including past ones. */
export interface SubscriptionDocument {
  id: string;
  organization_id: string;
  plan: Plan;
  start_date: Instant;
  end_date: Instant;
  /** null while it is in effect */
  ended_at: Instant | null;
  created_at: Instant;
}

/** A user of an organization. */
export interface UserDocument {
  id: string;
  organization_id: string;
  /** encrypted under `user-{id}`, as are the names */
  email: Sealed;
  /** fingerprint of the normalized e-mail */
  email_key: string;
  email_verified: boolean;
  first_name: Sealed | null;
  last_name: Sealed | null;
  /** may be unknown to this release (domain/organization/roles.ts) */
  role: string;
  /** `disabled`: removed, but stored for the audit log */
  status: 'invited' | 'active' | 'disabled';
  has_second_factor: boolean;
  /** how often the user has signed in; 2 means two or more */
  sign_ins: 0 | 1 | 2;
  last_login: Instant | null;
  created_at: Instant;
  updated_at: Instant;
}

/** An API key that was not revoked; includes expired ones. */
export interface ApiKeyDocument {
  /** SHA-256 of the key, hexadecimal, so that authentication needs a single `get` */
  id: string;
  api_key_id: string;
  organization_id: string;
  name: string;
  prefix: string;
  /** may be unknown to this release (domain/organization/roles.ts) */
  role: string;
  /**
   * id of the user who created it, even through another key; null if it was created on the command line or at the first
   * start
   */
  created_by: string | null;
  /** id of the key that created it; null: none */
  created_by_key: string | null;
  /** addresses and CIDR ranges that may use it; empty: any */
  allowed_ips: readonly string[];
  created_at: Instant;
  /** the key is rejected from this time on; null: never */
  expires_at: Instant | null;
}
