import { projectionKey, type AnyProjection } from './define.ts';
import { checkpointOf, liveGeneration } from './generations.ts';
import type { ProjectionState, ProjectionStatus } from './protocol.ts';
import type { Coordination } from '../../stores/coordination/port.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import type { ReadStore } from '../../stores/read-store/port.ts';

/** What the engine last said of a projection. */
export interface RememberedState {
  state: ProjectionState;
  error: string | null;
}

type Values = Pick<Coordination, 'read' | 'write'>;

const nameOf = (projection: AnyProjection): string => `projection-state:${projectionKey(projection)}`;

/** Writes down changes of a projection's state, for processes that are not the engine's. */
export const rememberState = (values: Values, projection: AnyProjection): ((status: ProjectionStatus) => void) => {
  let last: string | null = null;
  let writing: Promise<unknown> = Promise.resolve();
  return ({ state, error }) => {
    // Who waits for a lease says nothing of the work of whoever holds it.
    if (state === 'waiting') return;
    // Catching up comes and goes with every burst of events.
    const seen: RememberedState = { state: state === 'catching_up' ? 'live' : state, error: error?.message ?? null };
    const text = JSON.stringify(seen);
    if (text === last) return;
    last = text;
    // What can't be written is not worth an interruption: it is only for people to look at.
    writing = writing.then(() => values.write(nameOf(projection), text)).catch(() => undefined);
  };
};

/** What was written down last; null when nothing was. */
export const recallState = async (
  values: Pick<Values, 'read'>,
  projection: AnyProjection,
): Promise<RememberedState | null> => {
  const text = await values.read(nameOf(projection));
  return text ? (JSON.parse(text) as RememberedState) : null;
};

/** One line of `uptrail projections`. */
export interface ProjectionListing {
  name: string;
  version: number;
  log: 'main' | 'results';
  /** the generation that readers use; null before the first build is done */
  generation: number | null;
  /** stored position; of a projection at work the one it has reached may be up to a second newer */
  position: bigint;
  /** events after the position; at most {@link LAG_COUNTED} are counted */
  lag: number;
  /** bytes */
  size: number;
  /** what the engine last said; `idle` when it does not run, `unbuilt` when there is nothing to read */
  state: ProjectionState | 'idle' | 'unbuilt';
  error: string | null;
}

export const LAG_COUNTED = 10_000;

export interface ListingOptions {
  projections: readonly AnyProjection[];
  stores: { main: EventStore; results: EventStore };
  readStore: ReadStore;
  coordination: Coordination;
  /** whether an engine is at work */
  serviceRuns: boolean;
}

/** How each projection is, seen from any process. */
export const listProjections = (options: ListingOptions): Promise<ProjectionListing[]> =>
  Promise.all(options.projections.map((projection) => listingOf(projection, options)));

const listingOf = async (projection: AnyProjection, options: ListingOptions): Promise<ProjectionListing> => {
  const { stores, readStore, coordination, serviceRuns } = options;
  const { name, version, log } = projection;
  const live = await liveGeneration(coordination, projection);
  const checkpoint = live && (await checkpointOf(readStore, live));
  const position = checkpoint?.position ?? 0n;
  const remembered = await recallState(coordination, projection);
  const atRest = checkpoint ? 'idle' : 'unbuilt';
  return {
    name,
    version,
    log,
    generation: checkpoint ? live.number : null,
    position,
    lag: await eventsAfter(stores[log], position),
    size: live && checkpoint ? await readStore.size(live) : 0,
    state: serviceRuns ? (remembered?.state ?? atRest) : atRest,
    error: remembered?.error ?? null,
  };
};

const eventsAfter = async (store: EventStore, position: bigint): Promise<number> => {
  let count = 0;
  for (let after = position; count < LAG_COUNTED;) {
    const events = await store.readAll({ after, limit: 1_000 });
    count += events.length;
    const last = events.at(-1);
    if (!last || events.length < 1_000) break;
    after = last.position;
  }
  return count;
};
