import type { Outcome } from '../../../runners/probe/check-type.ts';

/** An outcome for people, lines. */
export type Report = (outcome: Outcome) => string[];
