import type { Outcome } from '../../../probes/engine/check-type.ts';

/** Formats an outcome for a terminal, as a list of lines. */
export type Report = (outcome: Outcome) => string[];
