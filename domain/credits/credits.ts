import { Forbidden } from '../errors.ts';

/** Why checks are suspended and runs on demand refused, when credits are used up (decisions.md: Checks, Credits). */
export const CREDIT_LIMIT_EXCEEDED = 'Credit limit exceeded';

/** 403: a run can't be paid. */
export class CreditLimitExceeded extends Forbidden {
  constructor() {
    super(CREDIT_LIMIT_EXCEEDED);
  }
}

/** Whether so many credits more can be paid. `limit`: null without one */
export const affords = (limit: number | null, used: number, credits: number): boolean =>
  limit === null || used + credits <= limit;

/** A run that is to begin, as far as it is to be paid. */
export interface RunToPay {
  run_id: string;
  organization_id: string;
  /** the first aliases of all its regions */
  regions: readonly string[];
  /** what each of them costs */
  each: number;
  /** milliseconds since 1970: a region that was not heard of until then has no result */
  until: number;
}

/** What organizations may still spend in the present month; what is under way counts as spent. */
export interface Credits {
  /** Whether an organization can pay so many credits now. */
  canPay: (organizationId: string, credits: number) => boolean;
  /**
   * Charges a run that is about to start, all of its regions or none; the same run again costs nothing more.
   *
   * @throws CreditLimitExceeded
   */
  charge: (run: RunToPay) => void;
  /** A run ended in a region, by its alias; what has no result costs nothing. */
  settle: (runId: string, region: string, outcome: 'stored' | 'none') => void;
}
