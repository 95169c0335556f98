import type { Unfolded } from './lag.ts';
import type { WriteReport } from './write-reports.ts';

/**
 * What a projection is doing:
 * - `starting`: its checkpoint is being compared with the log
 * - `waiting`: another process holds its lease and folds it
 * - `building`: there is no generation to read yet; the first one is being built
 * - `catching_up`: more than a page of events behind its log
 * - `live`: at the head of its log
 * - `failing`: a store is unavailable; retried with increasing pauses
 * - `stopped`: an event could not be folded; until a restart or a rebuild
 */
export type ProjectionState = 'starting' | 'waiting' | 'building' | 'catching_up' | 'live' | 'failing' | 'stopped';

/** Why a projection is `stopped` (then the event is named) or `failing`. */
export interface ProjectionFailure {
  message: string;
  /** position of the event that could not be folded */
  position: bigint | null;
  event_id: string | null;
  event_type: string | null;
}

/** What the engine publishes about a projection with every batch. */
export interface ProjectionStatus {
  name: string;
  version: number;
  log: 'main' | 'results';
  /** the generation that readers use; null while none can be read */
  generation: number | null;
  /** every event up to here is in the documents */
  position: bigint;
  /** the oldest known event after the position that must be folded; null: there is none */
  oldest: Unfolded | null;
  state: ProjectionState;
  error: ProjectionFailure | null;
  /** number of set-aside documents in that generation; absent: none */
  set_aside?: number;
}

/** A line for the process log, because the engine's thread does not write to it. */
export interface EngineLogLine {
  level: 'debug' | 'info' | 'warn' | 'error';
  message: string;
  fields: Record<string, string | number | boolean | null>;
  /** identifies what is retried and can fail many times; then the fields don't matter */
  cause?: { name: string; message: string };
}

/** Projections whose position is all that has changed. */
export interface Moved {
  position: bigint;
  names: readonly string[];
}

/** Statuses in the form in which they cross between threads (compact-statuses.ts). */
export interface CompactStatuses {
  statuses: ProjectionStatus[];
  moved: Moved[];
}

/** From the engine's thread to the main thread. */
export type EngineMessage =
  /** changes during one turn of the engine's event loop, and what was written meanwhile */
  ({ kind: 'statuses'; written?: readonly WriteReport[] } & CompactStatuses) | { kind: 'log'; line: EngineLogLine };

/** From the main thread to the engine's thread. */
export type EngineCommand =
  | { kind: 'stop' }
  /** whether to report what is written from now on */
  | { kind: 'report_written'; wanted: boolean };
