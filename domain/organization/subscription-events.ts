import { Type, type Static } from '@sinclair/typebox';
import { InstantSchema, type EventDefinitions } from '../event.ts';

const limit = Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]);

/** What a plan allows; null: no limit. */
export const PlanLimits = Type.Object({
  /** in a UTC month */
  credits: limit,
  checks: limit,
  pages: limit,
  /** invited ones included */
  users: limit,
  /** shortest interval of checks, seconds */
  shortest_interval: limit,
});
export type PlanLimits = Static<typeof PlanLimits>;

/** A plan as it was when it was bought: what the configuration says later changes nothing about it. */
export const Plan = Type.Object({
  id: Type.String(),
  name: Type.String(),
  description: Type.Union([Type.String(), Type.Null()]),
  price: Type.Object({
    /** in the smallest unit of the currency, such as cents */
    amount: Type.Integer({ minimum: 0 }),
    /** ISO 4217 */
    currency: Type.String(),
  }),
  /** days that the price pays for */
  duration: Type.Integer({ minimum: 1 }),
  limits: PlanLimits,
});
export type Plan = Static<typeof Plan>;

const subscription = { organization_id: Type.String(), subscription_id: Type.String() };
const PaymentId = Type.Union([Type.String(), Type.Null()]);

/** Events of an organization's subscriptions to plans, in its stream; one at most is in effect at a time. */
export const subscriptionEvents = {
  /** it takes the place of the one that was in effect until then, if any */
  SubscriptionStarted: {
    version: 1,
    data: Type.Object({
      ...subscription,
      plan: Plan,
      start_date: InstantSchema,
      end_date: InstantSchema,
      /** what it was paid by; null: the operator gave it */
      payment_id: PaymentId,
    }),
  },
  SubscriptionExtended: {
    version: 1,
    data: Type.Object({
      ...subscription,
      end_date: InstantSchema,
      previous: Type.Object({ end_date: InstantSchema }),
      payment_id: PaymentId,
    }),
  },
  /** it was to be continued by itself, but its plan can't be bought any more */
  SubscriptionNotRenewed: {
    version: 1,
    data: Type.Object({ ...subscription, plan_name: Type.String(), end_date: InstantSchema }),
  },
  /** the organization is back on the default plan */
  SubscriptionEnded: {
    version: 1,
    data: Type.Object({ ...subscription, ended_at: InstantSchema }),
  },
} as const satisfies EventDefinitions;
