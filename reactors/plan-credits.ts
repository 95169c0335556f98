import { startOfDay } from '../domain/credits/period.ts';
import { instantOf } from '../domain/time.ts';
import { usage, type ChangedPlanDocument } from '../projections/usage/projection.ts';
import { reportLimit, createCreditsReader, type CreditLimitsDependencies } from './credit-limits.ts';
import { defineReactor } from './engine/define.ts';
import type { ItemResult } from './engine/item-result.ts';
import { changed } from './engine/list-declarations.ts';

/** Reports each organization whose usage of this month has already reached the limit of its new plan. */
export const planCredits = defineReactor({
  name: 'plan-credits',
  does: 'reports organizations that have already used up the limit of their new plan',
  countsEarlier: true,
  list: changed(usage, 'changed_plans'),
  act: (item, context) => reportNewLimit({ ...context, used: createCreditsReader(context) })(item),
});

/**
 * Reports a limit that is already reached after a change of plan. The reactor `creditLimits` acts only on new results,
 * and there might be no new results. A repetition reports nothing.
 */
export const reportNewLimit = (dependencies: CreditLimitsDependencies) => {
  const report = reportLimit(dependencies);
  return ({ id, changed_position }: ChangedPlanDocument): Promise<ItemResult> =>
    report({ id, organization_id: id, day: startOfDay(instantOf(dependencies.clock())), changed_position });
};
