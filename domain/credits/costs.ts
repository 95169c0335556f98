import type { CheckTypeName } from '../check/events.ts';
import { regionCountOf } from '../check/multi-region.ts';
import { CHECK_TYPES, checkTypeOf } from '../check/types/index.ts';

/** Returns the credits that a run of a type costs in each region (docs/reference/credits.md#cost-of-a-run). */
export const creditsOf = (type: CheckTypeName): number => checkTypeOf(type).credits;

/** The cost of the cheapest run. */
export const MIN_CREDITS = Math.min(...CHECK_TYPES.map(({ credits }) => credits));

/** Returns the credits that a run of a definition costs in all of its regions. */
export const costOf = ({ type, parameters }: { type: CheckTypeName; parameters: Record<string, unknown> }): number =>
  creditsOf(type) * regionCountOf(parameters);
