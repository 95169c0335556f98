import type { CheckTypeName } from '../../domain/check/events.ts';
import type { Outcome, RunnableCheck } from '../../probes/engine/check-type.ts';

/*
 * Messages between a remote runner and the service, as JSON over HTTP, below `/internal/runners`. Every request has the
 * headers `Authorization: Bearer upr_…` and `Uptrail-Runner-Protocol: 1`. Both sides ignore unknown fields, so fields
 * can be added without a new version.
 *
 * - POST /sessions: Hello → Welcome
 * - GET /sessions/{session}/work: an event stream (text/event-stream) with one `Order` per event
 * - POST /sessions/{session}/results: Report → Receipt
 * - PUT /sessions/{session}/files/{delivery}: the bytes of a run's file → StagedFile
 * - DELETE /sessions/{session}: the runner stops; its current runs are given to other runners
 *
 * The body of an error is `{ message }`. The statuses are:
 *
 * - 401: the token is unknown or revoked
 * - 404: the session is unknown or has ended, so the runner must open a new one
 * - 409: the token belongs to another region
 * - 413: the body is too large
 * - 426: the protocol versions are incompatible
 * - 429 and 503: the runner must retry later (`Retry-After`)
 */

/** The protocol version of this release. */
export const PROTOCOL = 1;
/** The oldest protocol version of runners that the service supports. */
export const OLDEST_PROTOCOL = 1;
export const PROTOCOL_HEADER = 'uptrail-runner-protocol';
export const ROOT = '/internal/runners';

/** The first message of a runner, with which it opens a session. */
export interface Hello {
  protocol: number;
  /** the version of the runner's program, for display */
  release: string;
  /** random text that is chosen when the process starts; distinguishes processes that use the same token */
  instance: string;
  /** id or alias of the region that the runner was started for; null: the region of its token */
  region: string | null;
  types: CheckTypeName[];
  /** the check types that the runner cannot run; `reason` is a sentence */
  lacking: { type: CheckTypeName; reason: string }[];
  /** maximum number of concurrent runs */
  capacity: number;
  /** the time of the runner's clock, milliseconds since 1970 */
  clock: number;
}

/** The response to a runner that connects. */
export interface Welcome {
  session: string;
  runner: { id: string; name: string; region: string; private: boolean };
  /** the time of the service's clock, milliseconds since 1970 */
  clock: number;
  /** a stream without data for this long is broken, milliseconds */
  silence_ms: number;
  /**
   * If the runner has not sent a report for this long, it sends an empty one, milliseconds. If the service receives no
   * report for much longer, the runner counts as disconnected. Absent: half of `silence_ms`.
   */
  heartbeat_ms?: number;
  limits: {
    /** maximum number of results in one report */
    results: number;
    /** maximum size of one report in bytes */
    report_bytes: number;
    /** maximum size of one file in bytes */
    file_bytes: number;
  };
}

/** The messages in the event stream to a runner. */
export type Order =
  | { kind: 'run'; run: HandedRun }
  /** the result of the delivery is no longer needed */
  | { kind: 'cancel'; delivery: string }
  /** the check was changed, paused or deleted, so it must not continue offline */
  | { kind: 'forget'; check_id: string }
  /** The session has ended. The runner connects again, unless the service rejects it. */
  | { kind: 'end'; reason: 'stopping' | 'revoked' | 'replaced' };

/** A run that the service hands over to a runner. */
export interface HandedRun {
  /** id of this delivery; if the same run is delivered again, the id is different */
  delivery: string;
  /** an opaque text; by returning it with the result, the runner proves that the service has given it the run */
  ticket: string;
  /** null if the definition belongs to no check */
  check_id: string | null;
  /** the definition with decrypted texts and secrets, ready to run; must never be written to disk */
  check: RunnableCheck;
  fresh: boolean;
  /** when the run is due, by the clock of the service, milliseconds since 1970 */
  slot: number;
  /** the run must not start after this time, by the clock of the service, milliseconds since 1970 */
  not_after: number;
  /** what is needed to continue a scheduled run offline; null if the check must not continue offline */
  schedule: HandedSchedule | null;
}

export interface HandedSchedule {
  /** seconds */
  interval: number;
  /** whether a failed run is repeated once before it counts */
  repeats: boolean;
}

/** The ways in which a run can end. */
export type Ended =
  | { outcome: SentOutcome }
  /**
   * the run made two processes crash, one after the other; the text says how the second process ended, such as `it was
   * ended by SIGABRT`
   */
  | { killed: string }
  /** the runner could not execute the run, which says nothing about the target; the text is a sentence */
  | { trouble: string }
  /** the run was cancelled, or the runner is stopping */
  | { aborted: true };

/** An outcome whose `files` refer to files that were uploaded before. */
export interface SentOutcome extends Outcome {
  /** the anchors of the runner do not respond, so the outcome says nothing about the target */
  suspect?: true;
}

/** The result of a run that the service handed over. */
export type SentResult = Ended & {
  delivery: string;
  ticket: string;
  /** how long ago the run ended, in milliseconds */
  age_ms: number;
};

/** The result of an offline run: the runner started the run because the service was unreachable. */
export interface OfflineResult {
  /** ticket of the check's most recent run that the service handed over */
  ticket: string;
  /**
   * when the run was due, as the runner estimates it by the service's clock, milliseconds since 1970. `ended_at` is
   * when the run ended, by the same estimate
   */
  slot: number;
  ended_at: number;
  outcome: SentOutcome;
}

export interface Report {
  /** the time of the runner's clock, milliseconds since 1970 */
  clock: number;
  /** how far the runner's clock is ahead of the service's clock, in milliseconds; null: unknown */
  clock_offset_ms: number | null;
  load: { in_flight: number; unsent: number };
  results: SentResult[];
  offline: OfflineResult[];
}

/**
 * The response to a report. The service has stored the results, or will never store them, so the runner deletes all of
 * them. A runner that gets no receipt sends the same report again.
 */
export interface Receipt {
  clock: number;
  /** the rejected results, by their index in their list; `reason` is a sentence */
  refused: { list: 'results' | 'offline'; index: number; reason: string }[];
}

export interface StagedFile {
  /** the value for `files[].staged` in the outcome */
  staged: string;
}
