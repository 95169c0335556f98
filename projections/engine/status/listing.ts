import type { RecordedEvent } from '../../../domain/event.ts';
import type { AnyProjection } from '../fold/define.ts';
import { Folding } from '../fold/folding.ts';
import { PoisonousEvent } from '../fold/poison.ts';
import { readFirstShownInstant } from '../fold/retention.ts';
import { listSetAside, type SetAsideDocument } from '../fold/set-aside.ts';
import { lagOf, oldestUnfolded, waitingSince } from './lag.ts';
import { readCheckpointOf, liveGeneration } from '../generations/generations.ts';
import type { ProjectionState } from './protocol.ts';
import { publishedState } from './published-state.ts';
import type { Coordination } from '../../../stores/coordination/port.ts';
import type { EventStore } from '../../../stores/event-store/port.ts';
import type { Checkpoint, Generation, ReadStore } from '../../../stores/read-store/port.ts';

/** One line of `uptrail projections`. */
export interface ProjectionListing {
  name: string;
  version: number;
  log: 'main' | 'results';
  /** the generation that readers use; null before the first build has finished */
  generation: number | null;
  /** stored position; a running projection may be further, by events that have not changed its documents */
  position: bigint;
  /** age of the oldest event that it must fold and that changes something, seconds; 0: there is none */
  lag_seconds: number;
  /** bytes */
  size: number;
  /** as published by the engine; `idle` if no engine is running, `unbuilt` if there is nothing to read */
  state: ProjectionState | 'idle' | 'unbuilt';
  error: string | null;
  /** set-aside documents of that generation, by collection and id */
  set_aside: readonly SetAsideListing[];
}

/** A set-aside document, or an event that could not be folded and names no document. */
export interface SetAsideListing extends Pick<SetAsideDocument, 'cause' | 'reason' | 'event'> {
  /** null for an event */
  collection: string | null;
  /** of the document, or of the event */
  id: string;
}

export interface ProjectionListingOptions {
  projections: readonly AnyProjection[];
  stores: { main: EventStore; results: EventStore };
  readStore: ReadStore;
  coordination: Coordination;
  /** whether an engine is running */
  serviceRuns: boolean;
  /** milliseconds since 1970 */
  now: number;
}

/** The state of each projection, from any process. */
export const listProjections = (options: ProjectionListingOptions): Promise<ProjectionListing[]> =>
  Promise.all(options.projections.map((projection) => listingOf(projection, options)));

const listingOf = async (projection: AnyProjection, options: ProjectionListingOptions): Promise<ProjectionListing> => {
  const { stores, readStore, coordination, serviceRuns, now } = options;
  const { name, version, log } = projection;
  const live = await liveGeneration(coordination, projection);
  const checkpoint = live && (await readCheckpointOf(readStore, live));
  const position = checkpoint?.position ?? 0n;
  const published = await publishedState(coordination, projection);
  const atRest = checkpoint ? 'idle' : 'unbuilt';
  const changes = live && checkpoint ? await changing(projection, live, checkpoint, options) : undefined;
  const found = await oldestUnfolded(stores[log], projection, position, changes);
  // Only the engine knows that it has stopped at an event. Other events that it had not folded at its last report may
  // be folded by now.
  const reported = published?.state === 'stopped' ? published.oldest : null;
  const oldest =
    reported && reported.position > position && (!found || reported.position < found.position) ? reported : found;
  const clock = { now: () => now, monotonic: () => 0 };
  return {
    name,
    version,
    log,
    generation: checkpoint ? live.number : null,
    position,
    lag_seconds: lagOf(waitingSince(oldest, null, clock), 0),
    size: live && checkpoint ? await readStore.size(live) : 0,
    state: serviceRuns ? (published?.state ?? atRest) : atRest,
    error: published?.error ?? null,
    set_aside: live && checkpoint ? (await listSetAside(readStore, live)).map(listed) : [],
  };
};

/** Number of events that are tried; those after them count as changes. */
const MOST_TRIED = 10_000;

/**
 * Whether an event changes a document, or cannot be folded. A running projection does not store its position for events
 * that change nothing (Projector), so they do not count as lag. Nothing is written.
 */
const changing = async (
  projection: AnyProjection,
  generation: Generation,
  checkpoint: Checkpoint,
  { readStore, coordination }: ProjectionListingOptions,
): Promise<(event: RecordedEvent) => Promise<boolean>> => {
  const retainedFrom = await readFirstShownInstant(projection, coordination);
  const folding = new Folding({ projection, generation, readStore, checkpoint, retainedFrom, recentDocuments: 1 });
  let tried = 0;
  return async (event) => {
    if (tried++ === MOST_TRIED) return true;
    try {
      await folding.fold([event]);
      return folding.dirty;
    } catch (error) {
      if (error instanceof PoisonousEvent) return true;
      throw error;
    }
  };
};

const listed = ({ collection, document, cause, reason, event }: SetAsideDocument): SetAsideListing => ({
  collection: collection === '' ? null : collection,
  id: document,
  cause,
  reason,
  event,
});
