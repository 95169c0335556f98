import { timeSlices } from '../../../domain/concurrency/time-slices.ts';
import { byPosition, type RecordedEvent } from '../../../domain/event.ts';
import type { Instant } from '../../../domain/time.ts';
import type { EventStore } from '../../../stores/event-store/port.ts';
import type { ForkableReadStore } from '../../../stores/read-store/port.ts';
import type { AnyProjection } from '../../engine/fold/define.ts';
import { foldInMemory, inSteps } from '../../engine/in-memory.ts';
import type { Unfolded } from '../../engine/status/lag.ts';
import type { Read } from '../../readers.ts';
import type { FoldedModel } from '../past-read.ts';

/** What past results are read from. */
export interface ResultSources {
  results: Pick<EventStore, 'readStream'>;
  /** Returns the oldest event of the log `results` that the present read model of a projection has not folded. */
  oldestUnfolded: (projection: AnyProjection) => Promise<Pick<Unfolded, 'recordedAt'> | null>;
  openStore: () => ForkableReadStore;
  limits: ResultLimits;
}

/** The moment at which results are read, and for whom. */
export interface ResultsMoment {
  organizationId: string;
  at: Instant;
  /** start of the retention period of results; earlier results have been removed */
  retainedFrom: Instant;
  /** reads the present read models, which show where in the log the results of a check are */
  present: Read;
  /** reads the read models of the log `main` at that moment */
  past: Read;
}

/** Read models of checks or heartbeats at a moment. */
export interface Loaded {
  /** by id of the check or heartbeat; those without results are absent */
  models: ReadonlyMap<string, FoldedModel>;
  /** ids whose results have been removed in part, or would take too long to read */
  unknown: ReadonlySet<string>;
  /** number of folded events */
  events: number;
}

/** Maximum numbers of events for one request. */
export interface ResultLimits {
  /** events of the log that are read */
  read: number;
  /** events that are folded, which are in memory until the request ends */
  folded: number;
}

/** A region with 1,000 checks at an interval of one minute records 200,000 results in about three hours. */
export const RESULT_LIMITS: ResultLimits = { read: 200_000, folded: 50_000 };

/** Folds events, which are of one check, heartbeat or organization, by the handlers of a projection, in time slices. */
export const foldEvents = async (
  projection: AnyProjection,
  events: readonly RecordedEvent[],
  openStore: () => ForkableReadStore,
): Promise<FoldedModel> => {
  const store = openStore();
  const inOrder = [...events].sort(byPosition);
  return {
    store,
    generation: await foldInMemory(projection, inSteps(inOrder, timeSlices()), store, undefined, events.length),
  };
};

/** Whether an event was recorded at or before a moment. */
export const isRecordedBy = ({ metadata }: RecordedEvent, at: Instant): boolean => metadata.recorded_at <= at;
