import { nextSlot } from './slots.ts';
import { createStartTimes } from './start-times.ts';
import { createHeap, type Due } from './heap.ts';

/**
 * A run that was due longer ago than this is skipped, in milliseconds. So there is no burst of runs after the machine
 * has slept all night.
 */
const MAX_LATENESS_MS = 10_000;

/**
 * Interval at which the schedule tests whether the previous run has ended, before it starts a run that should start
 * immediately. In milliseconds.
 */
const BUSY_MS = 1_000;

/**
 * All checks of a resumed group start within this time, in milliseconds. If ten thousand checks started at the same
 * moment, most of them would be late anyway.
 */
const RESUME_MS = 3_000;
/** Maximum pause between the starts of two checks of a resumed group, in milliseconds. */
const RESUME_STEP_MS = 2;

/** The part of a check that determines when it runs. */
export interface CheckTiming {
  id: string;
  organizationId: string;
  active: boolean;
  /** whether the check is parked because its runs ended the probe process twice; no more runs start */
  parked: boolean;
  /** id of the check's group; while the group is paused, no runs start */
  group: string | null;
  /** seconds */
  interval: number;
}

/** A check in the schedule. There may be 100,000 checks, so an entry contains only what timing needs. */
export interface ScheduleEntry extends Due {
  readonly id: string;
  /** the same string object in all entries of an organization, to save memory */
  readonly organizationId: string;
  active: boolean;
  parked: boolean;
  /** the same string object in all entries of a group, to save memory */
  group: string | null;
  interval: number;
  /**
   * when the next run is due, milliseconds since 1970. `due` is when that run is started; after a failed offer, `due`
   * is later than `slot`
   */
  slot: number;
  /**
   * whether the next run starts immediately and not at a regular slot; such a run is never skipped because it is late
   */
  immediate: boolean;
  /** id of the run in flight; null if there is none */
  runId: string | null;
  /** id of the execution group of a multi-region run in flight; null until the run is offered */
  groupId: string | null;
  /** number of regions in which the run in flight has not ended; Infinity while the run is being offered */
  open: number;
  /** number of regions in which the run in flight ended before the total number was known */
  ended: number;
  /** when a run in flight that is never reported counts as ended, milliseconds since 1970 */
  freeAt: number;
  /**
   * maximum time from the start to the end of the run in flight in one region, in milliseconds; Infinity while it is
   * being offered
   */
  maxDuration: number;
}

export interface DueRun {
  entry: ScheduleEntry;
  slot: number;
  immediate: boolean;
}

/** The result of offering a run. */
export interface OfferedRun {
  groupId: string | null;
  regions: number;
  /** when the run counts as ended if it is never reported; milliseconds since 1970 */
  freeAt: number;
  /** maximum time from the start to the end of the run in one region, milliseconds */
  takes: number;
}

/** The due runs, and the numbers of runs that were skipped. */
export interface DueRuns {
  runs: DueRun[];
  /** number of runs that were skipped because the previous run of the check was in flight */
  inFlight: number;
  /** number of runs that were skipped because their slot was more than ten seconds ago */
  missed: number;
}

