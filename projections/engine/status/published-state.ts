import { randomUUID } from 'node:crypto';
import { createMutex } from '../../../domain/concurrency/mutex.ts';
import type { Coordination } from '../../../stores/coordination/port.ts';
import { projectionKey, type AnyProjection } from '../fold/define.ts';
import type { Unfolded } from './lag.ts';
import type { ProjectionState, ProjectionStatus } from './protocol.ts';

/** The state of a projection that its engine has published most recently. */
export interface PublishedState {
  state: ProjectionState;
  error: string | null;
  /** The oldest event that the projection must fold. */
  oldest: Unfolded | null;
  /** Number of set-aside documents. Absent if there are none. */
  set_aside?: number;
  /**
   * Event types that the projection folds. Other releases read them (versions-beside.ts). Absent in an embedded
   * deployment, and if an earlier release has published the state.
   */
  folds?: readonly string[];
  /** Random text that changes each time the engine publishes. */
  beat: string;
}

type Values = Pick<Coordination, 'read' | 'write'>;

const PREFIX = 'projection-state:';

const nameOf = (projection: AnyProjection): string => PREFIX + projectionKey(projection);

/** Publishes the state of a projection to other processes. */
export interface StatePublisher {
  /** Stores the current state of the projection, if it has changed. */
  publish: (status: ProjectionStatus) => void;
  /** Stores the current state again, to show that the engine is alive. */
  repeat: () => Promise<unknown>;
}

/**
 * Creates the publisher of a projection's state. It publishes only while the engine holds the projection's lease.
 *
 * @param options.folds whether to publish the event types that the projection folds
 */
export const createStatePublisher = (
  values: Values,
  projection: AnyProjection,
  { folds = false } = {},
): StatePublisher => {
  const types = folds ? { folds: Object.keys(projection.on) } : {};
  let current: ProjectionStatus | null = null;
  let last: Visible | null = null;
  const inTurn = createMutex();

  const store = (): Promise<unknown> =>
    inTurn(async () => {
      // An engine that waits for a lease does not know the state of the projection.
      if (!current || current.state === 'waiting') return;
      const { oldest } = current;
      const state = { ...visible(current), oldest: oldest && toStored(oldest), ...types, beat: randomUUID() };
      // Ignore failures: the state is only for information, and is stored again later.
      await values.write(nameOf(projection), JSON.stringify(state)).catch(() => undefined);
    });

  return {
    publish: (status) => {
      current = status;
      const now = visible(status);
      if (last && isSame(last, now)) return;
      last = now;
      void store();
    },
    repeat: store,
  };
};

type Visible = Pick<PublishedState, 'state' | 'error' | 'set_aside'>;

const isSame = (one: Visible, other: Visible): boolean =>
  one.state === other.state && one.error === other.error && one.set_aside === other.set_aside;

/**
 * Returns the part of a status that is published. The state `catching_up` is published as `live`, because every burst
 * of events causes this state for a moment.
 */
const visible = ({ state, error, set_aside = 0 }: ProjectionStatus): Visible => ({
  state: state === 'catching_up' ? 'live' : state,
  error: error?.message ?? null,
  ...(set_aside > 0 && { set_aside }),
});

/** Reads the published states of all projections, by name@version. */
export const publishedStates = async (
  values: Pick<Coordination, 'readByPrefix'>,
): Promise<Map<string, PublishedState>> => {
  const found = await values.readByPrefix(PREFIX);
  return new Map(found.map(({ name, value }) => [name.slice(PREFIX.length), parseState(value)]));
};

/** Reads the published state of a projection. Returns null if there is none. */
export const publishedState = async (
  values: Pick<Values, 'read'>,
  projection: AnyProjection,
): Promise<PublishedState | null> => {
  const text = await values.read(nameOf(projection));
  return text ? parseState(text) : null;
};

type StoredUnfolded = Omit<Unfolded, 'position'> & { position: string };

/** The stored state. Earlier releases stored it without `oldest`. */
type StoredState = Omit<PublishedState, 'oldest'> & { oldest?: StoredUnfolded | null };

const parseState = (text: string): PublishedState => {
  const { oldest = null, ...said } = JSON.parse(text) as StoredState;
  return { ...said, oldest: oldest && { ...oldest, position: BigInt(oldest.position) } };
};

const toStored = (oldest: Unfolded): StoredUnfolded => ({ ...oldest, position: oldest.position.toString() });
