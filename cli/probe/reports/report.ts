import type { Outcome } from '../../../probes/engine/check-type.ts';

/** Formats an outcome for a terminal, as lines. */
export type Report = (outcome: Outcome) => string[];
