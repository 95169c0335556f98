import { Type, type Static } from '@sinclair/typebox';
import { InstantSchema, type EventDefinitions, type EventsOf } from '../event.ts';
import { InvoiceDetails } from '../organization/events.ts';
import { Plan } from '../organization/subscription-events.ts';
import { Seller } from './seller.ts';

const ids = { payment_id: Type.String(), organization_id: Type.String() };

/** What is paid, and what for. */
export const PaymentFields = Type.Object({
  /** a sentence for people */
  description: Type.String(),
  amount: Type.Object({
    /** in the smallest unit of the currency */
    amount: Type.Integer({ minimum: 1 }),
    /** ISO 4217 */
    currency: Type.String(),
  }),
  /** as it was when the payment was ordered */
  plan: Plan,
  /** null: the plan's duration is no number of months */
  period_months: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()]),
  /** how long the plan is paid for */
  days: Type.Integer({ minimum: 1 }),
  /** name of the provider (commands/payments/provider.ts): `invoice` */
  method: Type.String(),
});
export type PaymentFields = Static<typeof PaymentFields>;

/** Who pays, as it was when the payment was ordered; the details are sealed as those of the organization are. */
export const Customer = Type.Object({ name: Type.String(), invoice_details: InvoiceDetails });
export type Customer = Static<typeof Customer>;

/** The subscription that a payment continues, with the end that it had. */
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
      /** null: somebody asked for it */
      renewal: Type.Union([Renewal, Type.Null()]),
      /** number of the claim on being the organization's one pending payment for the plan (reservation/) */
      claim: Type.Integer(),
    }),
  },
  /** the stream is closed to a claim whose payment never came */
  PaymentAbandoned: { version: 1, data: Type.Object({ ...ids, claim: Type.Integer() }) },
  /** it has a number (invoice-sequence/), so there is an invoice */
  PaymentInvoiced: {
    version: 1,
    data: Type.Object({ ...ids, invoice_number: Type.String(), invoiced_at: InstantSchema, seller: Seller }),
  },
  /** it was paid */
  PaymentSucceeded: { version: 1, data: Type.Object({ ...ids, paid_at: InstantSchema }) },
  /** nobody will pay it; its invoice, if any, is void and keeps its number */
  PaymentCanceled: { version: 1, data: Type.Object({ ...ids, canceled_at: InstantSchema }) },
} as const satisfies EventDefinitions;

export type PaymentEvent = EventsOf<typeof paymentEvents>;
