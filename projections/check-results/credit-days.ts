import { startOfDay } from '../../domain/credits/period.ts';
import type { Instant } from '../../domain/time.ts';

/**
 * The credits used by an organization's results recorded within one UTC day. Per day instead of per month, because the
 * retention removes whole days.
 */
export interface CreditDayDocument {
  id: string;
  organization_id: string;
  /** its first instant */
  day: Instant;
  used: number;
  /** position of the last counted event; a reactor handles what is after its checkpoint (reactors/credit-limits.ts) */
  changed_position: number;
}

export const creditDayId = (organizationId: string, instant: Instant): string =>
  `${organizationId} ${instant.slice(0, 10)}`;

/** The fields of a result that determine its cost. */
export interface ChargedResult {
  organization_id: string;
  credits: number;
  recorded_at: Instant;
  position: bigint;
}

/** The day of an organization after one more result. */
export const withCharge = (
  known: CreditDayDocument | undefined,
  { organization_id, credits, recorded_at, position }: ChargedResult,
): CreditDayDocument => ({
  id: creditDayId(organization_id, recorded_at),
  organization_id,
  day: startOfDay(recorded_at),
  used: (known?.used ?? 0) + credits,
  changed_position: Number(position),
});
