import { startOfDay } from '../../domain/credits/period.ts';
import type { Instant } from '../../domain/time.ts';

/**
 * What the results of an organization that were recorded within one UTC day cost. By day rather than by month, since
 * whole days leave the log.
 */
export interface CreditDayDocument {
  id: string;
  organization_id: string;
  /** its first instant */
  day: Instant;
  used: number;
  /**
   * Position of the event that was counted last. A reactor must look at what is after the position that it has
   * handled (reactors/credit-limits.ts).
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
