import { startOfDay } from '../domain/credits/period.ts';
import { instantOf } from '../domain/time.ts';
import type { ChangedPlanDocument } from '../projections/usage/projection.ts';
import { tellLimit, type CreditLimitsDependencies } from './credit-limits.ts';
import { changeWork } from './engine/changes.ts';
import type { Ending } from './engine/ending.ts';
import type { ChangeList, TodoProjection } from './engine/lists.ts';
import type { Reactor } from './engine/loop.ts';

export const PLAN_CREDITS = 'plan-credits';

export interface PlanCreditsDependencies extends Omit<CreditLimitsDependencies, 'list' | 'todo'> {
  list: ChangeList<ChangedPlanDocument>;
  todo: TodoProjection;
}

/** Reports it when what an organization has used this month is as much as its new plan allows, or more. */
export const planCreditsReactor = ({ list, todo, ...dependencies }: PlanCreditsDependencies): Reactor => ({
  name: PLAN_CREDITS,
  countsEarlier: true,
  todo,
  work: changeWork(PLAN_CREDITS, todo, list, tellNewLimit(dependencies)),
});

/** Results may not come any more that would report it. Doing an item twice reports nothing twice. */
export const tellNewLimit = (dependencies: Omit<PlanCreditsDependencies, 'list' | 'todo'>) => {
  const tell = tellLimit(dependencies);
  return ({ id, changed_position }: ChangedPlanDocument): Promise<Ending> =>
    tell({ id, organization_id: id, day: startOfDay(instantOf(dependencies.clock())), changed_position });
};
