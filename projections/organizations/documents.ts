import type { InvoiceDetails } from '../../domain/organization/events.ts';
import type { Plan } from '../../domain/organization/subscription-events.ts';
import type { Sealed } from '../../domain/sealed.ts';
import type { Instant } from '../../domain/time.ts';

export interface OrganizationDocument {
  id: string;
  name: string;
  auto_renew: boolean;
  /** Invoice details. Their texts are encrypted under `organization-{id}`. */
  invoice_details: InvoiceDetails;
  /** Id of the subscription in effect. Null if the default plan applies. */
  subscription_id: string | null;
  /** Plan of the subscription as it was bought, and end of the subscription. Null without a subscription. */
  plan: Plan | null;
  subscribed_until: Instant | null;
  /** Credits per month that the operator has set. Null if those of the plan apply. */
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
  /** Null while the subscription is in effect. */
  ended_at: Instant | null;
  created_at: Instant;
}

/** A user of an organization. */
export interface UserDocument {
  id: string;
  organization_id: string;
  /** Encrypted under `user-{id}`. The names are encrypted under the same key. */
  email: Sealed;
  /** fingerprint of the normalized e-mail */
  email_key: string;
  email_verified: boolean;
  first_name: Sealed | null;
  last_name: Sealed | null;
  /** Might be a role that this release does not know (domain/organization/roles.ts). */
  role: string;
  /** `disabled` if the user was removed. The document remains for the audit log. */
  status: 'invited' | 'active' | 'disabled';
  has_second_factor: boolean;
  /** Number of sign-ins. 2 means two or more. */
  sign_ins: 0 | 1 | 2;
  last_login: Instant | null;
  created_at: Instant;
  updated_at: Instant;
}

/** An API key that was not revoked. It might be expired. */
export interface ApiKeyDocument {
  /** SHA-256 of the key in hexadecimal, so that authentication needs a single `get`. */
  id: string;
  api_key_id: string;
  organization_id: string;
  name: string;
  prefix: string;
  /** Might be a role that this release does not know (domain/organization/roles.ts). */
  role: string;
  /**
   * Id of the user who created the key, possibly with another key. Null if the key was created on the command line or
   * at the first start.
   */
  created_by: string | null;
  /** Id of the key that created this key. Null if no key did. */
  created_by_key: string | null;
  /** Addresses and CIDR ranges that are allowed to use the key. Empty if all addresses are allowed. */
  allowed_ips: readonly string[];
  created_at: Instant;
  /** Time from which the key is refused. Null if the key does not expire. */
  expires_at: Instant | null;
}
