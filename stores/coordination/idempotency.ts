import type { IdempotencyRecord } from './port.ts';

/** Milliseconds for which a response is stored (docs/develop/requests.md#idempotency). */
export const RESPONSE_RETENTION_MS = 24 * 60 * 60 * 1_000;

/** Milliseconds after which a claim without a response is void: the process that created it is assumed dead. */
export const CLAIM_TIMEOUT_MS = 30 * 1_000;

/** Returns whether a new claim may replace a record. */
export const isVoidRecord = ({ answer, created_at }: IdempotencyRecord, now: number): boolean =>
  created_at < now - (answer === null ? CLAIM_TIMEOUT_MS : RESPONSE_RETENTION_MS);
