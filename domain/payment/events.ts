import { Type, type Static } from '@sinclair/typebox';
import { InstantSchema, type EventDefinitions, type EventsOf } from '../event.ts';
import { InvoiceDetails } from '../organization/events.ts';
import { Plan } from '../organization/subscription-events.ts';
import { Seller } from './seller.ts';

const ids = { payment_id: Type.String(), organization_id: Type.String() };

/** The fields of a payment: its amount, and the plan that it pays for. */
export const PaymentFields = Type.Object({
  /** what is paid for, as a text for people */
  description: Type.String(),
  amount: Type.Object({
    /** in the smallest unit of the currency */
    amount: Type.Integer({ minimum: 1 }),
    /** ISO 4217 */
    currency: Type.String(),
  }),
  /** the version of the plan at the time of the order */
  plan: Plan,
  /** number of months that the payment covers; null if the duration of the plan is not a number of months */
  period_months: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()]),
  /** number of days that the payment covers */
  days: Type.Integer({ minimum: 1 }),
  /** name of the payment provider, such as `invoice` (commands/payments/provider.ts) */
  method: Type.String(),
});
export type PaymentFields = Static<typeof PaymentFields>;

/**
 * The paying organization at the time of the order. Its invoice details are sealed, as in the organization's stream.
 */
export const Customer = Type.Object({ name: Type.String(), invoice_details: InvoiceDetails });
export type Customer = Static<typeof Customer>;

/** The subscription that a payment renews. `end_date` is the end of the subscription before the renewal. */
export const Renewal = Type.Object({ subscription_id: Type.String(), end_date: InstantSchema });
export type Renewal = Static<typeof Renewal>;

/** Events of a payment of an organization for a plan, in `payment-{id}`. */
export const paymentEvents = {
  PaymentCreated: {
    version: 1,
    data: Type.Object({
      ...ids,
      created_at: InstantSchema,
      payment: PaymentFields,
      customer: Customer,
      /** the renewal that ordered the payment automatically; null if a user ordered the payment */
      renewal: Type.Union([Renewal, Type.Null()]),
      /** number of the payment's claim. Only one payment per organization and plan can be pending (reservation/). */
      claim: Type.Integer(),
    }),
  },
  /** The payment will never be created: its claim was unused, and another claimant closed it. */
  PaymentAbandoned: { version: 1, data: Type.Object({ ...ids, claim: Type.Integer() }) },
  /** The payment has an invoice with a number (invoice-sequence/). */
  PaymentInvoiced: {
    version: 1,
    data: Type.Object({ ...ids, invoice_number: Type.String(), invoiced_at: InstantSchema, seller: Seller }),
  },
  /** The organization has paid. */
  PaymentSucceeded: { version: 1, data: Type.Object({ ...ids, paid_at: InstantSchema }) },
  /** The payment will not be paid. If it has an invoice, the invoice is void and keeps its number. */
  PaymentCanceled: { version: 1, data: Type.Object({ ...ids, canceled_at: InstantSchema }) },
} as const satisfies EventDefinitions;

export type PaymentEvent = EventsOf<typeof paymentEvents>;
