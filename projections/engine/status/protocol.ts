import type { Unfolded } from './lag.ts';
import type { WriteReport } from './write-reports.ts';

/**
 * State of a projection:
 * - `starting`: its checkpoint is being compared with the log
 * - `waiting`: another process holds its lease and folds it
 * - `building`: there is no generation to read yet; the first one is being built
 * - `catching_up`: more than a page of events behind its log
 * - `live`: at the end of its log
 * - `failing`: a store is unavailable, and is retried with increasing pauses
 * - `stopped`: an event could not be folded, so the projection waits for a restart or a rebuild
 */
export type ProjectionState = 'starting' | 'waiting' | 'building' | 'catching_up' | 'live' | 'failing' | 'stopped';

/** Why a projection is `failing`, or `stopped`. The event is given only if the projection is stopped. */
export interface ProjectionFailure {
  message: string;
  /** position of the event that could not be folded */
  position: bigint | null;
  event_id: string | null;
  event_type: string | null;
}

/** The status of a projection. The engine publishes it with every batch. */
export interface ProjectionStatus {
  name: string;
  version: number;
  log: 'main' | 'results';
  /** Number of the generation that readers use. Null while none can be read. */
  generation: number | null;
  /** All events up to this position are folded into the documents. */
  position: bigint;
  /** The oldest known event after the position that must be folded. Null if there is none. */
  oldest: Unfolded | null;
  state: ProjectionState;
  error: ProjectionFailure | null;
  /** Number of set-aside documents in the generation. Absent if there are none. */
  set_aside?: number;
}

/** A line for the process log, because the engine's thread does not write to it. */
export interface EngineLogLine {
  level: 'debug' | 'info' | 'warn' | 'error';
  message: string;
  fields: Record<string, string | number | boolean | null>;
  /** Identifies a failure that repeats with each retry. Lines with the same cause differ only in irrelevant fields. */
  cause?: { name: string; message: string };
}

/** Projections of which only the position has changed. All of them have the same new position. */
export interface Moved {
  position: bigint;
  names: readonly string[];
}

/** Statuses in the form in which they are sent between threads (compact-statuses.ts). */
export interface CompactStatuses {
  statuses: ProjectionStatus[];
  moved: Moved[];
}

/** A message from the engine's thread to the main thread. */
export type EngineMessage =
  /** Status changes during one turn of the engine's event loop, and reports of writes during that turn. */
  ({ kind: 'statuses'; written?: readonly WriteReport[] } & CompactStatuses) | { kind: 'log'; line: EngineLogLine };

/** A message from the main thread to the engine's thread. */
export type EngineCommand =
  | { kind: 'stop' }
  /** Starts or stops the reports of writes. */
  | { kind: 'report_written'; wanted: boolean };
