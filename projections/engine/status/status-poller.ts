import type { Coordination } from '../../../stores/coordination/port.ts';
import type { Checkpoint, ReadStore, SharedCheckpoint } from '../../../stores/read-store/port.ts';
import { projectionKey, type AnyProjection } from '../fold/define.ts';
import type { Unfolded } from './lag.ts';
import { publishedStates, type PublishedState } from './published-state.ts';
import type { VersionsBeside } from './versions-beside.ts';
import type { ProjectionFailure, ProjectionState, ProjectionStatus } from './protocol.ts';

export interface StatusPollerOptions {
  projections: readonly AnyProjection[];
  readStore: Pick<ReadStore, 'checkpoints'>;
  coordination: Pick<Coordination, 'catalogue' | 'readByPrefix'>;
  timings: StatusPollerTimings;
  /** Is informed of the versions of other releases, which are read in the same queries. */
  beside: VersionsBeside;
  /** The oldest unfolded events of read models whose engines are silent, by name. */
  found: ReadonlyMap<string, Unfolded | null>;
}

/** Times in milliseconds. */
export interface StatusPollerTimings {
  /** Polling interval for the generations in use. They are read earlier if one of them is missing. */
  catalogue: number;
  /** Polling interval for the states that engines report. */
  state: number;
  /** An engine that is silent for this time is considered dead. Another engine should have taken over by then. */
  silence: number;
}

/** Polls the stores for the state of read models that other processes keep up to date. */
export interface StatusPoller {
  /** Reads the statuses of some read models, in the given order, usually with one query. */
  poll: (asked: readonly AnyProjection[]) => Promise<PolledStatus[]>;
  /**
   * Records that the stores did not respond. Engines could not report in that time, so they are not considered dead.
   */
  storesUnavailable: () => void;
  /** Tests whether the engine of a read model has been silent for so long that it is considered dead. */
  isAbandoned: (projection: AnyProjection) => boolean;
}

export interface PolledStatus {
  status: ProjectionStatus;
  written: SharedCheckpoint['written'];
}

interface Known {
  /** Number of the generation in use. Null if there is none. */
  live: number | null;
  published: PublishedState | null;
  /** Time of the most recent report of the read model's engine, by the monotonic clock. */
  reportedAt: number;
}

const NO_PROCESS = 'No process keeps it up to date now. Start `uptrail project`.';

export const createStatusPoller = ({
  projections,
  readStore,
  coordination,
  timings,
  beside,
  found,
}: StatusPollerOptions): StatusPoller => {
  const byKey = new Map(
    projections.map((projection): [string, Known] => [
      projectionKey(projection),
      { live: null, published: null, reportedAt: performance.now() },
    ]),
  );
  let catalogueDue = 0;
  let statesDue = 0;

  const readCatalogue = async (): Promise<void> => {
    const catalogue = await coordination.catalogue();
    beside.takeCatalogue(catalogue);
    const entries = new Map(catalogue.map(({ projection, live }) => [projection, live]));
    for (const [key, known] of byKey) known.live = entries.get(key) ?? null;
    catalogueDue = performance.now() + timings.catalogue;
  };

  const listen = async (): Promise<void> => {
    const states = await publishedStates(coordination);
    beside.takeStates(states);
    const now = performance.now();
    for (const [key, known] of byKey) {
      const published = states.get(key) ?? null;
      // The value of a beat has no meaning. A changed value means that an engine has reported.
      if (published?.beat !== known.published?.beat) known.reportedAt = now;
      known.published = published;
    }
    statesDue = now + timings.state;
  };

  /** Reads the checkpoints of the generations in use. Null for a read model without a generation. */
  const liveCheckpoints = async (keys: readonly string[]): Promise<Map<string, SharedCheckpoint | null>> => {
    const generations = keys.flatMap((projection) => {
      const number = byKey.get(projection)?.live ?? null;
      return number === null ? [] : [{ projection, number }];
    });
    const found = generations.length === 0 ? [] : await readStore.checkpoints(generations);
    return new Map(generations.map(({ projection }, index) => [projection, found[index] ?? null]));
  };

  const checkpointsOf = async (keys: readonly string[]): Promise<Map<string, SharedCheckpoint | null>> => {
    const isDue = performance.now() >= catalogueDue || keys.some((key) => byKey.get(key)?.live == null);
    if (isDue) await readCatalogue();
    const found = await liveCheckpoints(keys);
    if (isDue || ![...found.values()].includes(null)) return found;
    // A checkpoint is missing, so another generation has replaced the known one.
    await readCatalogue();
    return liveCheckpoints(keys);
  };

  const isAbandoned = (projection: AnyProjection): boolean =>
    performance.now() - (byKey.get(projectionKey(projection))?.reportedAt ?? 0) > timings.silence;

  const statusOf = (projection: AnyProjection, checkpoint: Checkpoint | null): ProjectionStatus => {
    const { name, version, log } = projection;
    const { live = null, published = null } = byKey.get(projectionKey(projection)) ?? {};
    const { state, error, oldest } = published ?? { state: 'live' as const, error: null, oldest: null };
    const abandoned = isAbandoned(projection);
    const message = abandoned ? NO_PROCESS : error;
    beside.takeOwn(name, checkpoint ? live : null);
    return {
      name,
      version,
      log,
      generation: checkpoint ? live : null,
      position: checkpoint?.position ?? 0n,
      oldest: abandoned ? (found.get(name) ?? null) : oldest,
      state: abandoned ? 'failing' : checkpoint ? stateOf(state) : 'building',
      error: message === null ? null : failureOf(message),
      set_aside: published?.set_aside ?? 0,
    };
  };

  return {
    poll: async (wanted) => {
      if (performance.now() >= statesDue) await listen();
      const found = await checkpointsOf(wanted.map(projectionKey));
      return wanted.map((projection) => {
        const stored = found.get(projectionKey(projection)) ?? null;
        return { status: statusOf(projection, stored), written: stored?.written };
      });
    },

    storesUnavailable: () => {
      for (const known of byKey.values()) known.reportedAt = performance.now();
    },

    isAbandoned,
  };
};

export const failureOf = (message: string): ProjectionFailure => ({
  message,
  position: null,
  event_id: null,
  event_type: null,
});

/** Corrects a reported state: if there is a generation to read, `starting` and `building` are outdated. */
const stateOf = (reported: ProjectionState): ProjectionState =>
  reported === 'starting' || reported === 'building' ? 'live' : reported;
