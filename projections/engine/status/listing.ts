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

/** A line of the output of `uptrail projections`. */
export interface ProjectionListing {
  name: string;
  version: number;
  log: 'main' | 'results';
  /** Number of the generation that readers use. Null before the first build has finished. */
  generation: number | null;
  /** Stored position. A running projection can be further ahead if later events have changed no document. */
  position: bigint;
  /** Age of the oldest unfolded event that would change a document, in seconds. 0 if there is none. */
  lag_seconds: number;
  /** Size in bytes. */
  size: number;
  /** State that the engine has published, `idle` if no engine is running, or `unbuilt` if there is no generation. */
  state: ProjectionState | 'idle' | 'unbuilt';
  error: string | null;
  /** Set-aside documents of the generation, ordered by collection and id. */
  set_aside: readonly SetAsideListing[];
}

/** A set-aside document, or an event that could not be folded and names no document. */
export interface SetAsideListing extends Pick<SetAsideDocument, 'cause' | 'reason' | 'event'> {
  /** Null for an event. */
  collection: string | null;
  /** Id of the document or event. */
  id: string;
}

export interface ProjectionListingOptions {
  projections: readonly AnyProjection[];
  stores: { main: EventStore; results: EventStore };
  readStore: ReadStore;
  coordination: Coordination;
  /** whether an engine is running */
  serviceRuns: boolean;
  /** Current time in milliseconds since 1970. */
  now: number;
}

/** Lists the state of each projection. Can be called in any process. */
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
  // Use the event that the engine has reported only if the engine has stopped at it. Otherwise the engine might have
  // folded the event since its report.
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

/** Maximum number of events that are folded on trial. All later events count as changes. */
const MOST_TRIED = 10_000;

/**
 * Creates a function that tests whether an event changes a document or cannot be folded. Other events do not count as
 * lag, because a running projection does not store its position for them (Projector). Writes nothing.
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
