import { BehaviorSubject, filter, firstValueFrom, timeout, TimeoutError, type Observable } from 'rxjs';
import { ReadModelLate } from '../../readers.ts';
import type { AnyProjection } from '../fold/define.ts';
import { CatchUp, type LogEnds } from './catch-up.ts';
import { folds, lagOf, waitingSince, type WaitingEvent } from './lag.ts';
import type { ProjectionStatus } from './protocol.ts';
import { createWriteListeners, type WriteReport, type WriteListener, type WriteListeners } from './write-reports.ts';

/** The engine's last report on each projection. */
export interface Statuses {
  /** Receives the engine's reports. */
  receive: (statuses: readonly ProjectionStatus[], written?: readonly WriteReport[]) => void;
  /** listeners for writes; the source of reports checks whether there is demand */
  written: Pick<WriteListeners, 'demand'>;
  /**
   * Calls back for each commit of a generation that readers use, and when anything else may have changed in it. Writes
   * after this call are reported, or covered by a later report of `unknown`, so read the present state after this call.
   * Sweeps of expired documents are reported too.
   *
   * @returns ends it
   */
  onWritten: (listener: WriteListener) => () => void;
  /** @throws RangeError if there is no projection with that name */
  of: (name: string) => ProjectionStatus;
  all: () => ProjectionStatus[];
  /** Age in seconds of the oldest event that a projection must fold; 0: there is none. @throws RangeError */
  lag: (name: string) => number;
  /** Whether a projection handles events of a type. @throws RangeError if there is no projection with that name */
  folds: (name: string, type: string) => boolean;
  /** The current status and each one to come. */
  watch: (name: string) => Observable<ProjectionStatus>;
  /**
   * Waits until a projection has folded its log up to a position.
   *
   * @param milliseconds maximum waiting time
   * @throws ReadModelLate if it was not there in time; immediately if it is stopped or far behind
   */
  passed: (name: string, position: bigint, milliseconds: number) => Promise<ProjectionStatus>;
  /**
   * Announces that a caller compares the position of a projection with this one, without waiting for it. If other
   * processes keep the read models up to date, events that do not concern a projection move its status only after such
   * a call or during a wait (unstored-positions.ts).
   */
  wantPosition: (name: string, position: bigint) => void;
  /**
   * Whether a read model has everything that its log contained when its completeness was last uncertain: at the start,
   * after a change of generations, and after a store was unavailable (catch-up.ts).
   */
  isCurrent: (name: string) => boolean;
  /** Waits until `isCurrent`, up to a number of milliseconds. @returns whether it is */
  waitUntilCurrent: (name: string, milliseconds: number) => Promise<boolean>;
  /** Resolves when every projection has compared its checkpoint with the log, so that reads are correct. */
  checked: () => Promise<void>;
}

const CLOCK = { now: () => Date.now(), monotonic: () => performance.now() };

/**
 * @param clock the wall clock, milliseconds since 1970, and a monotonic one; replaced in tests
 * @param ends where the logs end; null: read models are read without having caught up
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

  /** since when projections have been catching up */
  const catchingUp = new Map<string, number>();

  const lag = (name: string): number => lagOf(waiting.get(name) ?? null, clock.monotonic());

  /**
   * Whether a projection that is catching up will take more than a moment. The age of its events alone is not enough: a
   * few old ones are folded immediately.
   */
  const isFarBehind = (name: string): boolean =>
    clock.monotonic() - (catchingUp.get(name) ?? Infinity) > SOON_DONE && lag(name) > SOON_FOLDED;

  /** Whether a short wait cannot help. */
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

    // The engine of this process publishes every position.
    wantPosition: () => undefined,

    isCurrent: (name) => {
      if (catchUp.isCurrent(name)) return true;
      // Without other callers, a read model whose log end could not be found would stay in this state.
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

/** Milliseconds of catching up after which a projection counts as far behind. */
const SOON_DONE = 2_000;
/** Seconds: a shorter lag is a burst that is folded within the time that a request waits. */
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
