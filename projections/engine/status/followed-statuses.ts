import { setTimeout as sleep } from 'node:timers/promises';
import { exhaustMap, filter, firstValueFrom, interval, Observable, Subject, timeout, TimeoutError } from 'rxjs';
import type { Coordination } from '../../../stores/coordination/port.ts';
import type { EventStore } from '../../../stores/event-store/port.ts';
import type { ReadStore } from '../../../stores/read-store/port.ts';
import { ReadModelLate } from '../../readers.ts';
import { readUntilEnd } from '../feed/log-end.ts';
import { causeOf } from './error-cause.ts';
import type { AnyProjection } from '../fold/define.ts';
import { oldestUnfolded, type Unfolded } from './lag.ts';
import { createStatusPoller, failureOf, type PolledStatus } from './status-poller.ts';
import { PollingPace } from '../feed/polling-pace.ts';
import type { EngineLogLine } from './protocol.ts';
import { createStatuses, type Statuses } from './statuses.ts';
import { UnstoredPositions } from './unstored-positions.ts';
import { VersionsBeside } from './versions-beside.ts';
import type { WriteReport } from './write-reports.ts';
import { WritesElsewhere } from './writes-elsewhere.ts';

export interface FollowStatusesOptions {
  projections: readonly AnyProjection[];
  /** The logs. They are read to find their ends, and to compute the lag of a read model whose engine is silent. */
  stores: Readonly<Record<'main' | 'results', Pick<EventStore, 'readAll'>>>;
  readStore: Pick<ReadStore, 'checkpoints'>;
  coordination: Pick<Coordination, 'catalogue' | 'readByPrefix'>;
  log: (line: EngineLogLine) => void;
  /** Returns milliseconds since 1970. Used to compute the age of an event when it is noticed. */
  clock?: () => number;
  /** Overrides {@link FOLLOW_TIMINGS} in tests. In milliseconds. */
  timings?: Partial<typeof FOLLOW_TIMINGS>;
}

/** Times in milliseconds. Most are intervals at which stores are polled. */
export const FOLLOW_TIMINGS = {
  /**
   * Longest polling interval for a read model that a request waits for. The interval is shorter if changes usually
   * arrive sooner (projections/engine/feed/polling-pace.ts).
   */
  awaited: 15,
  /** Polling interval for a read model that is watched, for example by a reactor. */
  watched: 500,
  /** Polling interval for all other read models. */
  idle: 500,
  /**
   * Polling interval for the generations in use. It is shorter than the time for which a replaced generation is fed.
   */
  catalogue: 2_000,
  /** Polling interval for the states that engines report. */
  state: 2_000,
  /** An engine that is silent for this time is considered dead. Another engine should have taken over by then. */
  silence: 15_000,
  /**
   * Time for which a read model counts as not caught up after it was found beside another version. Must exceed the
   * interval of engines' reports plus `state`, and `catalogue` plus `state`.
   */
  settle: 8_000,
  /** Polling interval for logs, for read models whose engines are silent. */
  logs: 5_000,
  /** Time after which the log is read to find out whether a position is passed (unstored-positions.ts). */
  unstored: 100,
};

export interface FollowedStatuses {
  statuses: Statuses;
  stop: () => Promise<void>;
}

/** A read model and its waiters and watchers. */
interface Followed {
  projection: AnyProjection;
  waiting: number;
  watching: number;
  pace: PollingPace;
  /**
   * `due`: time of the next read of the position. `looked`: start of the newest finished read. By the monotonic clock.
   */
  due: number;
  looked: number;
}

/**
 * Follows the statuses of read models that other processes keep up to date. The statuses are polled from the stores,
 * frequently while a request waits for a read model, and otherwise rarely. One query reads all read models, and all
 * waiting requests share it.
 */
