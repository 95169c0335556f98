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
 * The positions that a reader must see. By log, either the highest position of each event type, or a single position
 * that applies to every projection of the log.
 */
export interface ReadContext {
  readonly appended: ReadonlyMap<string, bigint | ReadonlyMap<string, bigint>>;
  /** Set to true when something was read from a read model that is known to lack events of its log. */
  readBehind?: boolean;
  /** Ids of the resources that the request has created, the main one first. */
  readonly newIds?: readonly string[];
}

export interface Readers {
  /** Returns readers for a request, which see the request's own writes. They wait for read models to catch up. */
  for: (context: ReadContext) => Read;
  /**
   * Reads without waiting for the read model to catch up. For callers that follow the log from the model's position, or
   * search the log for missing documents.
   */
  asFolded: Read;
  /**
   * Reads for decisions that rely on the absence of a document. `get` returns null only if the read model has folded
   * all relevant events of its log and the document is not set aside.
   *
   * @throws ReadModelLate if the read model has not caught up in time
   * @throws DocumentSetAside
   */
  sure: Read;
  /** Waits until a read model has folded all relevant events of its log. @throws ReadModelLate */
  foldedAll: (projection: AnyProjection) => Promise<void>;
  /**
   * Waits until projections have folded the events that the context has appended. Ignores event types that a projection
   * does not handle. Also waits for versions of other releases, so that processes of these releases show the events.
   *
   * @throws ReadModelLate
   */
  waitFor: (names: readonly string[], context: ReadContext) => Promise<void>;
  /** Returns the log positions of projections as text. While the text stays the same, their documents do too. */
  positions: (names: readonly string[]) => string;
}

export interface ReadersOptions {
  readStore: ReadStore;
  statuses: Statuses;
  coordination: Pick<Coordination, 'catalogue' | 'write'>;
  /** READ_YOUR_WRITES_TIMEOUT_MS: maximum time that a read waits for a write, in milliseconds. */
  timeout: number;
  /** Maximum time that a read waits for a read model to catch up, in milliseconds. Default: `timeout`. */
  catchUpTimeout?: number;
  /**
   * The logs. Without them, `sure` is no more reliable than other reads, and a replaced generation is compared with its
   * replacement by stored positions only.
   */
  logs?: Readonly<Record<'main' | 'results', Pick<EventStore, 'readAll'>>>;
}

const NOTHING_APPENDED: ReadContext = { appended: new Map() };

/**
 * Creates readers of the generations that the engine has published. A read waits for the reader's own writes, unless
 * the projection handles none of the appended events.
 */
export const createReaders = ({
  readStore,
  statuses,
  coordination,
  timeout,
  catchUpTimeout = timeout,
  logs,
}: ReadersOptions): Readers => {
  /** Positions that were not reached before a reader's timeout, by projection. */
  const missed = new Map<string, bigint>();

  /** Returns the position that a projection must have reached, or 0 if it handles none of the appended events. */
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

  const writtenBeside = async (name: string, { appended }: ReadContext): Promise<void> => {
    const positions = appended.get(statuses.of(name).log);
    // One position for all event types is that of a read. Only a write names the types of its events.
    if (positions === undefined || typeof positions === 'bigint') return;
    await statuses.passedBeside?.(name, positions, timeout);
  };

  const caughtUp = async (name: string, context: ReadContext): Promise<ProjectionStatus> => {
    // Do not wait for a build, because it takes longer than the timeout.
    if (statuses.of(name).generation === null) throw new ReadModelUnavailable(name);
    if (!(await statuses.waitUntilCurrent(name, catchUpTimeout))) throw new ReadModelBehind(name);
    return written(name, context);
  };

  /** Tests whether the read model is known to lack events of its log. */
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

  /**
   * Finds the generation that has replaced the generation that was read. Returns null if no replacement can be read,
   * for example because it is still being built.
   */
  const replacementOf = async (projection: AnyProjection, { name, generation, position }: ProjectionStatus) => {
    const key = projectionKey(projection);
    const entry = (await coordination.catalogue()).find((candidate) => candidate.projection === key);
    if (entry?.live == null || entry.live === generation) throw new ReadModelUnavailable(name);
    const replacement: Generation = { projection: key, number: entry.live };
    const [checkpoint] = await readStore.checkpoints([replacement]);
    // The replacement might lack events that the previous generation had folded.
    if (!checkpoint || !(await isUpTo(projection, checkpoint.position, position))) throw new ReadModelBehind(name);
    return replacement;
  };

  /**
   * Tests whether a read model whose stored position is `stored` has all documents that it would have at `position`.
   * The stored position can be behind if the events in between are not relevant.
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
      // Always search among the set-aside documents, because other processes are informed of them with a delay.
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
      if (statuses.passedBeside) await Promise.all(names.map((name) => writtenBeside(name, context)));
    },

    positions: (names) => {
      const positionOf = ({ name, generation, position }: ProjectionStatus): string =>
        `${name}.${generation ?? 0}:${position}`;
      return names.map((name) => positionOf(statuses.of(name))).join(' ');
    },
  };
};
