import type { Coordination } from '../../stores/coordination/port.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import type { ReadStore } from '../../stores/read-store/port.ts';
import type { AnyProjection } from './fold/define.ts';
import type { EngineLogLine, ProjectionStatus } from './status/protocol.ts';

export interface EngineOptions {
  projections: readonly AnyProjection[];
  /** the engine only reads them */
  stores: { main: EventStore; results: EventStore };
  /** position of a `LogMarked` that was appended to each log just before (`markLog`) */
  marks: { main: bigint; results: bigint };
  readStore: ReadStore;
  coordination: Coordination;
  /** what changed during one turn of the event loop */
  onStatus: (statuses: ProjectionStatus[]) => void;
  log: (line: EngineLogLine) => void;
  /** stops the engine */
  signal: AbortSignal;
  /** waits, milliseconds; other ones than {@link TIMINGS} are for tests */
  timings?: Partial<EngineTimings>;
}

/** All in milliseconds. */
export interface EngineTimings {
  /** how often positions without documents are stored at most; at least every 3,000 events */
  checkpoint: number;
  /** how often the engine looks whether a rebuild asks for its generation to be read, while there is one to be read */
  switchPoll: number;
  /** how often it looks whether there is one */
  switchIdle: number;
  /** how often it looks whether somebody who reads has found a generation damaged */
  damaged: number;
  /** how long the retiring generation is fed after a switch, for those who still read it */
  retiringFed: number;
  /** how often expired documents are swept */
  sweep: number;
  /** how long a generation's builder may be silent (making indexes it is) before the generation counts as an orphan */
  builderSilence: number;
  /** first pause after a store failed; each further one is twice as long, at most 2 s */
  retry: number;
  /** how often the engine publishes the states of its projections again, for processes that can't see whether it lives; null: never */
  beat: number | null;
}

export const TIMINGS: EngineTimings = {
  checkpoint: 1_000,
  switchPoll: 200,
  switchIdle: 500,
  damaged: 1_000,
  retiringFed: 30_000,
  sweep: 60_000,
  builderSilence: 60_000,
  retry: 500,
  beat: null,
};

/** What all projections of an engine that read the same log work with. */
export interface ProjectionContext extends Pick<EngineOptions, 'readStore' | 'coordination' | 'signal'> {
  store: EventStore;
  timings: EngineTimings;
  log: (
    level: EngineLogLine['level'],
    message: string,
    fields?: EngineLogLine['fields'],
    cause?: EngineLogLine['cause'],
  ) => void;
}
