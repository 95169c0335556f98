import { BehaviorSubject, filter, firstValueFrom, timeout, TimeoutError, type Observable } from 'rxjs';
import { ReadModelLate } from '../../readers.ts';
import type { AnyProjection } from '../fold/define.ts';
import { CatchUp, type LogEnds } from './catch-up.ts';
import { folds, lagOf, waitingSince, type WaitingEvent } from './lag.ts';
import type { ProjectionStatus } from './protocol.ts';
import { createWriteListeners, type WriteReport, type WriteListener, type WriteListeners } from './write-reports.ts';

/** The most recent status of each projection. */
export interface Statuses {
  /** Receives the engine's reports. */
  receive: (statuses: readonly ProjectionStatus[], written?: readonly WriteReport[]) => void;
  /** Tells the source of reports whether anybody listens for writes. */
  written: Pick<WriteListeners, 'demand'>;
  /**
   * Calls the listener for each commit and each sweep of a generation that readers use, and when its documents might
   * have changed for another reason. All writes after this call are reported, or covered by a later report of
   * `unknown`. So callers should read the current documents after this call.
   *
   * @returns a function that removes the listener
   */
  onWritten: (listener: WriteListener) => () => void;
  /** @throws RangeError if there is no projection with that name */
  of: (name: string) => ProjectionStatus;
  all: () => ProjectionStatus[];
  /**
   * Returns the age of the oldest event that a projection must fold, in seconds, or 0 if there is none.
   *
   * @throws RangeError
   */
  lag: (name: string) => number;
  /**
   * Tests whether a projection handles events of a type.
   *
   * @throws RangeError if there is no projection with that name
   */
  folds: (name: string, type: string) => boolean;
  /** Emits the current status, and then each new status. */
  watch: (name: string) => Observable<ProjectionStatus>;
  /**
   * Waits until a projection has folded its log up to a position.
   *
   * @param milliseconds maximum waiting time
   * @throws ReadModelLate if the position was not reached in time; immediately if the projection is stopped or far
   * behind
   */
  passed: (name: string, position: bigint, milliseconds: number) => Promise<ProjectionStatus>;
  /**
   * Waits until the versions of a projection that other releases use at the same time have folded appended events, for
   * at most this time. Absent if no other release can run at the same time.
   *
   * @param positions the highest position of each event type, or one position for all types
   */
  passedBeside?: (name: string, positions: ReadonlyMap<string, bigint>, milliseconds: number) => Promise<void>;
  /**
   * Announces that a caller needs a projection to reach this position, but does not wait. If other processes keep the
   * read models up to date, events that a projection does not handle advance its status only after such a call, or
   * during a wait (unstored-positions.ts).
   */
  wantPosition: (name: string, position: bigint) => void;
  /**
   * Tests whether a read model has caught up with its log after the start, after a change of generations, or after a
   * store was unavailable (catch-up.ts).
   */
  isCurrent: (name: string) => boolean;
  /** Waits until `isCurrent` returns true, for at most this time. @returns the result of `isCurrent` after that */
  waitUntilCurrent: (name: string, milliseconds: number) => Promise<boolean>;
  /** Resolves when the checkpoints of all projections have been compared with the logs, so that reads are correct. */
  checked: () => Promise<void>;
}

const CLOCK = { now: () => Date.now(), monotonic: () => performance.now() };

/**
 * @param clock the wall clock, in milliseconds since 1970, and a monotonic clock; tests replace them
 * @param ends finds the ends of the logs; null if readers need not wait for read models to catch up
 */
export const createStatuses = (
  projections: readonly AnyProjection[],
  clock = CLOCK,
  ends: LogEnds | null = null,
): Statuses => {
  const catchUp = new CatchUp(projections, ends);
  const listeners = createWriteListeners();
  const subjects = new Map(
    projections.map((projection) => [projection.name, new BehaviorSubject<ProjectionStatus>(starting(projection))]),
  );

  const subjectOf = (name: string): BehaviorSubject<ProjectionStatus> => {
    const subject = subjects.get(name);
    if (!subject) throw unknown(name);
    return subject;
  };

  const byName = new Map(projections.map((projection) => [projection.name, projection]));
  const waiting = new Map<string, WaitingEvent | null>();

  /** Time at which each projection has started to catch up. */
  const catchingUp = new Map<string, number>();

  const lag = (name: string): number => lagOf(waiting.get(name) ?? null, clock.monotonic());

  /**
   * Tests whether a projection needs more than a moment to catch up. A great lag alone does not mean this: a few old
   * events are folded immediately. So the projection must also have been catching up for some time.
   */
  const isFarBehind = (name: string): boolean =>
    clock.monotonic() - (catchingUp.get(name) ?? Infinity) > SOON_DONE && lag(name) > SOON_FOLDED;

  /** Tests whether waiting for a short time would be useless. */
  const isHopeless = ({ name, state }: ProjectionStatus): boolean =>
    state === 'stopped' ||
    state === 'failing' ||
    state === 'building' ||
    (state === 'catching_up' && isFarBehind(name));

  return {
    receive: (statuses, written = []) => {
      for (const { name, position, oldest, state } of statuses) {
        if (state !== 'catching_up') catchingUp.delete(name);
        else if (!catchingUp.has(name)) catchingUp.set(name, clock.monotonic());
        const due = oldest && oldest.position > position ? oldest : null;
        waiting.set(name, waitingSince(due, waiting.get(name) ?? null, clock));
      }
      for (const status of statuses) {
        subjectOf(status.name).next(status);
        catchUp.take(status);
      }
      for (const report of written) listeners.report(report);
    },

    written: listeners,

    onWritten: listeners.add,

    of: (name) => subjectOf(name).value,

    all: () => [...subjects.values()].map((subject) => subject.value),

    folds: (name, type) => {
      const projection = byName.get(name);
      if (!projection) throw unknown(name);
      return folds(projection, type);
    },

    lag: (name) => {
      subjectOf(name);
      return lag(name);
    },

    watch: (name) => subjectOf(name).asObservable(),

    passed: async (name, position, milliseconds) => {
      const settled = subjectOf(name).pipe(
        filter((status) => status.position >= position || isHopeless(status)),
        timeout({ first: milliseconds }),
      );
      const status = await firstValueFrom(settled).catch((error: unknown) => {
        throw error instanceof TimeoutError ? new ReadModelLate(name) : error;
      });
      if (status.position < position) throw new ReadModelLate(name);
      return status;
    },

    // Nothing to do, because the engine of this process publishes every position.
    wantPosition: () => undefined,

    isCurrent: (name) => {
      if (catchUp.isCurrent(name)) return true;
      // If the search for the end of the log has failed, start it again.
      catchUp.search();
      return false;
    },

    waitUntilCurrent: (name, milliseconds) => catchUp.wait(name, milliseconds),

    checked: async () => {
      const known = (status: ProjectionStatus): boolean => status.state !== 'starting';
      await Promise.all([...subjects.values()].map((subject) => firstValueFrom(subject.pipe(filter(known)))));
    },
  };
};

const unknown = (name: string): RangeError => new RangeError(`There is no projection "${name}".`);

/** A projection that has been catching up for longer than this time can be far behind. In milliseconds. */
const SOON_DONE = 2_000;
/**
 * A projection with a greater lag than this can be far behind. A smaller lag is made up while a request waits. In
 * seconds.
 */
const SOON_FOLDED = 10;

const starting = ({ name, version, log }: AnyProjection): ProjectionStatus => ({
  name,
  version,
  log,
  generation: null,
  position: 0n,
  oldest: null,
  state: 'starting',
  error: null,
});
