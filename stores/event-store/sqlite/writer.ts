import { decideAppend, type StreamState } from '../append-outcome.ts';
import { DamagedEvent, type ExpectedRevision } from '../port.ts';
import type { SerializedEvent } from '../serialized.ts';
import { createStreamHeads, type StreamHeads } from './stream-heads.ts';
import { createRemoval, type RemovalStep, type RemovalProgress } from './removal.ts';
import type { Connection } from './schema.ts';

export interface AppendRequest {
  stream: string;
  events: readonly SerializedEvent[];
  expected: ExpectedRevision;
}

/** The result of an append. Within the adapter, revisions and positions are numbers; -1 means "no stream". */
export type AppendResult =
  | { outcome: 'appended'; revision: number; position: number }
  | { outcome: 'conflict'; actual: number }
  /** the end of the stream can't be read because the log is damaged */
  | { outcome: 'damaged'; message: string }
  | { outcome: 'unavailable'; message: string };

type Unavailable = Extract<AppendResult, { outcome: 'unavailable' }>;
export type RemovalResult = RemovalProgress | Unavailable;

export interface LogWriter {
  /**
   * Commits a group of appends. Decides each append separately, and returns the results in the order of the requests.
   *
   * @param arrived called after the inserts; returns the appends that have arrived in the meantime, which become part
   * of the same commit. An empty list ends the group
   */
  write: (requests: readonly AppendRequest[], arrived?: () => readonly AppendRequest[]) => AppendResult[];
  /** Runs one step of retention. */
  remove: (step: RemovalStep) => RemovalResult;
  /** a sentence that says why the last write failed; null if it succeeded */
  readonly failure: string | null;
  /** Tests whether writes succeed again. */
  probe: () => boolean;
  /** Checkpoints the WAL into the database if the WAL is large enough. */
  checkpoint: () => void;
  close: () => void;
}

interface Opened {
  connection: Connection;
  heads: StreamHeads;
  remove: (step: RemovalStep) => RemovalProgress;
  run: Record<'begin' | 'commit' | 'savepoint' | 'release' | 'rollbackTo' | 'probe', () => void>;
  inTransaction: () => boolean;
  /** returns whether another connection has committed since the previous call */
  othersWrote: () => boolean;
}

const CHECKPOINT_PAGES = 1_000;
/** Approximate number of bytes committed between two checks of the length of the WAL. */
const CHECKPOINT_CHECK_BYTES = 1_048_576;
/** Number of bytes that an append changes in addition to its payload: about one page of the index. */
const PAGE_BYTES = 4_096;
const PROBE_BYTES = 65_536;

/**
 * Writes a log through one connection, in groups: appends that arrive during a commit share the next one
 * (docs/develop/stores.md#sqlite-log). All calls are synchronous, so a service uses the writer in a separate thread.
 *
 * @param open opens the connection; called again after a failed commit
 */