export const followStatuses = (options: FollowStatusesOptions): FollowedStatuses => {
  const { projections, stores, readStore, coordination, log, clock = Date.now } = options;
  const timings = { ...FOLLOW_TIMINGS, ...options.timings };
  const statuses = createStatuses(
    projections,
    { now: clock, monotonic: () => performance.now() },
    { marks: null, after: (log, position) => readUntilEnd(stores[log], position) },
  );
  const all = projections.map((projection): Followed => ({
    projection,
    waiting: 0,
    watching: 0,
    pace: new PollingPace(),
    due: 0,
    looked: -1,
  }));
  const byName = new Map(all.map((followed) => [followed.projection.name, followed]));
  let stopped = false;
  /** Emits after each poll, including failed ones. */
  const polls = new Subject<void>();
  let wake = (): void => undefined;
  /** The oldest unfolded events of read models whose engines are silent, by name. */
  const found = new Map<string, Unfolded | null>();
  const beside = new VersionsBeside({ projections, readStore, timings });
  const looking = createStatusPoller({ projections, readStore, coordination, timings, beside, found });
  let reachable = true;
  const unstored = new UnstoredPositions({ stores, statuses, first: timings.unstored, longest: timings.logs });
  const writtenElsewhere = new WritesElsewhere();
  // Writes are not followed without listeners, so forget the counts.
  const endDemand = statuses.written.demand.watch(() => {
    writtenElsewhere.forget();
  });

  const searchLogs = async (): Promise<void> => {
    for (const projection of projections) {
      const { name } = projection;
      if (reachable && !looking.isAbandoned(projection)) found.delete(name);
      // If a log cannot be read, keep the previous state.
      else
        await oldestUnfolded(stores[projection.log], projection, statuses.of(name).position).then(
          (oldest) => found.set(name, oldest),
          () => undefined,
        );
    }
  };

  const patienceOf = ({ waiting, watching, pace }: Followed): number =>
    waiting > 0 ? Math.min(pace.next, timings.awaited) : watching > 0 ? timings.watched : timings.idle;

  const lookAtThoseDue = async (): Promise<void> => {
    const now = performance.now();
    if (!all.some(({ due }) => due <= now)) return;
    // Include read models that are nearly due, because a query for all costs hardly more than for one.
    const due = all.filter((followed) => followed.due - patienceOf(followed) / 2 <= now);
    const looked = await looking.poll(due.map(({ projection }) => projection));
    statuses.receive(
      looked.map(({ status }) => unstored.take(status)),
      statuses.written.demand.wanted ? writtenIn(looked) : [],
    );
    reachable = true;
    for (const followed of due) {
      followed.looked = now;
      followed.due = performance.now() + patienceOf(followed);
    }
  };

  const writtenIn = (looked: readonly PolledStatus[]): WriteReport[] =>
    looked.flatMap(({ status, written }) => writtenElsewhere.take(status, written) ?? []);

  const failed = (error: unknown): void => {
    writtenElsewhere.forget();
    const message = 'The read models are not available now.';
    const cause = causeOf(error);
    log({ level: 'warn', message, fields: {}, cause });
    reachable = false;
    looking.storesUnavailable();
    const now = performance.now();
    for (const followed of all) {
      followed.looked = now;
      followed.due = now + timings.idle;
    }
    statuses.receive(
      statuses.all().map((status) => {
        const oldest = found.get(status.name) ?? status.oldest;
        return { ...status, state: 'failing', oldest, error: failureOf(cause.message) };
      }),
    );
  };

  const untilDue = async (): Promise<void> => {
    if (stopped) return;
    const next = Math.min(...all.map(({ due }) => due));
    const pause = new AbortController();
    wake = () => {
      pause.abort();
    };
    await sleep(Math.max(1, next - performance.now()), undefined, { signal: pause.signal }).catch(() => undefined);
  };

  const follow = async (): Promise<void> => {
    while (!stopped) {
      try {
        await lookAtThoseDue();
      } catch (error) {
        failed(error);
      }
      polls.next();
      await untilDue();
    }
  };

  const followedOf = (name: string): Followed => {
    const followed = byName.get(name);
    if (!followed) throw new RangeError(`There is no projection "${name}".`);
    return followed;
  };

  /** Registers interest in a read model. @returns a function that ends the interest */
  const interest = (followed: Followed, kind: 'waiting' | 'watching'): (() => void) => {
    followed[kind] += 1;
    const due = performance.now() + (kind === 'waiting' ? followed.pace.first : timings.watched);
    if (followed.due > due) {
      followed.due = due;
      wake();
    }
    return () => {
      followed[kind] -= 1;
    };
  };

  /** Waits for a read that began at `since` or later. @throws ReadModelLate if there is no such read in time */
  const lookedAt = async (followed: Followed, since: number, milliseconds: number): Promise<void> => {
    const seen = polls.pipe(
      filter(() => followed.looked >= since),
      timeout({ first: milliseconds }),
    );
    await firstValueFrom(seen, { defaultValue: undefined }).catch((error: unknown) => {
      throw error instanceof TimeoutError ? new ReadModelLate(followed.projection.name) : error;
    });
  };

  const want = (name: string, position: bigint): void => {
    if (statuses.of(name).position < position) unstored.want(followedOf(name).projection, position);
  };

  const following = follow();
  const searching = interval(timings.logs).pipe(exhaustMap(searchLogs)).subscribe();
  return {
    statuses: {
      ...statuses,
      wantPosition: want,
      watch: (name) =>
        new Observable((subscriber) => {
          const end = interest(followedOf(name), 'watching');
          const subscription = statuses.watch(name).subscribe(subscriber);
          return () => {
            subscription.unsubscribe();
            end();
          };
        }),
      isCurrent: (name) => statuses.isCurrent(name) && beside.isSettled(name),
      waitUntilCurrent: async (name, milliseconds) => {
        if (statuses.isCurrent(name)) return beside.settled(name, milliseconds);
        const begun = performance.now();
        const end = interest(followedOf(name), 'waiting');
        const isCurrent = await statuses.waitUntilCurrent(name, milliseconds).finally(end);
        return isCurrent && beside.settled(name, milliseconds - (performance.now() - begun));
      },
      passedBeside: (name, positions, milliseconds) => beside.passed(name, positions, milliseconds),
      passed: async (name, position, milliseconds) => {
        const followed = followedOf(name);
        const begun = performance.now();
        const end = interest(followed, 'waiting');
        try {
          await lookedAt(followed, begun, milliseconds);
          const left = Math.max(1, begun + milliseconds - performance.now());
          want(name, position);
          const status = await statuses.passed(name, position, left);
          followed.pace.learn(performance.now() - begun);
          return status;
        } finally {
          end();
        }
      },
    },
    stop: async () => {
      stopped = true;
      unstored.stop();
      endDemand();
      searching.unsubscribe();
      wake();
      await following;
      polls.complete();
    },
  };
};
