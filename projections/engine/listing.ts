import { randomUUID } from 'node:crypto';
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
  /** by how many positions it knew the log to be ahead */
  lag: number;
  /** another one each time that the engine says how it is */
  beat: string;
}

type Values = Pick<Coordination, 'read' | 'write'>;

const PREFIX = 'projection-state:';

const nameOf = (projection: AnyProjection): string => PREFIX + projectionKey(projection);

/** An engine's word on a projection, for processes that are not the engine's. */
export interface SpokenState {
  /** Writes down how the projection is now, if that is another state than before. */
  tell: (status: ProjectionStatus) => void;
  /** Says again how it is, for those who wonder whether the engine lives. */
  repeat: () => Promise<unknown>;
}

/** Writes down a projection's state for as long as its engine holds its lease. */
export const speakOf = (values: Values, projection: AnyProjection): SpokenState => {
  let now: ProjectionStatus | null = null;
  let last: string | null = null;
  let writing: Promise<unknown> = Promise.resolve();

  const write = (): Promise<unknown> => {
    writing = writing.then(async () => {
      // Who waits for a lease says nothing of the work of whoever holds it.
      if (!now || now.state === 'waiting') return;
      const said: RememberedState = { ...seen(now), lag: now.lag, beat: randomUUID() };
      // What can't be written is not worth an interruption: it is only for people to look at, and said again.
      await values.write(nameOf(projection), JSON.stringify(said)).catch(() => undefined);
    });
    return writing;
  };

  return {
    tell: (status) => {
      now = status;
      const text = JSON.stringify(seen(status));
      if (text === last) return;
      last = text;
      void write();
    },
    repeat: write,
  };
};

/** Catching up comes and goes with every burst of events. */
const seen = ({ state, error }: ProjectionStatus): Pick<RememberedState, 'state' | 'error'> => ({
  state: state === 'catching_up' ? 'live' : state,
  error: error?.message ?? null,
});

/** What was written down last of all projections, by name@version. */
export const recallStates = async (values: Pick<Coordination, 'readUnder'>): Promise<Map<string, RememberedState>> => {
  const found = await values.readUnder(PREFIX);
  return new Map(found.map(({ name, value }) => [name.slice(PREFIX.length), JSON.parse(value) as RememberedState]));
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
