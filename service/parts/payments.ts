import type { CommandDependencies } from '../../commands/dependencies.ts';
import type { AnyProjection } from '../../projections/engine/fold/define.ts';
import type { Readers } from '../../projections/engine/readers.ts';
import { payments } from '../../projections/payments/projection.ts';
import { dueList, type TodoProjection } from '../../reactors/engine/lists.ts';
import type { Reactor } from '../../reactors/engine/loop.ts';
import { paymentBeginningsReactor } from '../../reactors/payments/beginnings.ts';
import { paidPlansReactor } from '../../reactors/payments/paid-plans.ts';
import { renewalsReactor } from '../../reactors/payments/renewals.ts';
import { subscriptionEndsReactor } from '../../reactors/payments/subscription-ends.ts';

export interface PaymentsOptions extends Pick<CommandDependencies, 'handle' | 'plans' | 'payments'> {
  readers: Pick<Readers, 'for'>;
  todo: (projection: AnyProjection) => TodoProjection;
}

/** What happens to payments and subscriptions by itself. */
export const paymentReactors = ({ handle, plans, payments: provider, readers, todo }: PaymentsOptions): Reactor[] => {
  const list = todo(payments);
  return [
    paymentBeginningsReactor({
      handle,
      payments: provider,
      todo: list,
      list: ({ appended }) => dueList(readers.for({ appended })(payments).payment_beginnings),
    }),
    paidPlansReactor({
      handle,
      todo: list,
      list: ({ appended }) => dueList(readers.for({ appended })(payments).paid_plans),
    }),
    subscriptionEndsReactor({
      handle,
      todo: list,
      list: ({ appended }) => dueList(readers.for({ appended })(payments).subscription_ends),
    }),
    renewalsReactor({
      handle,
      plans,
      payments: provider,
      todo: list,
      list: ({ appended }) => dueList(readers.for({ appended })(payments).renewals),
    }),
  ];
};
