import { HOUR_MS } from '../../domain/time.ts';
import type { Coordination } from '../../stores/coordination/port.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import type { ReadStore } from '../../stores/read-store/port.ts';
import type { AnyProjection } from './fold/define.ts';
import type { EngineLogLine, ProjectionStatus } from './status/protocol.ts';
import type { WriteReport, WriteDemand } from './status/write-reports.ts';

export interface EngineOptions {
  projections: readonly AnyProjection[];
  /** The logs. The engine does not append to them. */
  stores: { main: EventStore; results: EventStore };
  /** Position of a `LogMarked` that was appended to each log just before the start (`markLog`). */
  marks: { main: bigint; results: bigint };
  readStore: ReadStore;
  coordination: Coordination;
  /**
   * All projections of this release, whether or not this engine keeps them up to date. Read models of other releases
   * are dropped when they are no longer used (generations/other-versions.ts). Default: `projections`.
   */
  release?: readonly AnyProjection[];
  /** Returns milliseconds since 1970. Default: the system clock. */
  clock?: () => number;
  /** Called with the changed statuses of one turn of the event loop, and with reports of writes if they are wanted. */
  onStatus: (statuses: ProjectionStatus[], written: WriteReport[]) => void;
  /** Tells whether reports of writes are wanted. Default: they are not. */
  demand?: WriteDemand;
  log: (line: EngineLogLine) => void;
  /**
   * Whether other processes read positions from the read store (projections/engine/status/followed-statuses.ts). If
   * true, a projection stores its position after each handled event, even if no document has changed. Default: false.
   */
  positionsFollowed?: boolean;
  /** Stops the engine. */
  signal: AbortSignal;
  /** Overrides {@link TIMINGS} in tests. In milliseconds. */
  timings?: Partial<EngineTimings>;
}

/** Times in milliseconds. */
export interface EngineTimings {
  /** Minimum interval for storing the position of a projection that has advanced far without writing documents. */
  checkpoint: number;
  /** Interval of polls for a request to switch readers, while a generation is being built. */
  switchPoll: number;
  /** Interval of polls for generations that are being built. */
  switchIdle: number;
  /** Interval of polls for reports of damaged generations. */
  damaged: number;
  /** Time for which a replaced generation is fed after a switch, for its remaining readers. */
  retiringFed: number;
  /** Interval of sweeps of expired documents. */
  sweep: number;
  /** Time without a heartbeat after which a generation is an orphan. Must exceed the time to create indexes. */
  builderSilence: number;
  /** Interval at which the read models of other releases are examined, while there are any. */
  unusedLook: number;
  /** Time after its last use at which a read model of another release is dropped. */
  unusedRetention: number;
  /** Time to wait for a lease before a holder is assumed. Must exceed the time after which the lease of a dead process expires. */
  leasePatience: number;
  /** First pause after a store has failed. Each further pause is twice as long, up to 2 s. */
  retry: number;
  /** Interval at which states are published again, so that other processes see that the engine runs. Null for never. */
  beat: number | null;
}

/** Retention of a read model that no process uses any more, so that a release can be rolled back. */
export const UNUSED_RETENTION_MS = 24 * HOUR_MS;

export const TIMINGS: EngineTimings = {
  checkpoint: 5_000,
  switchPoll: 200,
  switchIdle: 1_000,
  damaged: 2_000,
  retiringFed: 30_000,
  sweep: 60_000,
  builderSilence: 60_000,
  unusedLook: HOUR_MS,
  unusedRetention: UNUSED_RETENTION_MS,
  leasePatience: 10_000,
  retry: 500,
  beat: null,
};

/** The options that all projections of one log share. */
export interface ProjectionContext extends Pick<EngineOptions, 'readStore' | 'coordination' | 'signal'> {
  store: EventStore;
  timings: EngineTimings;
  positionsFollowed: boolean;
  demand: WriteDemand;
  log: (
    level: EngineLogLine['level'],
    message: string,
    fields?: EngineLogLine['fields'],
    cause?: EngineLogLine['cause'],
  ) => void;
}
