import { Forbidden } from '../errors.ts';

/** Why checks are suspended and runs on demand refused, when credits are used up (decisions.md: Checks, Credits). */
export const CREDIT_LIMIT_EXCEEDED = 'Credit limit exceeded';

/** 403: there are not enough credits for a run. */
export class CreditLimitExceeded extends Forbidden {
  constructor() {
    super(CREDIT_LIMIT_EXCEEDED);
  }
}

/** Whether so many more credits can be spent. `limit`: null without one */
export const affords = (limit: number | null, used: number, credits: number): boolean =>
  limit === null || used + credits <= limit;

/** A run to start, as needed to charge it. */
export interface RunToPay {
  run_id: string;
  organization_id: string;
  /** the first aliases of all its regions */
  regions: readonly string[];
  /** what each of them costs */
  each: number;
  /** milliseconds since 1970: a region that has not answered by then has no result */
  until: number;
}

/** What organizations may still spend in the present month; runs under way count as spent. */
export interface Credits {
  /** Whether an organization can spend so many credits now. */
  canPay: (organizationId: string, credits: number) => boolean;
  /**
   * Charges a run that is about to start, for all of its regions or none; repeating it costs nothing more.
   *
   * @throws CreditLimitExceeded
   */
  charge: (run: RunToPay) => void;
  /** A run ended in a region, given by its alias; without a result it costs nothing. */
  settle: (runId: string, region: string, outcome: 'stored' | 'none') => void;
}
