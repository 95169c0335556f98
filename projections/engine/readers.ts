import type { Coordination } from '../../stores/coordination/port.ts';
import {
  GenerationDamaged,
  GenerationMissing,
  type Document,
  type Generation,
  type ReadStore,
} from '../../stores/read-store/port.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import {
  ReadModelBehind,
  ReadModelLate,
  ReadModelUnavailable,
  type CollectionReader,
  type ProjectionReader,
  type Read,
} from '../readers.ts';
import { findEndOfLog } from './feed/log-end.ts';
import { reportDamage } from './generations/damage-reports.ts';
import { projectionKey, type AnyProjection, type Collections, type Projection } from './fold/define.ts';
import { projectionReader } from './projection-reader.ts';
import { oldestUnfolded } from './status/lag.ts';
import type { ProjectionStatus } from './status/protocol.ts';
import type { Statuses } from './status/statuses.ts';

/**
 * What a command context has appended, by log: the highest position of each event type; or a single position, which
 * concerns every projection of the log.
 */
export interface ReadContext {
  readonly appended: ReadonlyMap<string, bigint | ReadonlyMap<string, bigint>>;
  /** set once something was read from a read model that is known in this process to lack events of its log */
  readBehind?: boolean;
  /** ids of resources created for it, the main one first */
  readonly newIds?: readonly string[];
}

export interface Readers {
  /** Reads for a request: it sees its own writes. Waits for a read model that has not caught up. */
  for: (context: ReadContext) => Read;
  /**
   * Reads what is folded, whether or not the read model has caught up: for callers that follow the log from the
   * position, or search the log for missing documents.
   */
  asFolded: Read;
  /**
   * For decisions that are final because a document is missing: `get` returns null only if the read model has folded
   * everything in its log that concerns it, and the document is not set aside.
   *
   * @throws ReadModelLate if it has not caught up in time
   * @throws DocumentSetAside
   */
  sure: Read;
  /** Waits until a read model has folded everything in its log that concerns it. @throws ReadModelLate */
  foldedAll: (projection: AnyProjection) => Promise<void>;
  /**
   * Waits until projections, by name, have passed what the context has appended to their logs, as far as they fold such
   * events.
   *
   * @throws ReadModelLate
   */
  waitFor: (names: readonly string[], context: ReadContext) => Promise<void>;
  /** The log positions of projections, by name; while the result is the same, their documents are the same. */
  positions: (names: readonly string[]) => string;
}

export interface ReadersOptions {
  readStore: ReadStore;
  statuses: Statuses;
  coordination: Pick<Coordination, 'catalogue' | 'write'>;
  /** READ_YOUR_WRITES_TIMEOUT_MS: the longest that a read waits for a write */
  timeout: number;
  /** the longest that a read waits for a read model that has not caught up, milliseconds; default: `timeout` */
  catchUpTimeout?: number;
  /**
   * without them, a read of `sure` is no more certain than any other, and only stored positions count if a generation
   * was replaced
   */
  logs?: Readonly<Record<'main' | 'results', Pick<EventStore, 'readAll'>>>;
}

const NOTHING_APPENDED: ReadContext = { appended: new Map() };

/**
 * Reads the generations that the engine has published, after waiting for the reader's own writes. Does not wait for a
 * projection that folds none of the appended events, because they do not change its documents.
 */
