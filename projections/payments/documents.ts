import type { Cause } from '../../domain/delivery/events.ts';
import type { Plan } from '../../domain/organization/subscription-events.ts';
import type { Customer, PaymentFields, Renewal } from '../../domain/payment/events.ts';
import type { Seller } from '../../domain/payment/seller.ts';
import type { Instant } from '../../domain/time.ts';

export interface PaymentDocument extends PaymentFields {
  id: string;
  organization_id: string;
  status: 'pending' | 'succeeded' | 'canceled';
  /** who pays, as it was when the payment was ordered; details are sealed under `organization-{id}` */
  customer: Customer;
  renewal: Renewal | null;
  /** null until it has a number */
  invoice: { number: string; invoiced_at: Instant; seller: Seller } | null;
  paid_at: Instant | null;
  canceled_at: Instant | null;
  created_at: Instant;
}

/** Something that is to be done about a payment: to ask for it, or to give what it paid for. */
export interface PaymentTaskDocument {
  /** the payment's */
  id: string;
  organization_id: string;
  due_at: Instant;
  changed_position: number;
}

/** What is known of an organization's subscription, to make tasks of. */
export interface StandingDocument {
  /** the organization's */
  id: string;
  auto_renew: boolean;
  /** the one in effect; null: none */
  subscription: { id: string; plan: Plan; end_date: Instant } | null;
  /** whether a payment was ordered to continue it beyond this end, or it was given up */
  renewed: boolean;
  /** payments of plans that are paid and have not started: one of them follows the subscription */
  following: readonly string[];
}

/** A subscription that is to be ended or continued at a time. */
export interface SubscriptionTaskDocument {
  /** the organization's */
  id: string;
  organization_id: string;
  subscription_id: string;
  plan: Plan;
  end_date: Instant;
  due_at: Instant;
  changed_position: number;
}

/** Something about payments that is told by e-mail: an invoice, or that a subscription is not continued. */
export interface PaymentNoticeDocument {
  /** the payment's, or derived from the end of the subscription */
  id: string;
  organization_id: string;
  cause: Cause;
  priority: 'account';
  /** it is alone */
  series: null;
  caused_at: Instant;
  changed_position: number;
  /** null: it is about the payment of its id */
  not_renewed: { plan_name: string; end_date: Instant } | null;
}
