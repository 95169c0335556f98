import type { CheckTypeName } from '../../domain/check/events.ts';
import type { Outcome, RunnableCheck } from '../../probes/engine/check-type.ts';

/*
 * What a remote runner and the service send each other, below `/internal/runners`, as JSON over HTTP. Every request has
 * `Authorization: Bearer upr_…` and `Uptrail-Runner-Protocol: 1`. Either side ignores fields that it does not know, so a
 * field may be added within a version.
 *
 *   POST   /sessions                              Hello → Welcome
 *   GET    /sessions/{session}/work               an event stream (text/event-stream), one `Order` per event
 *   POST   /sessions/{session}/results            Report → Receipt
 *   PUT    /sessions/{session}/files/{delivery}   the bytes of a file that a run has left → StagedFile
 *   DELETE /sessions/{session}                    the runner stops: its runs in flight go to others
 *
 * Errors are `{ message }`: 401 the token is unknown or revoked; 404 the service does not know the session (any more): a
 * new one is needed; 409 the token is for another region; 413 a body is too large; 426 the versions do not fit;
 * 429 and 503 come again later (`Retry-After`).
 */

/** The version of the protocol that this release speaks. */
export const PROTOCOL = 1;
/** The oldest version of a runner that the service still serves. */
export const OLDEST_PROTOCOL = 1;
export const PROTOCOL_HEADER = 'uptrail-runner-protocol';
export const ROOT = '/internal/runners';

/** What a runner says when it connects. */
export interface Hello {
  protocol: number;
  /** the version of its program, for people */
  release: string;
  /** chosen at random when its process starts: two processes with one token are told apart by it */
  instance: string;
  /** id or alias of the region that it was started for; null: whatever its token is for */
  region: string | null;
  types: CheckTypeName[];
  /** the types that it can't run, and why, in a sentence */
  lacking: { type: CheckTypeName; reason: string }[];
  /** how many runs it takes at once */
  capacity: number;
  /** its clock, milliseconds since 1970 */
  clock: number;
}

/** What the service says to a runner that connects. */
export interface Welcome {
  session: string;
  runner: { id: string; name: string; region: string; private: boolean };
  /** the clock of the service, milliseconds since 1970 */
  clock: number;
  /** after this silence of the stream it is broken; milliseconds */
  silence_ms: number;
  /**
   * a runner that has not reported for so long sends an empty report, milliseconds: one that is silent for longer counts
   * as gone; absent: half of `silence_ms`
   */
  heartbeat_ms?: number;
  limits: {
    /** results in one report */
    results: number;
    /** bytes of one report */
    report_bytes: number;
    /** bytes of one file */
    file_bytes: number;
  };
}

/** What a runner is sent in its stream. */
export type Order =
  | { kind: 'run'; run: HandedRun }
  /** nobody needs the result any more */
  | { kind: 'cancel'; delivery: string }
  /** the check was changed, paused or deleted: without the service nothing of it goes on */
  | { kind: 'forget'; check_id: string }
  /** the session is over: the runner connects anew, or stops where it may not */
  | { kind: 'end'; reason: 'stopping' | 'revoked' | 'replaced' };

/** A run that is handed to a runner. */
export interface HandedRun {
  /** of this delivery; a run that is delivered again has another one */
  delivery: string;
  /** opaque; comes back with the result, and proves that the runner was given the run */
  ticket: string;
  /** null: of a definition that is not stored */
  check_id: string | null;
  /** ready to run: texts and secrets are open. It is never written to disk. */
  check: RunnableCheck;
  fresh: boolean;
  /** milliseconds since 1970, by the clock of the service */
  slot: number;
  /** begins later than this nowhere; the same clock */
  not_after: number;
  /** of a scheduled run: what is needed to go on without the service; null: nothing goes on */
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
  /** it has ended two processes; how, as `it was ended by SIGABRT` */
  | { killed: string }
  /** the runner could not run it, which says nothing about the target; a sentence */
  | { trouble: string }
  /** it was cancelled, or the runner stops */
  | { aborted: true };

/** An outcome; `files` name what was uploaded before. */
export interface SentOutcome extends Outcome {
  /** the runner's anchors are silent: it says nothing about the target */
  suspect?: true;
}

/** The result of a run that was handed over. */
export type SentResult = Ended & {
  delivery: string;
  ticket: string;
  /** how long ago it ended, milliseconds */
  age_ms: number;
};

/** The result of a run that the runner began by itself, since it could not reach the service. */
export interface OfflineResult {
  /** of the check's last run that was handed over */
  ticket: string;
  /** when it was due and when it ended, milliseconds since 1970 by the clock of the service, as far as the runner knows */
  slot: number;
  ended_at: number;
  outcome: SentOutcome;
}

export interface Report {
  /** the runner's clock, milliseconds since 1970 */
  clock: number;
  /** by how much it is ahead of that of the service, milliseconds; null: not known */
  clock_offset_ms: number | null;
  load: { in_flight: number; unsent: number };
  results: SentResult[];
  offline: OfflineResult[];
}

/**
 * The service has stored what was reported, or will never: the runner forgets all of it. One that gets no receipt sends
 * the same report again.
 */
export interface Receipt {
  clock: number;
  /** what was not stored, by its place in the list, and why, in a sentence */
  refused: { list: 'results' | 'offline'; index: number; reason: string }[];
}

export interface StagedFile {
  /** what `files[].staged` of the outcome says */
  staged: string;
}
