import { Type, type Static } from '@sinclair/typebox';
import type { CommandContext } from '../../../commands/context.ts';
import { PARKED } from '../../../domain/check/park.ts';
import { costOf } from '../../../domain/credits/charges.ts';
import { affords, CREDIT_LIMIT_EXCEEDED } from '../../../domain/credits/credits.ts';
import { periodOf } from '../../../domain/credits/period.ts';
import { creditsUsed } from '../../../projections/check-results/credit-days.ts';
import { checkResults } from '../../../projections/check-results/projection.ts';
import type { CheckDocument } from '../../../projections/checks/documents.ts';
import { organizations } from '../../../projections/organizations/projection.ts';
import type { Read } from '../../../projections/readers.ts';
import { InstantOut, nullable } from '../../schema.ts';

/** What an organization may use in a UTC month, and what its results have cost (decisions.md: Checks, Credits). */
export const CreditBalance = Type.Object({
  limit: nullable(Type.Integer({ description: 'null: no limit' })),
  used: Type.Integer(),
  period_start: InstantOut,
  period_end: Type.String({ ...InstantOut, description: 'the first instant of the next month' }),
});
export type CreditBalance = Static<typeof CreditBalance>;

interface Asking {
  context: Pick<CommandContext, 'organizationId' | 'now'>;
  read: Read;
}

/** The credits of the caller's organization. */
export const creditBalance = async (
  limit: number | null,
  { context: { organizationId, now }, read }: Asking,
): Promise<CreditBalance> => {
  const { start, end } = periodOf(now);
  const used = await creditsUsed(read(checkResults).credit_days, organizationId, now);
  return { limit, used, period_start: start, period_end: end };
};

/** Why the scheduled runs of checks have stopped; the organization is looked at once. */
export const suspensions = (asking: Asking): ((check: CheckDocument) => Promise<string | null>) => {
  const { context, read } = asking;
  let balance: Promise<CreditBalance | null> | null = null;
  const limited = async (): Promise<CreditBalance | null> => {
    const organization = await read(organizations).organizations.get(context.organizationId);
    const limit = organization?.credit_limit ?? null;
    return limit === null ? null : creditBalance(limit, asking);
  };
  return async (check) => {
    if (!check.active) return null;
    if (check.parked_at !== null) return PARKED;
    const credits = await (balance ??= limited());
    return !credits || affords(credits.limit, credits.used, costOf(check)) ? null : CREDIT_LIMIT_EXCEEDED;
  };
};
