import { setTimeout as sleep } from 'node:timers/promises';
import { firstValueFrom, Observable, Subject } from 'rxjs';
import { CoordinationUnavailable, type CatalogueEntry, type Coordination } from '../../stores/coordination/port.ts';
import { ReadStoreUnavailable, type ReadStore } from '../../stores/read-store/port.ts';
import { projectionKey, type AnyProjection } from './define.ts';
import { checkpointOf } from './generations.ts';
import { recallState, type RememberedState } from './listing.ts';
import type { EngineLogLine, ProjectionFailure, ProjectionState, ProjectionStatus } from './protocol.ts';
import { createStatuses, type Statuses } from './statuses.ts';

export interface FollowOptions {
  projections: readonly AnyProjection[];
  readStore: Pick<ReadStore, 'checkpoint'>;
  coordination: Pick<Coordination, 'catalogue' | 'read'>;
  log: (line: EngineLogLine) => void;
  /** waits, milliseconds; other ones than {@link FOLLOW_TIMINGS} are for tests */
  timings?: Partial<typeof FOLLOW_TIMINGS>;
}

/** All in milliseconds; how often the stores are asked, but for the last. */
export const FOLLOW_TIMINGS = {
  /** for a read model that a request waits for */
  awaited: 15,
  /** for one that somebody watches, as a reactor does; who is in a hurry waits for a position */
  watched: 500,
  /** for the others */
  idle: 500,
  /** what engines say of their work */
  state: 2_000,
  /** an engine that says nothing more for so long is gone; another one has taken over by then, if there is one */
  silence: 15_000,
};

const NOBODY = 'No process keeps it up to date at present: start uptrail project.';

export interface FollowedStatuses {
  statuses: Statuses;
  stop: () => Promise<void>;
}

/** A read model and who is interested in it. */
interface Followed {
  projection: AnyProjection;
  key: string;
  waiting: number;
  watching: number;
  /** when its position is to be read next, and what its engine says of it, by the monotonic clock */
  due: number;
  stateDue: number;
  said: RememberedState | null;
  /** when its engine was heard last, by the same clock */
  heard: number;
}

/**
 * The statuses of read models that other processes keep up to date, read from the stores: often while
 * somebody waits, seldom else. All who wait share what is read.
 */
export const followStatuses = (options: FollowOptions): FollowedStatuses => {
  const { projections, readStore, coordination, log } = options;
  const timings = { ...FOLLOW_TIMINGS, ...options.timings };
  const statuses = createStatuses(projections);
  const all = projections.map((projection): Followed => ({
    projection,
    key: projectionKey(projection),
    waiting: 0,
    watching: 0,
    due: 0,
    stateDue: 0,
    said: null,
    heard: performance.now(),
  }));
  const byName = new Map(all.map((followed) => [followed.projection.name, followed]));
  const stopping = new AbortController();
  /** told whenever read models were looked at, or could not be */
  const looks = new Subject<void>();
  let wake = (): void => undefined;
  let reachable = true;

  const patienceOf = ({ waiting, watching }: Followed): number =>
    waiting > 0 ? timings.awaited : watching > 0 ? timings.watched : timings.idle;

  const listen = async (followed: Followed): Promise<void> => {
    const said = await recallState(coordination, followed.projection);
    const now = performance.now();
    // A beat is counted by each engine for itself, so another value is all that can be told.
    if (said?.beat !== followed.said?.beat) followed.heard = now;
    followed.said = said;
    followed.stateDue = now + timings.state;
  };

  const look = async (followed: Followed, entry: CatalogueEntry | undefined): Promise<ProjectionStatus> => {
    const { projection, key } = followed;
    const { name, version, log: logName } = projection;
    if (performance.now() >= followed.stateDue) await listen(followed);
    const checkpoint =
      entry?.live == null ? null : await checkpointOf(readStore, { projection: key, number: entry.live });
    const { state, error, lag } = followed.said ?? { state: 'live' as const, error: null, lag: 0 };
    const abandoned = performance.now() - followed.heard > timings.silence;
    const message = abandoned ? NOBODY : error;
    return {
      name,
      version,
      log: logName,
      generation: checkpoint ? (entry?.live ?? null) : null,
      position: checkpoint?.position ?? 0n,
      lag,
      state: abandoned ? 'failing' : checkpoint ? stateOf(state) : 'building',
      error: message === null ? null : failureOf(message),
    };
  };

  const lookAtThoseDue = async (): Promise<void> => {
    const now = performance.now();
    const due = all.filter((followed) => followed.due <= now);
    if (due.length === 0) return;
    const catalogue = new Map((await coordination.catalogue()).map((entry) => [entry.projection, entry]));
    statuses.receive(await Promise.all(due.map((followed) => look(followed, catalogue.get(followed.key)))));
    reachable = true;
    for (const followed of due) followed.due = performance.now() + patienceOf(followed);
  };

  const failed = (error: unknown): void => {
    const known = error instanceof CoordinationUnavailable || error instanceof ReadStoreUnavailable;
    if (reachable || !known) {
      log({ level: 'warn', message: 'The read models do not answer at present.', fields: { error: String(error) } });
    }
    reachable = false;
    const now = performance.now();
    for (const followed of all) {
      followed.due = now + timings.idle;
      // Who can't be heard may be at work all the same.
      followed.heard = now;
    }
    const message = error instanceof Error ? error.message : String(error);
    statuses.receive(statuses.all().map((status) => ({ ...status, state: 'failing', error: failureOf(message) })));
  };

  const follow = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        await lookAtThoseDue();
      } catch (error) {
        failed(error);
      }
      looks.next();
      const next = Math.min(...all.map(({ due }) => due));
      const pause = new AbortController();
      wake = () => {
        pause.abort();
      };
      const ended = AbortSignal.any([stopping.signal, pause.signal]);
      await sleep(Math.max(1, next - performance.now()), undefined, { signal: ended }).catch(() => undefined);
    }
  };

  /** Somebody is interested from now on. @returns ends that */
  const interest = (name: string, kind: 'waiting' | 'watching'): (() => void) => {
    const followed = byName.get(name);
    if (!followed) throw new RangeError(`There is no projection "${name}".`);
    followed[kind] += 1;
    const due = performance.now() + (kind === 'waiting' ? 0 : timings.watched);
    if (followed.due > due) {
      followed.due = due;
      wake();
    }
    return () => {
      followed[kind] -= 1;
    };
  };

  const following = follow();
  return {
    statuses: {
      ...statuses,
      watch: (name) =>
        new Observable((subscriber) => {
          const end = interest(name, 'watching');
          const subscription = statuses.watch(name).subscribe(subscriber);
          return () => {
            subscription.unsubscribe();
            end();
          };
        }),
      passed: async (name, position, milliseconds) => {
        const end = interest(name, 'waiting');
        try {
          // What was seen last may be long ago.
          await firstValueFrom(looks, { defaultValue: undefined });
          return await statuses.passed(name, position, milliseconds);
        } finally {
          end();
        }
      },
    },
    stop: async () => {
      stopping.abort();
      await following;
      looks.complete();
    },
  };
};

const failureOf = (message: string): ProjectionFailure => ({
  message,
  position: null,
  event_id: null,
  event_type: null,
});

/** What is said of the beginning is out of date where there is something to read. */
const stateOf = (said: ProjectionState): ProjectionState =>
  said === 'starting' || said === 'building' ? 'live' : said;
