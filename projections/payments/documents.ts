import type { Cause } from '../../domain/delivery/events.ts';
import type { Plan } from '../../domain/organization/subscription-events.ts';
import type { Customer, PaymentFields, Renewal } from '../../domain/payment/events.ts';
import type { Seller } from '../../domain/payment/seller.ts';
import type { Instant } from '../../domain/time.ts';

export interface PaymentDocument extends PaymentFields {
  id: string;
  organization_id: string;
  status: 'pending' | 'succeeded' | 'canceled';
  /** the customer at the time of the order; details are encrypted under `organization-{id}` */
  customer: Customer;
  renewal: Renewal | null;
  /** null until it has a number */
  invoice: { number: string; invoiced_at: Instant; seller: Seller } | null;
  paid_at: Instant | null;
  canceled_at: Instant | null;
  created_at: Instant;
}

/** A task for a payment: to request it from the provider, or to start what it paid for. */
export interface PaymentTaskDocument {
  /** the payment's */
  id: string;
  organization_id: string;
  due_at: Instant;
  changed_position: number;
}

/** The state of an organization's subscription, from which tasks are derived. */
export interface SubscriptionStateDocument {
  /** the organization's */
  id: string;
  auto_renew: boolean;
  /** the subscription in effect; null: none */
  subscription: { id: string; plan: Plan; end_date: Instant } | null;
  /** whether a payment for the time after this end was ordered, or the renewal failed permanently */
  renewed: boolean;
  /** paid plans that have not started; one of them follows the subscription */
  following: readonly string[];
}

/** A subscription that is to be ended or renewed at a time. */
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

/** An e-mail about payments: an invoice, or that a subscription is not renewed. */
export interface PaymentNoticeDocument {
  /** the payment's, or derived from the end of the subscription */
  id: string;
  organization_id: string;
  cause: Cause;
  priority: 'account';
  /** it belongs to no series */
  series: null;
  caused_at: Instant;
  changed_position: number;
  /** null: it is about the payment with its id */
  not_renewed: { plan_name: string; end_date: Instant } | null;
}
