import type { CheckTypeName } from '../../domain/check/events.ts';
import type { Outcome, RunnableCheck } from '../../probes/engine/check-type.ts';

/*
 * Messages between a remote runner and the service, below `/internal/runners`, as JSON over HTTP. Every request has
 * `Authorization: Bearer upr_…` and `Uptrail-Runner-Protocol: 1`. Both sides ignore unknown fields, so a field may be
 * added within a version.
 *
 *   POST   /sessions                              Hello → Welcome
 *   GET    /sessions/{session}/work               an event stream (text/event-stream), one `Order` per event
 *   POST   /sessions/{session}/results            Report → Receipt
 *   PUT    /sessions/{session}/files/{delivery}   the bytes of a run's file → StagedFile
 *   DELETE /sessions/{session}                    the runner stops: its current runs go to others
 *
 * Errors are `{ message }`: 401 the token is unknown or revoked; 404 the session is unknown or over, so a new one is
 * needed; 409 the token is for another region; 413 a body is too large; 426 the protocol versions are incompatible; 429
 * and 503 retry later (`Retry-After`).
 */

/** The protocol version of this release. */
export const PROTOCOL = 1;
/** The oldest protocol version of runners that the service still supports. */
export const OLDEST_PROTOCOL = 1;
export const PROTOCOL_HEADER = 'uptrail-runner-protocol';
export const ROOT = '/internal/runners';

/** The message of a runner that connects. */
export interface Hello {
  protocol: number;
  /** the version of its program, for display */
  release: string;
  /** random, chosen when its process starts; distinguishes two processes with the same token */
  instance: string;
  /** id or alias of the region it was started for; null: the region of its token */
  region: string | null;
  types: CheckTypeName[];
  /** the types that it can't run, each with a reason as a sentence */
  lacking: { type: CheckTypeName; reason: string }[];
  /** maximum concurrent runs */
  capacity: number;
  /** its clock, milliseconds since 1970 */
  clock: number;
}

/** The response to a runner that connects. */
export interface Welcome {
  session: string;
  runner: { id: string; name: string; region: string; private: boolean };
  /** the clock of the service, milliseconds since 1970 */
  clock: number;
  /** a stream without data for this long is broken; milliseconds */
  silence_ms: number;
  /**
   * a runner that has not reported for this long sends an empty report, milliseconds: one that is silent for longer
   * counts as gone; absent: half of `silence_ms`
   */
  heartbeat_ms?: number;
  limits: {
    /** maximum results in one report */
    results: number;
    /** maximum bytes of one report */
    report_bytes: number;
    /** maximum bytes of one file */
    file_bytes: number;
  };
}

/** The messages in a runner's event stream. */
export type Order =
  | { kind: 'run'; run: HandedRun }
  /** the result is no longer needed */
  | { kind: 'cancel'; delivery: string }
  /** the check was changed, paused or deleted: it must not continue offline */
  | { kind: 'forget'; check_id: string }
  /** the session is over: the runner connects again, or stops if it may not */
  | { kind: 'end'; reason: 'stopping' | 'revoked' | 'replaced' };

/** A run handed to a runner. */
export interface HandedRun {
  /** id of this delivery; a repeated delivery has another one */
  delivery: string;
  /** opaque; returned with the result, it proves that the runner was given the run */
  ticket: string;
  /** null: an unstored definition */
  check_id: string | null;
  /** ready to run, with decrypted texts and secrets. Must never be written to disk. */
  check: RunnableCheck;
  fresh: boolean;
  /** milliseconds since 1970, by the clock of the service */
  slot: number;
  /** the run must not start later than this, by the same clock */
  not_after: number;
  /** for a scheduled run: what is needed to continue offline; null: it does not continue */
  schedule: HandedSchedule | null;
}

export interface HandedSchedule {
  /** seconds */
  interval: number;
  /** whether a failed run is repeated once before it counts */
  repeats: boolean;
}

/** How a run ended. */
export type Ended =
  | { outcome: SentOutcome }
  /** it ended two processes; the way the last one ended, such as `it was ended by SIGABRT` */
  | { killed: string }
  /** the runner could not run it, which says nothing about the target; a sentence */
  | { trouble: string }
  /** it was cancelled, or the runner is stopping */
  | { aborted: true };

/** An outcome; `files` refer to previous uploads. */
export interface SentOutcome extends Outcome {
  /** the runner's anchors are silent: the outcome says nothing about the target */
  suspect?: true;
}

/** The result of a run handed over by the service. */
export type SentResult = Ended & {
  delivery: string;
  ticket: string;
  /** how long ago it ended, milliseconds */
  age_ms: number;
};

/** The result of a run that the runner started itself, because the service was unreachable. */
export interface OfflineResult {
  /** of the check's last run that was handed over */
  ticket: string;
  /**
   * when it was due and when it ended, milliseconds since 1970 by the clock of the service, as estimated by the runner
   */
  slot: number;
  ended_at: number;
  outcome: SentOutcome;
}

export interface Report {
  /** the runner's clock, milliseconds since 1970 */
  clock: number;
  /** how far it is ahead of the service's clock, milliseconds; null: unknown */
  clock_offset_ms: number | null;
  load: { in_flight: number; unsent: number };
  results: SentResult[];
  offline: OfflineResult[];
}

/**
 * The service has stored the report, or will never store it: the runner drops all of it. A runner that gets no receipt
 * sends the same report again.
 */
export interface Receipt {
  clock: number;
  /** the rejected results, by their index in the list, each with a reason as a sentence */
  refused: { list: 'results' | 'offline'; index: number; reason: string }[];
}

export interface StagedFile {
  /** the value for `files[].staged` of the outcome */
  staged: string;
}
