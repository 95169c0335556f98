import { subscribe, waitsUntil } from '../domain/organization/subscriptions.ts';
import { SELF_HOSTED } from '../domain/organization/plans.ts';
import { organizationDecider } from '../domain/organization/state.ts';
import { MAX_PAID_DAYS } from '../domain/payment/terms.ts';
import type { Config } from '../service/config/config.ts';
import { commandLineContext } from '../service/command-line.ts';
import { OperatorError } from '../service/operator-error.ts';
import type { Output } from '../service/output.ts';
import { withCommands } from '../service/stores.ts';

/** `uptrail organization subscribe`: gives an organization a plan without a payment. */
export const runSubscribe = async (
  config: Config,
  { id, plan: planId, days }: { id: string; plan: string; days?: number },
  output: Output,
): Promise<void> => {
  const plans = config.plans ?? SELF_HOSTED;
  const plan = plans.byId.get(planId);
  if (!plan) {
    throw new OperatorError(`The plan "${planId}" does not exist. Use one of ${[...plans.byId.keys()].join(', ')}.`);
  }
  if (days !== undefined && days > MAX_PAID_DAYS) throw new OperatorError(`--days must be at most ${MAX_PAID_DAYS}.`);
  const bought = { plan, days: days ?? plan.duration, paymentId: null };
  const context = commandLineContext(id);
  const subscriptionId = context.newId();
  const organization = await withCommands(config, async ({ handle }) => {
    const { state, events } = await handle(
      id,
      organizationDecider,
      (before) => subscribe(before, subscriptionId, bought, context.now),
      context,
    );
    if (events.length > 0) return state;
    const until = waitsUntil(state, plan, context.now);
    throw new OperatorError(
      `The remaining value of its present plan is too high to switch to this one now. This plan can begin on ${until?.slice(0, 10) ?? ''}.`,
    );
  });
  const end = organization.status === 'active' ? organization.subscription?.endDate : undefined;
  await output.line(`The organization ${id} has the plan "${plan.name}" until ${end?.slice(0, 19) ?? ''} UTC.`);
};
