import type { Cause } from '../../domain/delivery/events.ts';
import type { Plan } from '../../domain/organization/subscription-events.ts';
import type { Customer, PaymentFields, Renewal } from '../../domain/payment/events.ts';
import type { Seller } from '../../domain/payment/seller.ts';
import type { Instant } from '../../domain/time.ts';

export interface PaymentDocument extends PaymentFields {
  id: string;
  organization_id: string;
  status: 'pending' | 'succeeded' | 'canceled';
  /** The customer at the time of the order. The details are encrypted under `organization-{id}`. */
  customer: Customer;
  renewal: Renewal | null;
  /** Null until the invoice has a number. */
  invoice: { number: string; invoiced_at: Instant; seller: Seller } | null;
  paid_at: Instant | null;
  canceled_at: Instant | null;
  created_at: Instant;
}

/** A task for a payment: to request the money from the provider, or to start the subscription that was paid. */
export interface PaymentTaskDocument {
  /** Id of the payment. */
  id: string;
  organization_id: string;
  due_at: Instant;
  changed_position: number;
}

/** The state of an organization's subscription, from which tasks are derived. */
export interface SubscriptionStateDocument {
  /** Id of the organization. */
  id: string;
  auto_renew: boolean;
  /** The subscription in effect. Null if there is none. */
  subscription: { id: string; plan: Plan; end_date: Instant } | null;
  /** Whether a payment for the time after `end_date` was ordered, or the renewal has failed permanently. */
  renewed: boolean;
  /** Paid plans that have not started. The next of them starts when the subscription ends. */
  following: readonly string[];
}

/** A subscription that is to be ended or renewed at a time. */
export interface SubscriptionTaskDocument {
  /** Id of the organization. */
  id: string;
  organization_id: string;
  subscription_id: string;
  plan: Plan;
  end_date: Instant;
  due_at: Instant;
  changed_position: number;
}

/** An e-mail about payments: an invoice, or a notice that a subscription is not renewed. */
export interface PaymentNoticeDocument {
  /** Id of the payment, or an id derived from the end of the subscription. */
  id: string;
  organization_id: string;
  cause: Cause;
  priority: 'account';
  /** The message belongs to no series. */
  series: null;
  caused_at: Instant;
  changed_position: number;
  /** Null if the notice is about the payment with the same id. */
  not_renewed: { plan_name: string; end_date: Instant } | null;
}
