/** Test data for payments: the seller, and the plans for sale. */
import type { EventData } from '../domain/event-types.ts';
import type { InvoiceDetails } from '../domain/organization/events.ts';
import { plansOf, SELF_HOSTED, NO_LIMITS } from '../domain/organization/plans.ts';
import type { Plan } from '../domain/organization/subscription-events.ts';
import type { Customer, PaymentFields } from '../domain/payment/events.ts';
import type { Seller } from '../domain/payment/seller.ts';

export const SELLER: Seller = {
  name: 'Uptrail Hosting',
  address: 'Main Street 1\n12345 Springfield',
  tax_id: 'DE123456789',
  email: 'billing@uptrail.example',
  payment_details: 'IBAN DE02 1203 0000 0000 2020 51\nBIC BYLADEM1001',
  note: 'The price includes 19 % value added tax.',
};

const planOf = (id: string, amount: number, changes: Partial<Plan> = {}): Plan => ({
  id,
  name: `${id.charAt(0).toUpperCase()}${id.slice(1)}`,
  description: null,
  price: { amount, currency: 'EUR' },
  duration: 30,
  limits: { ...NO_LIMITS, checks: 50 },
  ...changes,
});

export const FREE = planOf('free', 0);
/** 49.90 EUR for a month */
export const TEAM = planOf('team', 4_990);
/** 4,990 EUR for a month */
export const LARGE = planOf('large', 499_000);
/** 5,000 JPY for a year; the yen has no smaller unit */
export const YEN = planOf('yen', 5_000, { price: { amount: 5_000, currency: 'JPY' }, duration: 365 });
export const WEEK = planOf('week', 700, { duration: 7 });
export const GIFT = planOf('gift', 0);

export const PLANS = plansOf([FREE, TEAM, LARGE, YEN, WEEK, GIFT], 'free');
export const NO_PLANS = SELF_HOSTED;

export const NO_DETAILS: InvoiceDetails = { legal_name: null, tax_id: null, address: null, email: null };
export const CUSTOMER: Customer = { name: 'Acme', invoice_details: NO_DETAILS };

export const PAYMENT_ID = 'payment00001';

export const forTeam = (changes: Partial<PaymentFields> = {}): PaymentFields => ({
  description: 'Team, 30 days',
  amount: { amount: 4_990, currency: 'EUR' },
  plan: TEAM,
  period_months: 1,
  days: 30,
  method: 'invoice',
  ...changes,
});

export const ORDERED_AT = '2026-11-20T15:00:00.000000';

export const ordered = (
  changes: Partial<EventData['PaymentCreated']> = {},
): { type: 'PaymentCreated'; data: EventData['PaymentCreated'] } => ({
  type: 'PaymentCreated',
  data: {
    payment_id: PAYMENT_ID,
    organization_id: 'acme',
    created_at: ORDERED_AT,
    payment: forTeam(),
    customer: CUSTOMER,
    renewal: null,
    claim: 1,
    ...changes,
  },
});
