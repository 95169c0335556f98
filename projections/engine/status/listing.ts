import { randomUUID } from 'node:crypto';
import { createMutex } from '../../../domain/mutex.ts';
import { projectionKey, type AnyProjection } from '../fold/define.ts';
import { lagOf, oldestUnfolded, waitingSince, type Unfolded } from './lag.ts';
import { checkpointOf, liveGeneration } from '../generations/generations.ts';
import type { ProjectionState, ProjectionStatus } from './protocol.ts';
import type { Coordination } from '../../../stores/coordination/port.ts';
import type { EventStore } from '../../../stores/event-store/port.ts';
import type { ReadStore } from '../../../stores/read-store/port.ts';

/** What the engine last said of a projection. */
export interface RememberedState {
  state: ProjectionState;
  error: string | null;
  /** the oldest event that it had to fold */
  oldest: Unfolded | null;
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
  const inTurn = createMutex();

  const write = (): Promise<unknown> =>
    inTurn(async () => {
      // Who waits for a lease says nothing of the work of whoever holds it.
      if (!now || now.state === 'waiting') return;
      const { oldest } = now;
      const said = { ...seen(now), oldest: oldest && written(oldest), beat: randomUUID() };
      // What can't be written is not worth an interruption: it is only for people to look at, and said again.
      await values.write(nameOf(projection), JSON.stringify(said)).catch(() => undefined);
    });

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
  return new Map(found.map(({ name, value }) => [name.slice(PREFIX.length), readState(value)]));
};

/** What was written down last; null when nothing was. */
export const recallState = async (
  values: Pick<Values, 'read'>,
  projection: AnyProjection,
): Promise<RememberedState | null> => {
  const text = await values.read(nameOf(projection));
  return text ? readState(text) : null;
};

type WrittenUnfolded = Omit<Unfolded, 'position'> & { position: string };

/** As it is written down; by a release before this one without what is to be folded. */
type WrittenState = Omit<RememberedState, 'oldest'> & { oldest?: WrittenUnfolded | null };

const readState = (text: string): RememberedState => {
  const { oldest = null, ...said } = JSON.parse(text) as WrittenState;
  return { ...said, oldest: oldest && { ...oldest, position: BigInt(oldest.position) } };
};

const written = (oldest: Unfolded): WrittenUnfolded => ({ ...oldest, position: oldest.position.toString() });

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
  /** what the engine last said; `idle` when it does not run, `unbuilt` when there is nothing to read */
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
  const remembered = await recallState(coordination, projection);
  const atRest = checkpoint ? 'idle' : 'unbuilt';
  const found = await oldestUnfolded(stores[log], projection, position);
  // The engine may have stopped at an event of which only it knows that it has to.
  const told = remembered?.oldest ?? null;
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
    state: serviceRuns ? (remembered?.state ?? atRest) : atRest,
    error: remembered?.error ?? null,
  };
};
