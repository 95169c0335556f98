import { BehaviorSubject, filter, firstValueFrom, timeout, TimeoutError, type Observable } from 'rxjs';
import { ReadModelLate } from '../readers.ts';
import type { AnyProjection } from './define.ts';
import type { ProjectionStatus } from './protocol.ts';

/** What the engine last said of each projection, for those who wait for it and for those who look at it. */
export interface Statuses {
  /** Takes what the engine says. */
  receive: (statuses: readonly ProjectionStatus[]) => void;
  /** @throws RangeError there is no projection of that name */
  of: (name: string) => ProjectionStatus;
  all: () => ProjectionStatus[];
  /** Whether a projection handles events of a type. @throws RangeError there is no projection of that name */
  folds: (name: string, type: string) => boolean;
  /** The status now and each one to come. */
  watch: (name: string) => Observable<ProjectionStatus>;
  /**
   * Waits until a projection has folded its log up to a position.
   *
   * @param milliseconds how long to wait at most
   * @throws ReadModelLate in time it did not; at once when it is stopped or far behind
   */
  passed: (name: string, position: bigint, milliseconds: number) => Promise<ProjectionStatus>;
  /** Resolves when every projection has compared its checkpoint with the log, so that what can be read is right. */
  checked: () => Promise<void>;
}

export const createStatuses = (projections: readonly AnyProjection[]): Statuses => {
  const subjects = new Map(
    projections.map((projection) => [projection.name, new BehaviorSubject<ProjectionStatus>(starting(projection))]),
  );

  const subjectOf = (name: string): BehaviorSubject<ProjectionStatus> => {
    const subject = subjects.get(name);
    if (!subject) throw unknown(name);
    return subject;
  };

  const handled = new Map(projections.map(({ name, on }) => [name, new Set(Object.keys(on as object))]));

  return {
    receive: (statuses) => {
      for (const status of statuses) subjectOf(status.name).next(status);
    },

    of: (name) => subjectOf(name).value,

    all: () => [...subjects.values()].map((subject) => subject.value),

    folds: (name, type) => {
      const types = handled.get(name);
      if (!types) throw unknown(name);
      return types.has(type);
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

    checked: async () => {
      const known = (status: ProjectionStatus): boolean => status.state !== 'starting';
      await Promise.all([...subjects.values()].map((subject) => firstValueFrom(subject.pipe(filter(known)))));
    },
  };
};

const unknown = (name: string): RangeError => new RangeError(`There is no projection "${name}".`);

/** What a projection surely folds within the time that a request waits. */
const SOON_FOLDED = 10_000;

/** Whether waiting a moment can't help. */
const isHopeless = ({ state, lag }: ProjectionStatus): boolean =>
  state === 'stopped' || state === 'failing' || state === 'building' || (state === 'catching_up' && lag > SOON_FOLDED);

const starting = ({ name, version, log }: AnyProjection): ProjectionStatus => ({
  name,
  version,
  log,
  generation: null,
  position: 0n,
  lag: 0,
  state: 'starting',
  error: null,
});
