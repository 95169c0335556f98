import type { Coordination } from '../../stores/coordination/port.ts';
import { GenerationDamaged, GenerationMissing, type Generation, type ReadStore } from '../../stores/read-store/port.ts';
import { ReadModelUnavailable, type ProjectionReader, type Read } from '../readers.ts';
import { reportDamaged } from './generations/damaged.ts';
import { projectionKey, type AnyProjection, type Collections, type Projection } from './fold/define.ts';
import { projectionReader } from './projection-reader.ts';
import type { ProjectionStatus } from './status/protocol.ts';
import type { Statuses } from './status/statuses.ts';

/**
 * What a command context has appended, by log: the highest position of each event type; or a bare position,
 * which concerns every projection of the log.
 */
export interface Appending {
  readonly appended: ReadonlyMap<string, bigint | ReadonlyMap<string, bigint>>;
}

export interface Readers {
  /** How a request reads: it sees what it has appended. */
  for: (context: Appending) => Read;
  /**
   * Waits until projections, by name, have passed what the context has appended to their logs, as far as they fold
   * such events.
   *
   * @throws ReadModelLate
   */
  waitFor: (names: readonly string[], context: Appending) => Promise<void>;
  /** How far projections, by name, have followed their logs: while this is the same, they show the same. */
  positions: (names: readonly string[]) => string;
}

export interface ReadersOptions {
  readStore: ReadStore;
  statuses: Statuses;
  coordination: Pick<Coordination, 'catalogue' | 'write'>;
  /** READ_YOUR_WRITES_TIMEOUT_MS: how long a read waits for a write at most */
  timeout: number;
}

/**
 * Reads the generations that the engine has published, after waiting for the reader's own writes. A projection that
 * folds none of the appended events is not waited for: whatever it is doing, its documents are the same before and
 * after.
 */
export const createReaders = ({ readStore, statuses, coordination, timeout }: ReadersOptions): Readers => {
  /** Position up to which a projection must have folded its log; 0 if nothing concerns it. */
  const concerning = ({ name, log }: ProjectionStatus, { appended }: Appending): bigint => {
    const positions = appended.get(log) ?? 0n;
    if (typeof positions === 'bigint') return positions;
    let highest = 0n;
    for (const [type, position] of positions) {
      if (position > highest && statuses.folds(name, type)) highest = position;
    }
    return highest;
  };

  const caughtUp = (name: string, context: Appending): ProjectionStatus | Promise<ProjectionStatus> => {
    const status = statuses.of(name);
    const position = concerning(status, context);
    return status.position >= position ? status : statuses.passed(name, position, timeout);
  };

  const ask = async <T>(
    projection: AnyProjection,
    context: Appending,
    question: (generation: Generation) => Promise<T>,
  ): Promise<T> => {
    const waited = caughtUp(projection.name, context);
    const status = waited instanceof Promise ? await waited : waited;
    if (status.generation === null) throw new ReadModelUnavailable(projection.name);
    const key = projectionKey(projection);
    try {
      return await question({ projection: key, number: status.generation });
    } catch (error) {
      if (error instanceof GenerationDamaged) await reportDamaged(coordination, error.generation);
      if (!(error instanceof GenerationMissing)) throw error;
      // Another has replaced it, or is being built since this one did not fit its log.
      const entry = (await coordination.catalogue()).find((candidate) => candidate.projection === key);
      if (entry?.live == null || entry.live === status.generation) throw new ReadModelUnavailable(projection.name);
      return question({ projection: key, number: entry.live });
    }
  };

  return {
    for:
      (context) =>
      // eslint-disable-next-line @typescript-eslint/no-explicit-any
      <C extends Collections>(projection: Projection<C, any>): ProjectionReader<C> =>
        projectionReader(projection, readStore, (question) => ask(projection, context, question)),

    waitFor: async (names, context) => {
      await Promise.all(names.map(async (name) => caughtUp(name, context)));
    },

    positions: (names) => {
      const positionOf = ({ name, generation, position }: ProjectionStatus): string =>
        `${name}.${(generation ?? 0).toString()}:${position.toString()}`;
      return names.map((name) => positionOf(statuses.of(name))).join(' ');
    },
  };
};
