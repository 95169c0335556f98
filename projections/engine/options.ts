import type { Coordination } from '../../stores/coordination/port.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import type { ReadStore } from '../../stores/read-store/port.ts';
import type { AnyProjection } from './fold/define.ts';
import type { EngineLogLine, ProjectionStatus } from './status/protocol.ts';
import type { WriteReport, WriteDemand } from './status/write-reports.ts';

export interface EngineOptions {
  projections: readonly AnyProjection[];
  /** the engine only reads them */
  stores: { main: EventStore; results: EventStore };
  /** position of a `LogMarked` that was appended to each log just before (`markLog`) */
  marks: { main: bigint; results: bigint };
  readStore: ReadStore;
  coordination: Coordination;
  /** changes during one turn of the event loop, and, if there is demand, what was written meanwhile */
  onStatus: (statuses: ProjectionStatus[], written: WriteReport[]) => void;
  /** whether there is demand for what is written; default: none */
  demand?: WriteDemand;
  log: (line: EngineLogLine) => void;
  /**
   * Whether other processes learn positions from the read store (projections/engine/status/followed-statuses.ts). If true, a projection also stores its
   * position once it has folded an event that it handles, even if no document has changed. Default: false.
   */
  positionsFollowed?: boolean;
  /** stops the engine */
  signal: AbortSignal;
  /** overrides of {@link TIMINGS} for tests, milliseconds */
  timings?: Partial<EngineTimings>;
}

/** All in milliseconds. */
export interface EngineTimings {
  /** minimum interval for storing the position of a projection that has moved far without writing documents */
  checkpoint: number;
  /** how often the engine checks for a rebuild's request to switch, while there may be one */
  switchPoll: number;
  /** how often it checks whether there may be one */
  switchIdle: number;
  /** how often it checks whether a reader has reported a generation as damaged */
  damaged: number;
  /** how long the retiring generation is fed after a switch, for its remaining readers */
  retiringFed: number;
  /** how often expired documents are swept */
  sweep: number;
  /** how long a generation's builder may be silent (it is while creating indexes) before the generation is an orphan */
  builderSilence: number;
  /** first pause after a store has failed; each further one is twice as long, up to 2 s */
  retry: number;
  /** how often states are published again, for processes that cannot see whether the engine is alive; null: never */
  beat: number | null;
}

export const TIMINGS: EngineTimings = {
  checkpoint: 5_000,
  switchPoll: 200,
  switchIdle: 1_000,
  damaged: 2_000,
  retiringFed: 30_000,
  sweep: 60_000,
  builderSilence: 60_000,
  retry: 500,
  beat: null,
};

/** What all projections of an engine that read the same log share. */
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
