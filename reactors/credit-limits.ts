import { creditPeriodOf } from '../domain/credits/period.ts';
import { derivedUuid } from '../domain/identity.ts';
import { reachCreditLimit } from '../domain/organization/credits.ts';
import { limitsOf } from '../domain/organization/limits.ts';
import { organizationDecider } from '../domain/organization/state.ts';
import { instantOf, type Instant } from '../domain/time.ts';
import { reactorContext } from '../commands/engine/context.ts';
import type { CommandDependencies } from '../commands/dependencies.ts';
import { checkResults } from '../projections/check-results/projection.ts';
import { readCreditsUsed } from '../queries/organizations/credits.ts';
import type { ReactorContext } from './context.ts';
import { defineReactor } from './engine/define.ts';
import { done, type ItemResult } from './engine/item-result.ts';
import type { ListItem } from './engine/lists.ts';
import { changed } from './engine/list-declarations.ts';

export const CREDIT_LIMITS = 'credit-limits';

/**
 * Minimum time between two reads of the list. Every result changes the list, and reports of a reached limit are not
 * urgent.
 */
const PAUSE_MS = 2_000;

/** An item of the list `credit_days`: an organization's usage of one day. */
export interface CreditDayItem extends ListItem {
  organization_id: string;
  /** first instant of the day, in UTC */
  day: Instant;
}

export interface CreditLimitsDependencies extends Pick<CommandDependencies, 'handle' | 'plans'> {
  /** Returns milliseconds since 1970. */
  clock: () => number;
  /** Returns the credits that an organization's results have used in the month that contains `at`. */
  used: (organizationId: string, at: Instant) => Promise<number>;
}

/**
 * Reports each organization whose results of a month have used up its credit limit. Results from before the reactor was
 * first active count too.
 */
export const creditLimits = defineReactor({
  name: CREDIT_LIMITS,
  does: 'reports organizations whose results of a month have used up their credit limit',
  countsEarlier: true,
  list: changed(checkResults, 'credit_days', { spacing: PAUSE_MS }),
  act: (item, context) => reportLimit({ ...context, used: createCreditsReader(context) })(item),
});

/** Returns a function that reads the used credits from the read model. */
export const createCreditsReader =
  ({ read }: Pick<ReactorContext, 'read'>): CreditLimitsDependencies['used'] =>
  (organizationId, at) =>
    readCreditsUsed({ read, organizationId, now: at });

/**
 * Reports a reached limit. A repetition reports nothing, because the state of the organization contains the first
 * report.
 */
export const reportLimit =
  ({ handle, plans, clock, used }: CreditLimitsDependencies) =>
  async ({ organization_id: organizationId, day, id, changed_position }: CreditDayItem): Promise<ItemResult> => {
    const now = instantOf(clock());
    const { start } = creditPeriodOf(day);
    // Usage of a past month no longer limits anything.
    if (start !== creditPeriodOf(now).start) return done();
    const organization = await handle.load(organizationId, organizationDecider, { organizationId });
    if (organization.status === 'absent' || limitsOf(organization, plans).limits.credits === null) return done();
    const usage = { period_start: start, used: await used(organizationId, day) };
    const commandId = derivedUuid(`${CREDIT_LIMITS}/${id}/${changed_position}`);
    const context = reactorContext(CREDIT_LIMITS, { organizationId, commandId, now });
    await handle(organizationId, organizationDecider, (known) => reachCreditLimit(known, usage, plans), context);
    return done();
  };
