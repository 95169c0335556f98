import { Forbidden } from '../errors.ts';

/** The error when the credits are used up: checks are suspended, on-demand runs refused (docs/reference/credits.md#credit-limit). */
export const CREDIT_LIMIT_EXCEEDED = 'Credit limit exceeded';

/** 403: not enough credits for a run. */
export class CreditLimitExceeded extends Forbidden {
  constructor() {
    super(CREDIT_LIMIT_EXCEEDED);
  }
}

/** Whether `credits` more can be spent. @param limit null: unlimited */
export const canAfford = (limit: number | null, used: number, credits: number): boolean =>
  limit === null || used + credits <= limit;

/** The fields of a run that are needed to charge it. */
export interface ChargedRun {
  run_id: string;
  organization_id: string;
  /** the first aliases of all its regions */
  regions: readonly string[];
  /** the cost in each region */
  each: number;
  /** the deadline for results, milliseconds since 1970 */
  until: number;
}

/** The remaining credits of organizations in the current month. Running checks count as spent. */
export interface Credits {
  /** Whether an organization can spend `credits` now. */
  canPay: (organizationId: string, credits: number) => boolean;
  /**
   * Charges a run that is about to start, for all of its regions or none. Repetitions are not charged again.
   *
   * @throws CreditLimitExceeded
   */
  charge: (run: ChargedRun) => void;
  /** Settles the charge of a run in a region, given by its alias. Without a result the charge is refunded. */
  settle: (runId: string, region: string, outcome: 'stored' | 'none') => void;
}
