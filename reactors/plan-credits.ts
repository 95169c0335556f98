import { startOfDay } from '../domain/credits/period.ts';
import { instantOf } from '../domain/time.ts';
import { usage, type ChangedPlanDocument } from '../projections/usage/projection.ts';
import { reportLimit, createCreditsReader, type CreditLimitsDependencies } from './credit-limits.ts';
import { defineReactor } from './engine/define.ts';
import type { ItemResult } from './engine/item-result.ts';
import { changed } from './engine/list-declarations.ts';

/** Reports organizations whose usage of this month has reached the limit of their new plan. */
export const planCredits = defineReactor({
  name: 'plan-credits',
  does: 'reports organizations that have already used up the limit of their new plan',
  countsEarlier: true,
  list: changed(usage, 'changed_plans'),
  act: (item, context) => reportNewLimit({ ...context, used: createCreditsReader(context) })(item),
});

/** There may be no more results that would report it. A repetition reports nothing twice. */
export const reportNewLimit = (dependencies: CreditLimitsDependencies) => {
  const report = reportLimit(dependencies);
  return ({ id, changed_position }: ChangedPlanDocument): Promise<ItemResult> =>
    report({ id, organization_id: id, day: startOfDay(instantOf(dependencies.clock())), changed_position });
};
