import { startOfDay } from '../domain/credits/period.ts';
import { instantOf } from '../domain/time.ts';
import { usage, type ChangedPlanDocument } from '../projections/usage/projection.ts';
import { tellLimit, usedIn, type CreditLimitsDependencies } from './credit-limits.ts';
import { defineReactor } from './engine/define.ts';
import type { Ending } from './engine/ending.ts';
import { changed } from './engine/on-lists.ts';

/** Reports it when what an organization has used this month is as much as its new plan allows, or more. */
export const planCredits = defineReactor({
  name: 'plan-credits',
  does: 'reports that an organization has used up the limit of its new plan already',
  countsEarlier: true,
  list: changed(usage, 'changed_plans'),
  act: (item, context) => tellNewLimit({ ...context, used: usedIn(context) })(item),
});

/** Results may not come any more that would report it. Doing an item twice reports nothing twice. */
export const tellNewLimit = (dependencies: CreditLimitsDependencies) => {
  const tell = tellLimit(dependencies);
  return ({ id, changed_position }: ChangedPlanDocument): Promise<Ending> =>
    tell({ id, organization_id: id, day: startOfDay(instantOf(dependencies.clock())), changed_position });
};
