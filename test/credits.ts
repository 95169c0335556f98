import type { Credits } from '../domain/credits/credits.ts';

/** Nobody has a limit. */
export const UNLIMITED: Credits = { canPay: () => true, charge: () => undefined, settle: () => undefined };