export const createLogWriter = (name: string, open: () => Connection): LogWriter => {
  let opened: Opened | null = prepare(open());
  let failure: string | null = null;
  /** number of appends that have inserted their events */
  let inserted = 0;
  /** approximate number of bytes written since the WAL was last checked */
  let written = 0;

  const unavailable = (error: unknown): Unavailable => {
    const reason = error instanceof Error ? error.message : String(error);
    failure = `The log ${name} can't be written: ${reason.replace(/\.$/, '')}.`;
    return { outcome: 'unavailable', message: failure };
  };

  const appendOne = ({ run, heads, inTransaction }: Opened, request: AppendRequest): AppendResult => {
    const met = stateOrDamage(heads, request.stream);
    if ('outcome' in met) return met;
    const verdict = decideAppend(request, met);
    if (verdict === 'conflict') return { outcome: 'conflict', actual: met.current };
    if (verdict !== 'append') return storedResult(heads, request, verdict.repeats);
    run.savepoint();
    try {
      const end = heads.insert(request.stream, request.events);
      inserted++;
      written += request.events.reduce((sum, { data, metadata }) => sum + data.length + metadata.length, PAGE_BYTES);
      return { outcome: 'appended', ...end };
    } catch (error) {
      // After some failures, such as a full disk, SQLite has already rolled back the whole group.
      if (!inTransaction()) throw error;
      run.rollbackTo();
      heads.forget(request.stream);
      return unavailable(error);
    } finally {
      if (inTransaction()) run.release();
    }
  };

  /**
   * Determines the results of a group after an insert or the COMMIT has failed. The failure does not show whether the
   * group was committed, so a new connection reads which appends are stored.
   */
  const lookUp = (requests: readonly AppendRequest[], responses: readonly AppendResult[], cause: unknown) => {
    const lost = unavailable(cause);
    try {
      opened?.connection.close();
    } catch {
      // Ignore this error: the original failure is already reported.
    }
    opened = null;
    try {
      const { heads, run } = (opened = prepare(open()));
      // An event counts as stored only if a later write succeeds.
      run.probe();
      return requests.map((request, index): AppendResult => {
        const response = responses[index];
        if (response?.outcome !== 'appended') return lost;
        const first = response.revision - request.events.length + 1;
        const met = heads.stateOf(request.stream);
        const stored = request.events.every((event, offset) => met.idAt(first + offset) === event.id);
        return stored ? storedResult(heads, request, first) : lost;
      });
    } catch {
      return requests.map(() => lost);
    }
  };

  const write = (
    requests: readonly AppendRequest[],
    arrived: () => readonly AppendRequest[] = () => [],
  ): AppendResult[] => {
    const group = [...requests];
    const responses: AppendResult[] = [];
    try {
      opened ??= prepare(open());
      opened.run.begin();
      if (opened.othersWrote()) opened.heads.forget();
      const before = inserted;
      let batch = requests;
      while (batch.length > 0) {
        for (const request of batch) responses.push(appendOne(opened, request));
        batch = arrived();
        group.push(...batch);
      }
      opened.run.commit();
      if (inserted > before && responses.every((response) => response.outcome !== 'unavailable')) failure = null;
      return responses;
    } catch (error) {
      return lookUp(group, responses, error);
    }
  };

  const remove = (step: RemovalStep): RemovalResult => {
    try {
      opened ??= prepare(open());
      opened.run.begin();
      const removed = opened.remove(step);
      opened.run.commit();
      written += removed.count * PAGE_BYTES;
      return removed;
    } catch (error) {
      // Whether the step was committed does not matter: the next step examines the remaining events.
      try {
        opened?.connection.close();
      } catch {
        // Ignore this error: the failure of the step is already reported.
      }
      opened = null;
      return unavailable(error);
    }
  };

  return {
    write,
    remove,
    get failure() {
      return failure;
    },
    probe: () => {
      try {
        opened ??= prepare(open());
        opened.run.probe();
        failure = null;
      } catch (error) {
        unavailable(error);
      }
      return failure === null;
    },
    checkpoint: () => {
      if (written < CHECKPOINT_CHECK_BYTES) return;
      written = 0;
      try {
        const [state] = opened?.connection.pragma('wal_checkpoint(NOOP)') as { log: number; checkpointed: number }[];
        if (state && state.log - state.checkpointed >= CHECKPOINT_PAGES) {
          opened?.connection.pragma('wal_checkpoint(PASSIVE)');
        }
      } catch {
        // Committed events are safe in the WAL, and the next checkpoint copies them.
      }
    },
    close: () => opened?.connection.close(),
  };
};

/** Returns the state of the stream; if the log is damaged, the result of the append instead. */
const stateOrDamage = (
  heads: StreamHeads,
  stream: string,
): StreamState | Extract<AppendResult, { outcome: 'damaged' }> => {
  try {
    return heads.stateOf(stream);
  } catch (error) {
    if (!(error instanceof DamagedEvent)) throw error;
    return { outcome: 'damaged', message: error.message };
  }
};

/** Returns the result of an append whose events are in the log, beginning at a revision. */
const storedResult = (heads: StreamHeads, request: AppendRequest, first: number): AppendResult => {
  const revision = first + request.events.length - 1;
  return { outcome: 'appended', revision, position: heads.positionAt(request.stream, revision) ?? 0 };
};

const prepare = (connection: Connection): Opened => {
  const statement = (sql: string): (() => void) => {
    const prepared = connection.prepare(sql);
    return () => void prepared.run();
  };
  const fill = connection.prepare('INSERT INTO probe (filler) VALUES (zeroblob(?))');
  const empty = connection.prepare('DELETE FROM probe');
  const dataVersion = connection.prepare<[], number>('PRAGMA data_version').pluck();
  let seen = dataVersion.get();
  return {
    connection,
    heads: createStreamHeads(connection),
    remove: createRemoval(connection),
    run: {
      begin: statement('BEGIN IMMEDIATE'),
      commit: statement('COMMIT'),
      savepoint: statement('SAVEPOINT append'),
      release: statement('RELEASE append'),
      rollbackTo: statement('ROLLBACK TO append'),
      probe: () => {
        fill.run(PROBE_BYTES);
        empty.run();
      },
    },
    inTransaction: () => connection.inTransaction,
    othersWrote: () => {
      const before = seen;
      seen = dataVersion.get();
      return seen !== before;
    },
  };
};
