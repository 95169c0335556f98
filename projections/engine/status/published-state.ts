import { randomUUID } from 'node:crypto';
import { createMutex } from '../../../domain/concurrency/mutex.ts';
import type { Coordination } from '../../../stores/coordination/port.ts';
import { projectionKey, type AnyProjection } from '../fold/define.ts';
import type { Unfolded } from './lag.ts';
import type { ProjectionState, ProjectionStatus } from './protocol.ts';

/** The state of a projection, as last published by its engine. */
export interface PublishedState {
  state: ProjectionState;
  error: string | null;
  /** the oldest event that it must fold */
  oldest: Unfolded | null;
  /** number of set-aside documents; absent: none */
  set_aside?: number;
  /** changes each time the engine publishes */
  beat: string;
}

type Values = Pick<Coordination, 'read' | 'write'>;

const PREFIX = 'projection-state:';

const nameOf = (projection: AnyProjection): string => PREFIX + projectionKey(projection);

/** Publishes the state of a projection to other processes. */
export interface StatePublisher {
  /** Stores the current state of the projection, if it has changed. */
  publish: (status: ProjectionStatus) => void;
  /** Stores it again, as a sign that the engine is alive. */
  repeat: () => Promise<unknown>;
}

/** Publishes a projection's state while its engine holds its lease. */
export const createStatePublisher = (values: Values, projection: AnyProjection): StatePublisher => {
  let current: ProjectionStatus | null = null;
  let last: Visible | null = null;
  const inTurn = createMutex();

  const store = (): Promise<unknown> =>
    inTurn(async () => {
      // An engine that waits for a lease does not know the state of the holder's work.
      if (!current || current.state === 'waiting') return;
      const { oldest } = current;
      const state = { ...visible(current), oldest: oldest && toStored(oldest), beat: randomUUID() };
      // A failure interrupts nothing: the state is only informative, and is stored again.
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

/** Catching up starts and ends with every burst of events. */
const visible = ({ state, error, set_aside = 0 }: ProjectionStatus): Visible => ({
  state: state === 'catching_up' ? 'live' : state,
  error: error?.message ?? null,
  ...(set_aside > 0 && { set_aside }),
});

/** The published states of all projections, by name@version. */
export const publishedStates = async (
  values: Pick<Coordination, 'readByPrefix'>,
): Promise<Map<string, PublishedState>> => {
  const found = await values.readByPrefix(PREFIX);
  return new Map(found.map(({ name, value }) => [name.slice(PREFIX.length), parseState(value)]));
};

/** The published state of a projection; null: none. */
export const publishedState = async (
  values: Pick<Values, 'read'>,
  projection: AnyProjection,
): Promise<PublishedState | null> => {
  const text = await values.read(nameOf(projection));
  return text ? parseState(text) : null;
};

type StoredUnfolded = Omit<Unfolded, 'position'> & { position: string };

/** The stored state; an earlier release stored it without `oldest`. */
type StoredState = Omit<PublishedState, 'oldest'> & { oldest?: StoredUnfolded | null };

const parseState = (text: string): PublishedState => {
  const { oldest = null, ...said } = JSON.parse(text) as StoredState;
  return { ...said, oldest: oldest && { ...oldest, position: BigInt(oldest.position) } };
};

const toStored = (oldest: Unfolded): StoredUnfolded => ({ ...oldest, position: oldest.position.toString() });
