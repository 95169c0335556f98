import type { IdempotencyRecord } from './port.ts';

/** How long an answer is kept (design.md: Doing it once). */
export const KEPT_MILLISECONDS = 24 * 60 * 60 * 1_000;

/** After this time a claim without an answer is void: its maker is assumed dead. */
export const CLAIM_MILLISECONDS = 30 * 1_000;

/** Whether a new claim may take the place of a record. */
export const isVoid = ({ answer, created_at }: IdempotencyRecord, now: number): boolean =>
  created_at < now - (answer === null ? CLAIM_MILLISECONDS : KEPT_MILLISECONDS);
