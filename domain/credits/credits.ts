import { Forbidden } from '../errors.ts';

/**
 * The error message of suspended checks and of refused on-demand runs if the credits are used up
 * (docs/reference/credits.md#credit-limit).
 */
export const CREDIT_LIMIT_EXCEEDED = 'Credit limit exceeded';

/** 403: not enough credits for a run. */
export class CreditLimitExceeded extends Forbidden {
  constructor() {
    super(CREDIT_LIMIT_EXCEEDED);
  }
}

/** Whether an organization that has used `used` credits can spend `credits` more. @param limit null: unlimited */
export const canAfford = (limit: number | null, used: number, credits: number): boolean =>
  limit === null || used + credits <= limit;

/** The fields of a run that are needed to charge the run. */
export interface ChargedRun {
  run_id: string;
  organization_id: string;
  /** the first alias of each region */
  regions: readonly string[];
  /** credits in each region */
  each: number;
  /** the deadline for results, milliseconds since 1970 */
  until: number;
}

/** The remaining credits of organizations in the current month. Runs in progress count as spent. */
export interface Credits {
  /** Whether an organization can spend `credits` now. */
  canPay: (organizationId: string, credits: number) => boolean;
  /**
   * Charges a run that is about to start. Either all of its regions are charged, or none. A repeated call for the same
   * run charges nothing.
   *
   * @throws CreditLimitExceeded
   */
  charge: (run: ChargedRun) => void;
  /**
   * Settles the charge of a run in one region. If the outcome is `none`, the credits are refunded.
   *
   * @param region an alias of the region
   */
  settle: (runId: string, region: string, outcome: 'stored' | 'none') => void;
}
