import type { Outcome } from '../../../probes/engine/check-type.ts';

/** An outcome for people, lines. */
export type Report = (outcome: Outcome) => string[];
