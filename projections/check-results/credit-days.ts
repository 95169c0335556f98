import { startOfDay } from '../../domain/credits/period.ts';
import type { Instant } from '../../domain/time.ts';

/**
 * The credits used by the results that an organization recorded on one UTC day. The unit is a day and not a month,
 * because the retention removes whole days.
 */
export interface CreditDayDocument {
  id: string;
  organization_id: string;
  /** First instant of the day. */
  day: Instant;
  used: number;
  /**
   * Position of the newest counted event. A reactor finds changed documents by this position
   * (reactors/credit-limits.ts).
   */
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

/** Adds the cost of a result to the day of an organization. */
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
