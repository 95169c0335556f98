import { RunAborted, type RunnableCheck } from '../../probes/engine/check-type.ts';
import type { Clock } from '../../network/clock.ts';
import { nextSlot } from '../scheduler/slots.ts';
import { createHeap, type Due } from '../scheduler/heap.ts';
import { createLongRuns } from '../worker/long-runs.ts';
import type { HandedRun, HandedSchedule } from './protocol.ts';
import type { ServiceClock } from './service-clock.ts';

/** A scheduled check that can continue offline. It is stored only in memory. */
export interface KnownCheck {
  id: string;
  ticket: string;
  check: RunnableCheck;
  schedule: HandedSchedule;
}

export interface OfflineScheduleOptions {
  clock: Pick<Clock, 'monotonic' | 'after'>;
  serviceClock: Pick<ServiceClock, 'now'>;
  /** how long checks continue without the service, in milliseconds; 0 if checks stop immediately */
  limit: number;
  /** maximum number of concurrent runs */
  capacity: number;
  /** Whether a run of the check that the service handed over is in progress. */
  isRunning: (checkId: string) => boolean;
  /** Runs a check. Never rejects. @returns whether the check may run again */
  run: (known: KnownCheck, slot: number, signal: AbortSignal) => Promise<boolean>;
  /** Called when the time limit has passed. No check runs after that until the service is reachable. */
  over: () => void;
}

/** Continues scheduled checks while the service is unreachable. */
export interface OfflineSchedule {
  /** Records the check of a run that the service handed over. */
  remember: (run: HandedRun) => void;
  forget: (checkId: string) => void;
  /** Removes all checks and ends their runs. */
  clear: () => void;
  /**
   * Starts to run checks.
   *
   * @param since when the service was last reachable, by the clock of the service. Runs that were due before that time
   * were handed over by the service.
   * @returns the number of checks that continue
   */
  begin: (since: number) => number;
  /** Stops starting runs, because the service is reachable again. Runs in progress continue. */
  end: () => void;
  /** Resolves when no offline run of the check is in progress. */
  free: (checkId: string) => Promise<void>;
  inFlight: () => number;
  /** Ends all runs. */
  stop: () => Promise<void>;
}

interface Entry extends KnownCheck, Due {
  /** the slot of the next run, by the clock of the service */
  slot: number;
  /** when the service most recently handed over a run of the check, by the monotonic clock */
  handedAt: number;
}

/**
 * Number of intervals for which a check can continue after the most recent hand-over of a run. The time is at least
 * `KNOWN_MS`.
 */
const INTERVALS = 3;
const KNOWN_MS = 600_000;
/**
 * Maximum number of checks that are remembered. It exceeds the number of checks that one runner of a region has. If
 * there are more, only the checks whose runs were handed over most recently are remembered.
 */
const MAX_KNOWN = 50_000;
/** Pause before another attempt to start a check that must wait for other runs, in milliseconds. */
const RETRY_MS = 1_000;
/** Longest delay for which a timer is reliable, in milliseconds. */
const LONGEST_TIMER_MS = 3_600_000;

export const createOfflineSchedule = (options: OfflineScheduleOptions): OfflineSchedule => {
  const { clock, serviceClock, limit, capacity, run } = options;
  const longRuns = createLongRuns(capacity);
  const known = new Map<string, Entry>();
  const heap = createHeap<Entry>();
  const running = new Map<string, { controller: AbortController; done: Promise<void> }>();
  let isActive = false;
  let cancelTimer = (): void => undefined;
  let cancelLimit = (): void => undefined;
  let cancelPrune: (() => void) | null = null;

  const isCurrent = ({ handedAt, schedule }: Entry): boolean =>
    clock.monotonic() - handedAt <= Math.max(KNOWN_MS, INTERVALS * schedule.interval * 1_000);

  const remove = (entry: Entry): void => {
    known.delete(entry.id);
    heap.remove(entry);
  };

  const prune = (): void => {
    cancelPrune = null;
    if (!isActive) for (const entry of known.values()) if (!isCurrent(entry)) remove(entry);
    if (known.size > 0) cancelPrune = clock.after(KNOWN_MS, prune);
  };

  const dueAt = (entry: Entry, slot: number): void => {
    entry.slot = slot;
    heap.set(entry, slot);
  };

  const start = (entry: Entry, ended: () => void): void => {
    const controller = new AbortController();
    const done = run(entry, entry.slot, controller.signal).then((mayGoOn) => {
      ended();
      running.delete(entry.id);
      if (!mayGoOn && known.get(entry.id) === entry) remove(entry);
      startDue();
    });
    running.set(entry.id, { controller, done });
  };

  /**
   * Starts a due check, or lets it wait. If the check is late by an interval or more, skips the missed slots and uses
   * the most recent slot.
   */
  const attend = (entry: Entry, now: number): void => {
    const { id, check, schedule } = entry;
    const next = nextSlot(id, schedule.interval, now);
    const latest = next - schedule.interval * 1_000;
    if (entry.slot < latest) entry.slot = latest;
    const end = running.has(id) || options.isRunning(id) ? 'busy' : longRuns.begin(check);
    if (end === null) {
      heap.set(entry, now + RETRY_MS);
      return;
    }
    if (end !== 'busy') start(entry, end);
    dueAt(entry, next);
  };

  const startDue = (): void => {
    cancelTimer();
    if (!isActive) return;
    const now = serviceClock.now();
    for (let top = heap.top(); top && top.due <= now && running.size < capacity; top = heap.top()) attend(top, now);
    const next = heap.top();
    // If all slots of the runner are in use, no timer is needed: the end of a run calls this function again.
    if (!next || running.size >= capacity) return;
    cancelTimer = clock.after(Math.min(Math.max(0, next.due - now), LONGEST_TIMER_MS), startDue);
  };

  const end = (): void => {
    isActive = false;
    cancelTimer();
    cancelLimit();
    for (const entry of known.values()) heap.remove(entry);
  };

  const abort = (): void => {
    for (const { controller } of running.values()) controller.abort(new RunAborted());
  };

  return {
    remember: ({ check_id: id, ticket, check, schedule, slot }) => {
      if (limit === 0 || id === null || !schedule) return;
      const former = known.get(id);
      if (former) remove(former);
      const [oldest] = known.size < MAX_KNOWN ? [] : known.values();
      if (oldest) remove(oldest);
      known.set(id, { id, ticket, check, schedule, slot, due: slot, index: -1, handedAt: clock.monotonic() });
      cancelPrune ??= clock.after(KNOWN_MS, prune);
    },
    forget: (checkId) => {
      const entry = known.get(checkId);
      if (entry) remove(entry);
    },
    clear: () => {
      end();
      known.clear();
      abort();
    },
    begin: (since) => {
      if (limit === 0 || isActive) return 0;
      const now = serviceClock.now();
      for (const entry of known.values()) {
        if (!isCurrent(entry)) {
          remove(entry);
          continue;
        }
        const next = nextSlot(entry.id, entry.schedule.interval, now);
        const missed = next - entry.schedule.interval * 1_000;
        dueAt(entry, missed > Math.max(entry.slot, since) ? missed : next);
      }
      isActive = true;
      cancelLimit = clock.after(limit, () => {
        end();
        options.over();
      });
      startDue();
      return known.size;
    },
    end,
    free: async (checkId) => running.get(checkId)?.done,
    inFlight: () => running.size,
    stop: async () => {
      end();
      cancelPrune?.();
      known.clear();
      abort();
      await Promise.all([...running.values()].map(({ done }) => done));
    },
  };
};
