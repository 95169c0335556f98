import type { AnyProjection } from '../fold/define.ts';
import { lagOf, oldestUnfolded, waitingSince } from './lag.ts';
import { checkpointOf, liveGeneration } from '../generations/generations.ts';
import type { ProjectionState } from './protocol.ts';
import { publishedState } from './published-state.ts';
import type { Coordination } from '../../../stores/coordination/port.ts';
import type { EventStore } from '../../../stores/event-store/port.ts';
import type { ReadStore } from '../../../stores/read-store/port.ts';

/** One line of `uptrail projections`. */
export interface ProjectionListing {
  name: string;
  version: number;
  log: 'main' | 'results';
  /** the generation that readers use; null before the first build is done */
  generation: number | null;
  /** stored position; of a projection at work the one it has reached may be up to a second newer */
  position: bigint;
  /** age of the oldest event that it has to fold, seconds; 0 where there is none */
  lag_seconds: number;
  /** bytes */
  size: number;
  /** as the engine published it; `idle` when it does not run, `unbuilt` when there is nothing to read */
  state: ProjectionState | 'idle' | 'unbuilt';
  error: string | null;
}

export interface ListingOptions {
  projections: readonly AnyProjection[];
  stores: { main: EventStore; results: EventStore };
  readStore: ReadStore;
  coordination: Coordination;
  /** whether an engine is at work */
  serviceRuns: boolean;
  /** milliseconds since 1970 */
  now: number;
}

/** How each projection is, seen from any process. */
export const listProjections = (options: ListingOptions): Promise<ProjectionListing[]> =>
  Promise.all(options.projections.map((projection) => listingOf(projection, options)));

const listingOf = async (projection: AnyProjection, options: ListingOptions): Promise<ProjectionListing> => {
  const { stores, readStore, coordination, serviceRuns, now } = options;
  const { name, version, log } = projection;
  const live = await liveGeneration(coordination, projection);
  const checkpoint = live && (await checkpointOf(readStore, live));
  const position = checkpoint?.position ?? 0n;
  const published = await publishedState(coordination, projection);
  const atRest = checkpoint ? 'idle' : 'unbuilt';
  const found = await oldestUnfolded(stores[log], projection, position);
  // The engine may have stopped at an event of which only it knows that it has to.
  const told = published?.oldest ?? null;
  const oldest = told && told.position > position && (!found || told.position < found.position) ? told : found;
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
  };
};
