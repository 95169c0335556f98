import { derivedUuid, reactorContext } from '../../commands/engine/context.ts';
import { startPaidPlan } from '../../commands/payments/subscriptions.ts';
import { millisecondsOf } from '../../domain/time.ts';
import { payments } from '../../projections/payments/projection.ts';
import { defineReactor } from '../engine/define.ts';
import { retryItemAt, done } from '../engine/item-result.ts';
import { due } from '../engine/list-declarations.ts';

export const PAID_PLANS = 'paid-plans';

const LONGEST_MS = 60_000;

/** Starts or extends the subscription that an organization has paid for. */
export const paidPlans = defineReactor({
  name: PAID_PLANS,
  does: 'starts or extends the subscriptions that organizations have paid for',
  countsEarlier: true,
  list: due(payments, 'paid_plans', { longest: LONGEST_MS }),
  act: async ({ id, organization_id: organizationId }, { handle, now, appended }) => {
    const commandId = derivedUuid(`${PAID_PLANS}/${id}`);
    const own = reactorContext(PAID_PLANS, { organizationId, commandId, now, appended });
    const waitsUntil = await startPaidPlan({ handle })(id, own);
    return waitsUntil === null ? done() : retryItemAt(millisecondsOf(waitsUntil) + 1);
  },
});
