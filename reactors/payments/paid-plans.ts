import { derivedUuid, reactorContext } from '../../commands/engine/context.ts';
import type { CommandDependencies } from '../../commands/dependencies.ts';
import type { Noted } from '../../commands/engine/appended.ts';
import { startPaidPlan } from '../../commands/payments/subscriptions.ts';
import { millisecondsOf } from '../../domain/time.ts';
import type { PaymentTaskDocument } from '../../projections/payments/documents.ts';
import { dueWork, type DueContext } from '../engine/due.ts';
import { againAt, done, type Ending } from '../engine/ending.ts';
import type { DueList, TodoProjection } from '../engine/lists.ts';
import type { Reactor } from '../engine/loop.ts';

export const PAID_PLANS = 'paid-plans';

const LONGEST_MS = 60_000;

export interface PaidPlansDependencies extends Pick<CommandDependencies, 'handle'> {
  todo: TodoProjection;
  list: (context: { appended: Noted }) => DueList<PaymentTaskDocument>;
}

/** Gives organizations what they have paid for: a subscription starts, or goes on for longer. */
export const paidPlansReactor = ({ todo, list, handle }: PaidPlansDependencies): Reactor => ({
  name: PAID_PLANS,
  countsEarlier: true,
  todo,
  work: dueWork(PAID_PLANS, todo, list, start({ handle }), { longest: LONGEST_MS }),
});

const start =
  ({ handle }: Pick<CommandDependencies, 'handle'>) =>
  async ({ id, organization_id: organizationId }: PaymentTaskDocument, context: DueContext): Promise<Ending> => {
    const { now, appended } = context;
    const commandId = derivedUuid(`${PAID_PLANS}/${id}`);
    const own = reactorContext(PAID_PLANS, { organizationId, commandId, now, appended });
    const waitsUntil = await startPaidPlan({ handle })(id, own);
    return waitsUntil === null ? done() : againAt(millisecondsOf(waitsUntil) + 1);
  };
