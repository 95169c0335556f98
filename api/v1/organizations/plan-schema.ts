import { Type, type Static } from '@sinclair/typebox';
import { shownMoney } from '../../../domain/money.ts';
import type { Plan as BoughtPlan } from '../../../domain/organization/subscription-events.ts';
import type { SubscriptionDocument } from '../../../projections/organizations/documents.ts';
import { createPresenter } from '../../presenter.ts';
import { Id, InstantOut, namedSchema, nullable } from '../../schema.ts';

/** Money in responses: a decimal string with all minor digits of its currency (ISO 4217). */
export const Money = Type.Object({ value: Type.String({ examples: ['4990.00'] }), currency: Type.String() });

/** See docs/reference/plans.md#plan-fields. */
export const Plan = namedSchema(
  'Plan',
  Type.Object({
    id: Type.String({ examples: ['team'] }),
    name: Type.String(),
    description: nullable(Type.String()),
    price: Money,
    duration: Type.Integer({ description: 'In days.' }),
    limits: Type.Object({
      credits: nullable(Type.Integer()),
      checks: nullable(Type.Integer()),
      pages: nullable(Type.Integer()),
      users: nullable(Type.Integer()),
      shortest_interval: nullable(Type.Integer({ description: 'In seconds.' })),
    }),
  }),
);
export type Plan = Static<typeof Plan>;

const pickPlan = createPresenter(Plan, ['price']);

export const presentPlan = (plan: BoughtPlan): Plan => pickPlan(plan, { price: shownMoney(plan.price) });

export const Subscription = namedSchema(
  'Subscription',
  Type.Object({ id: Id, plan: Plan, start_date: InstantOut, end_date: InstantOut, created_at: InstantOut }),
);
export type Subscription = Static<typeof Subscription>;

const pickSubscription = createPresenter(Subscription, ['plan', 'end_date']);

/**
 * Converts a subscription to its form in responses. If the subscription was replaced early, `end_date` is the time of
 * the replacement.
 */
export const presentSubscription = (subscription: SubscriptionDocument): Subscription =>
  pickSubscription(subscription, {
    plan: presentPlan(subscription.plan),
    end_date: subscription.ended_at ?? subscription.end_date,
  });
