import type { Credits } from '../domain/credits/credits.ts';

/** Credits without a limit. */
export const UNLIMITED: Credits = { canPay: () => true, charge: () => undefined, settle: () => undefined };
