import type { CheckTypeName } from '../../../domain/check/events.ts';
import type { Outcome } from '../../../runners/probe/check-type.ts';

/** An outcome for people, lines. */
export type Report = (outcome: Outcome) => string[];

/** The types whose outcomes have a form of their own; the others are a table of facts (../present.ts). */
export const REPORTS: ReadonlyMap<CheckTypeName, Report> = new Map();