export const createReaders = ({
  readStore,
  statuses,
  coordination,
  timeout,
  catchUpTimeout = timeout,
  logs,
}: ReadersOptions): Readers => {
  /** positions that readers have waited for in vain, by projection */
  const missed = new Map<string, bigint>();

  /** Position up to which a projection must have folded its log; 0 if nothing concerns it. */
  const concerning = ({ name, log }: ProjectionStatus, { appended }: ReadContext): bigint => {
    const positions = appended.get(log) ?? 0n;
    if (typeof positions === 'bigint') return positions;
    let highest = 0n;
    for (const [type, position] of positions) {
      if (position > highest && statuses.folds(name, type)) highest = position;
    }
    return highest;
  };

  const passed = async (name: string, position: bigint): Promise<ProjectionStatus> => {
    try {
      return await statuses.passed(name, position, timeout);
    } catch (error) {
      if (error instanceof ReadModelLate && position > (missed.get(name) ?? 0n)) missed.set(name, position);
      throw error;
    }
  };

  const written = (name: string, context: ReadContext): ProjectionStatus | Promise<ProjectionStatus> => {
    const status = statuses.of(name);
    const position = concerning(status, context);
    return status.position >= position ? status : passed(name, position);
  };

  const caughtUp = async (name: string, context: ReadContext): Promise<ProjectionStatus> => {
    // A build takes longer than any read waits.
    if (statuses.of(name).generation === null) throw new ReadModelUnavailable(name);
    if (!(await statuses.waitUntilCurrent(name, catchUpTimeout))) throw new ReadModelBehind(name);
    return written(name, context);
  };

  /** Whether the log is known to contain something that the read model lacks. */
  const isBehind = ({ name, state, position }: ProjectionStatus): boolean => {
    if (state !== 'live') return true;
    const wanted = missed.get(name);
    if (wanted === undefined) return false;
    if (position >= wanted) missed.delete(name);
    return position < wanted;
  };

  const ask = async <T>(
    projection: AnyProjection,
    context: ReadContext,
    question: (generation: Generation) => Promise<T>,
    { uncertain = false } = {},
  ): Promise<T> => {
    const { name } = projection;
    const waited = uncertain || statuses.isCurrent(name) ? written(name, context) : caughtUp(name, context);
    const status = waited instanceof Promise ? await waited : waited;
    if (isBehind(status)) context.readBehind = true;
    if (status.generation === null) throw new ReadModelUnavailable(name);
    const key = projectionKey(projection);
    try {
      return await question({ projection: key, number: status.generation });
    } catch (error) {
      if (error instanceof GenerationDamaged) await reportDamage(coordination, error.generation);
      if (!(error instanceof GenerationMissing)) throw error;
      return question(await replacementOf(projection, status));
    }
  };

  /** Another generation has replaced the one that was read, or is being built because that did not fit its log. */
  const replacementOf = async (projection: AnyProjection, { name, generation, position }: ProjectionStatus) => {
    const key = projectionKey(projection);
    const entry = (await coordination.catalogue()).find((candidate) => candidate.projection === key);
    if (entry?.live == null || entry.live === generation) throw new ReadModelUnavailable(name);
    const replacement: Generation = { projection: key, number: entry.live };
    const [checkpoint] = await readStore.checkpoints([replacement]);
    // It may still lack what was seen in the other one.
    if (!checkpoint || !(await isUpTo(projection, checkpoint.position, position))) throw new ReadModelBehind(name);
    return replacement;
  };

  /**
   * Whether a read model at one position has everything that it would have at another; its own position may not be
   * stored.
   */
  const isUpTo = async (projection: AnyProjection, stored: bigint, position: bigint): Promise<boolean> => {
    if (stored >= position) return true;
    const unfolded = logs && (await oldestUnfolded(logs[projection.log], projection, stored));
    return unfolded !== undefined && (unfolded === null || unfolded.position > position);
  };

  const foldedAll = async (projection: AnyProjection): Promise<void> => {
    const { name, log } = projection;
    if (!logs) return;
    const { position } = await passed(name, statuses.of(name).position);
    const unfolded = await oldestUnfolded(logs[log], projection, position);
    if (unfolded) await passed(name, await findEndOfLog(logs[log], unfolded.position));
  };

  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  const sure = <C extends Collections>(projection: Projection<C, any>): ProjectionReader<C> => {
    const read = projectionReader(
      projection,
      readStore,
      (question) => ask(projection, NOTHING_APPENDED, question),
      // Other processes learn later what is set aside.
      () => true,
    );
    const readers = Object.entries<CollectionReader<Document>>(read).map(([name, reader]) => {
      const get = async (id: string): Promise<Document | null> => {
        const found = await reader.get(id);
        if (found) return found;
        await foldedAll(projection);
        return reader.get(id);
      };
      return [name, { ...reader, get }];
    });
    return Object.fromEntries(readers) as ProjectionReader<C>;
  };

  return {
    for:
      (context) =>
      // eslint-disable-next-line @typescript-eslint/no-explicit-any
      <C extends Collections>(projection: Projection<C, any>): ProjectionReader<C> =>
        projectionReader(
          projection,
          readStore,
          (question) => ask(projection, context, question),
          () => (statuses.of(projection.name).set_aside ?? 0) > 0,
        ),

    asFolded: (projection) =>
      projectionReader(projection, readStore, (question) =>
        ask(projection, NOTHING_APPENDED, question, { uncertain: true }),
      ),

    sure,

    foldedAll,

    waitFor: async (names, context) => {
      await Promise.all(names.map(async (name) => written(name, context)));
    },

    positions: (names) => {
      const positionOf = ({ name, generation, position }: ProjectionStatus): string =>
        `${name}.${generation ?? 0}:${position}`;
      return names.map((name) => positionOf(statuses.of(name))).join(' ');
    },
  };
};
