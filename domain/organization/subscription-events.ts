import { Type, type Static } from '@sinclair/typebox';
import { InstantSchema, type EventDefinitions } from '../event.ts';

const limit = Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]);

/** The limits of a plan. null means no limit. */
export const PlanLimits = Type.Object({
  /** maximum per UTC month */
  credits: limit,
  checks: limit,
  pages: limit,
  /** maximum including invited users */
  users: limit,
  /** minimum interval of checks, seconds */
  shortest_interval: limit,
});
export type PlanLimits = Static<typeof PlanLimits>;

/**
 * A plan as it was configured when the organization bought it. Later changes of the configuration do not affect the
 * bought plan.
 */
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
  /** number of days that the price covers */
  duration: Type.Integer({ minimum: 1 }),
  limits: PlanLimits,
});
export type Plan = Static<typeof Plan>;

const subscription = { organization_id: Type.String(), subscription_id: Type.String() };
const PaymentId = Type.Union([Type.String(), Type.Null()]);

/**
 * Events of an organization's subscriptions to plans, in the stream of the organization. At most one subscription is in
 * effect at a time.
 */
export const subscriptionEvents = {
  /** A subscription has started. It replaces the previous one, if any. */
  SubscriptionStarted: {
    version: 1,
    data: Type.Object({
      ...subscription,
      plan: Plan,
      start_date: InstantSchema,
      end_date: InstantSchema,
      /** id of the payment for this subscription; null: granted by the operator */
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
  /** The automatic renewal of the subscription failed, because its plan can no longer be bought. */
  SubscriptionNotRenewed: {
    version: 1,
    data: Type.Object({ ...subscription, plan_name: Type.String(), end_date: InstantSchema }),
  },
  /** The subscription has ended, and the default plan applies again. */
  SubscriptionEnded: {
    version: 1,
    data: Type.Object({ ...subscription, ended_at: InstantSchema }),
  },
} as const satisfies EventDefinitions;
