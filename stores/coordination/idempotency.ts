import type { IdempotencyRecord } from './port.ts';

/** How long a response is stored (docs/develop/requests.md#idempotency). */
export const RESPONSE_RETENTION_MS = 24 * 60 * 60 * 1_000;

/** A claim without a response is void after this time: the process that made it is assumed dead. */
export const CLAIM_TIMEOUT_MS = 30 * 1_000;

/** Whether a new claim may replace a record. */
export const isVoidRecord = ({ answer, created_at }: IdempotencyRecord, now: number): boolean =>
  created_at < now - (answer === null ? CLAIM_TIMEOUT_MS : RESPONSE_RETENTION_MS);
