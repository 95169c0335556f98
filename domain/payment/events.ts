import { Type, type Static } from '@sinclair/typebox';
import { InstantSchema, type EventDefinitions, type EventsOf } from '../event.ts';
import { InvoiceDetails } from '../organization/events.ts';
import { Plan } from '../organization/subscription-events.ts';
import { Seller } from './seller.ts';

const ids = { payment_id: Type.String(), organization_id: Type.String() };

/** The amount of a payment, and the plan that it pays for. */
export const PaymentFields = Type.Object({
  /** text for people */
  description: Type.String(),
  amount: Type.Object({
    /** in the smallest unit of the currency */
    amount: Type.Integer({ minimum: 1 }),
    /** ISO 4217 */
    currency: Type.String(),
  }),
  /** the version at the time of the order */
  plan: Plan,
  /** null if the plan's duration is not a number of months */
  period_months: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()]),
  /** the days that the payment covers */
  days: Type.Integer({ minimum: 1 }),
  /** name of the provider (commands/payments/provider.ts): `invoice` */
  method: Type.String(),
});
export type PaymentFields = Static<typeof PaymentFields>;

/** The paying organization at the time of the order; the details are sealed, as in the organization's stream. */
export const Customer = Type.Object({ name: Type.String(), invoice_details: InvoiceDetails });
export type Customer = Static<typeof Customer>;

/** The subscription that a payment renews, with its end date before. */
export const Renewal = Type.Object({ subscription_id: Type.String(), end_date: InstantSchema });
export type Renewal = Static<typeof Renewal>;

/** A payment of an organization for a plan, in `payment-{id}`. */
export const paymentEvents = {
  PaymentCreated: {
    version: 1,
    data: Type.Object({
      ...ids,
      created_at: InstantSchema,
      payment: PaymentFields,
      customer: Customer,
      /** null: ordered by a user */
      renewal: Type.Union([Renewal, Type.Null()]),
      /** number of the claim to be the organization's only pending payment for the plan (reservation/) */
      claim: Type.Integer(),
    }),
  },
  /** the stream is closed to an unused claim */
  PaymentAbandoned: { version: 1, data: Type.Object({ ...ids, claim: Type.Integer() }) },
  /** it has an invoice with a number (invoice-sequence/) */
  PaymentInvoiced: {
    version: 1,
    data: Type.Object({ ...ids, invoice_number: Type.String(), invoiced_at: InstantSchema, seller: Seller }),
  },
  /** it was paid */
  PaymentSucceeded: { version: 1, data: Type.Object({ ...ids, paid_at: InstantSchema }) },
  /** it will not be paid; its invoice, if any, is void and keeps its number */
  PaymentCanceled: { version: 1, data: Type.Object({ ...ids, canceled_at: InstantSchema }) },
} as const satisfies EventDefinitions;

export type PaymentEvent = EventsOf<typeof paymentEvents>;