/** Decides which check runs when. Times are milliseconds since 1970. */
export const createSchedule = () => {
  const entries = new Map<string, ScheduleEntry>();
  const texts = new Map<string, string>();
  const paused = new Set<string>();
  const heap = createHeap<ScheduleEntry>();
  const startTimes = createStartTimes();

  /** Whether runs of a check may start. */
  const runs = ({ active, parked, group }: ScheduleEntry): boolean =>
    active && !parked && (group === null || !paused.has(group));

  /** Returns the same string object for equal strings. */
  const shared = <T extends string | null>(text: T): T => {
    if (text === null) return text;
    const known = texts.get(text) ?? text;
    texts.set(known, known);
    return known as T;
  };

  const setDue = (entry: ScheduleEntry, slot: number, immediate: boolean): void => {
    entry.slot = slot;
    entry.immediate = immediate;
    heap.set(entry, immediate ? slot : startTimes.of(slot));
  };

  /**
   * Stops further runs of a check. If a single-region run in flight has not started, it may never be reported, so it
   * counts as ended soon. A multi-region run has certainly started.
   */
  const halt = (entry: ScheduleEntry, now: number): void => {
    heap.remove(entry);
    if (entry.groupId === null) entry.freeAt = Math.min(entry.freeAt, now + entry.maxDuration);
  };

  const toGrid = (entry: ScheduleEntry, now: number): void => {
    setDue(entry, nextSlot(entry.id, entry.interval, now), false);
  };

  return {
    /** Removes all checks, so that they can be loaded again. */
    clear: (): void => {
      for (const entry of entries.values()) heap.remove(entry);
      entries.clear();
      paused.clear();
      startTimes.clear();
    },

    size: (): number => entries.size,
    get: (id: string): ScheduleEntry | undefined => entries.get(id),
    all: (): IterableIterator<ScheduleEntry> => entries.values(),

    /** Adds a check. Its first run is due immediately or at its next slot. */
    add: (
      { id, organizationId, active, parked, group, interval }: CheckTiming,
      now: number,
      immediately: boolean,
    ): void => {
      const entry: ScheduleEntry = {
        id,
        organizationId: shared(organizationId),
        active,
        parked,
        group: shared(group),
        interval,
        slot: 0,
        immediate: false,
        runId: null,
        groupId: null,
        open: 0,
        ended: 0,
        freeAt: 0,
        maxDuration: Infinity,
        due: 0,
        index: -1,
      };
      entries.set(id, entry);
      startTimes.add(interval);
      if (!runs(entry)) return;
      if (immediately) setDue(entry, now, true);
      else toGrid(entry, now);
    },

    /** Applies changes to a check. Its next run is due immediately or at its next slot. */
    change: (
      entry: ScheduleEntry,
      changes: Partial<Pick<CheckTiming, 'active' | 'parked' | 'group' | 'interval'>>,
      now: number,
      immediately: boolean,
    ): void => {
      const { active = entry.active, parked = entry.parked, group = entry.group, interval = entry.interval } = changes;
      const ran = runs(entry);
      const moved = interval !== entry.interval;
      startTimes.remove(entry.interval);
      startTimes.add(interval);
      entry.active = active;
      entry.parked = parked;
      entry.group = shared(group);
      entry.interval = interval;
      if (!runs(entry)) halt(entry, now);
      else if (immediately) setDue(entry, now, true);
      else if ((moved || !ran) && !entry.immediate) toGrid(entry, now);
    },

    runs,

    /** Stops all checks of a group. */
    pause: (group: string, now: number): void => {
      paused.add(group);
      for (const entry of entries.values()) if (entry.group === group) halt(entry, now);
    },

    /**
     * Resumes the checks of a group that is activated or was deleted. Checks that were stopped start now, one after the
     * other.
     */
    resume: (group: string, now: number): void => {
      if (!paused.delete(group)) return;
      const members = [...entries.values()].filter((entry) => entry.group === group && runs(entry));
      const step = Math.min(RESUME_STEP_MS, RESUME_MS / members.length);
      for (const [index, entry] of members.entries()) setDue(entry, now + Math.floor(index * step), true);
    },

    remove: (entry: ScheduleEntry): void => {
      heap.remove(entry);
      if (entries.delete(entry.id)) startTimes.remove(entry.interval);
    },

    /** Returns when the next run is due. */
    nextDue: (): number | undefined => heap.top()?.due,

    /** Removes and returns at most `limit` due runs. Their checks are due again at their next slots. */
    take: (now: number, limit: number): DueRuns => {
      const taken: DueRuns = { runs: [], inFlight: 0, missed: 0 };
      for (let entry = heap.top(); entry && entry.due <= now && taken.runs.length < limit; entry = heap.top()) {
        const { immediate } = entry;
        const late = now - entry.slot > MAX_LATENESS_MS;
        const busy = entry.runId !== null && now < entry.freeAt;
        // A run that must not be skipped gets the current time as its slot. With the original slot, the result would be
        // late.
        const slot = late && immediate ? now : entry.slot;
        // If the check was paused and activated again during a run, the next run starts as soon as the present run has
        // ended.
        if (busy && immediate) setDue(entry, now + BUSY_MS, true);
        else toGrid(entry, now);
        if (busy) taken.inFlight += 1;
        else if (late && !immediate) taken.missed += 1;
        else taken.runs.push({ entry, slot, immediate });
      }
      return taken;
    },

    /** Must be called before a run is offered. */
    claim: (entry: ScheduleEntry, runId: string): void => {
      entry.runId = runId;
      entry.groupId = null;
      entry.open = Infinity;
      entry.ended = 0;
      entry.freeAt = Infinity;
      entry.maxDuration = Infinity;
    },

    /** Must be called after a run was offered. */
    offered: (
      entry: ScheduleEntry,
      runId: string,
      { groupId, regions, freeAt, takes }: OfferedRun,
      now: number,
    ): void => {
      if (entry.runId !== runId) return;
      entry.groupId = groupId;
      entry.open = regions - entry.ended;
      entry.freeAt = freeAt;
      entry.maxDuration = takes;
      if (!runs(entry)) halt(entry, now);
      if (entry.open <= 0) entry.runId = null;
    },

    /** Must be called when a run has ended in one region. */
    finished: (entry: ScheduleEntry, runId: string): void => {
      if (entry.runId !== runId) return;
      entry.ended += 1;
      entry.open -= 1;
      if (entry.open <= 0) entry.runId = null;
    },

    /** Puts back a run that could not be offered. It is due again at `due`. */
    putBack: ({ entry, slot, immediate }: DueRun, due: number): void => {
      if (entries.get(entry.id) !== entry || !runs(entry) || entry.due <= due) return;
      entry.slot = slot;
      entry.immediate = immediate;
      heap.set(entry, due);
    },

    /** Recomputes all slots after the clock was set back. */
    restart: (now: number): void => {
      for (const entry of entries.values()) {
        if (runs(entry))
          setDue(entry, entry.immediate ? now : nextSlot(entry.id, entry.interval, now), entry.immediate);
        entry.freeAt = Math.min(entry.freeAt, now);
      }
    },
  };
};

export type Schedule = ReturnType<typeof createSchedule>;
