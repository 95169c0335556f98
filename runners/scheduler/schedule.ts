import { nextSlot } from './slots.ts';
import { createStartTimes } from './start-times.ts';
import { createHeap, type Due } from './heap.ts';

/** A run due longer ago than this is skipped, milliseconds: after a night asleep there is no burst. */
const MAX_LATENESS_MS = 10_000;

/** Interval for rechecking whether a run that should start immediately can start, milliseconds. */
const BUSY_MS = 1_000;

/**
 * The checks of a resumed group start within this time, milliseconds: ten thousand at the same moment would be late
 * anyway.
 */
const RESUME_MS = 3_000;
/** Maximum pause between two checks of such a group, milliseconds. */
const RESUME_STEP_MS = 2;

/** The part of a check's definition that determines when it runs. */
export interface CheckTiming {
  id: string;
  organizationId: string;
  active: boolean;
  /** its runs ended the probe process twice: no more runs start */
  parked: boolean;
  /** while this group is paused, no runs start */
  group: string | null;
  /** seconds */
  interval: number;
}

/** A check in the schedule. There may be 100,000, so it contains only what timing needs. */
export interface ScheduleEntry extends Due {
  readonly id: string;
  /** the same string object for all checks of an organization */
  readonly organizationId: string;
  active: boolean;
  parked: boolean;
  /** the same string object for all checks of a group */
  group: string | null;
  interval: number;
  /** when its next run is due, milliseconds since 1970; `due` is when it starts, which is later during retries */
  slot: number;
  /** the next run is not at a slot: it counts however late it is */
  immediate: boolean;
  /** the run in flight */
  runId: string | null;
  /** the execution group of a multi-region run in flight; null until it is offered */
  groupId: string | null;
  /** number of regions in which it has not ended; Infinity while it is being offered */
  open: number;
  /** number of regions in which it ended before their total was known */
  ended: number;
  /** when an unreported run stops counting as in flight */
  freeAt: number;
  /** maximum time from its start to its end in one region; milliseconds, Infinity while it is being offered */
  takes: number;
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
  /** when it stops counting as in flight without a report; milliseconds since 1970 */
  freeAt: number;
  /** maximum time from its start to its end, milliseconds */
  takes: number;
}

/** Due runs, and how many were skipped. */
export interface DueRuns {
  runs: DueRun[];
  /** the previous run of the check was still in flight */
  inFlight: number;
  /** the slot was more than ten seconds ago */
  missed: number;
}

/** Decides which check runs when. Times are milliseconds since 1970. */
export const createSchedule = () => {
  const entries = new Map<string, ScheduleEntry>();
  const texts = new Map<string, string>();
  const paused = new Set<string>();
  const heap = createHeap<ScheduleEntry>();
  const startTimes = createStartTimes();

  /** Whether runs of a check start. */
  const runs = ({ active, parked, group }: ScheduleEntry): boolean =>
    active && !parked && (group === null || !paused.has(group));

  /** Deduplicates equal strings. */
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
   * Stops further runs. A single-region run in flight that has not started may never be reported; a multi-region one
   * has started.
   */
  const halt = (entry: ScheduleEntry, now: number): void => {
    heap.remove(entry);
    if (entry.groupId === null) entry.freeAt = Math.min(entry.freeAt, now + entry.takes);
  };

  const toGrid = (entry: ScheduleEntry, now: number): void => {
    setDue(entry, nextSlot(entry.id, entry.interval, now), false);
  };

  return {
    /** Removes all checks, to be loaded again. */
    clear: (): void => {
      for (const entry of entries.values()) heap.remove(entry);
      entries.clear();
      paused.clear();
      startTimes.clear();
    },

    size: (): number => entries.size,
    get: (id: string): ScheduleEntry | undefined => entries.get(id),
    all: (): IterableIterator<ScheduleEntry> => entries.values(),

    /** Adds a new check; it runs immediately, or first at its next slot. */
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
        takes: Infinity,
        due: 0,
        index: -1,
      };
      entries.set(id, entry);
      startTimes.add(interval);
      if (!runs(entry)) return;
      if (immediately) setDue(entry, now, true);
      else toGrid(entry, now);
    },

    /** Applies changes to a check; it runs immediately, or at its next slot. */
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

    /** Stops the checks of a group. */
    pause: (group: string, now: number): void => {
      paused.add(group);
      for (const entry of entries.values()) if (entry.group === group) halt(entry, now);
    },

    /** Resumes the checks of a group, or of a deleted one: those that did not run start now, one by one. */
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

    /** When the next run is due. */
    nextDue: (): number | undefined => heap.top()?.due,

    /** Takes at most `limit` due runs; their checks become due again at their next slots. */
    take: (now: number, limit: number): DueRuns => {
      const taken: DueRuns = { runs: [], inFlight: 0, missed: 0 };
      for (let entry = heap.top(); entry && entry.due <= now && taken.runs.length < limit; entry = heap.top()) {
        const { immediate } = entry;
        const late = now - entry.slot > MAX_LATENESS_MS;
        const busy = entry.runId !== null && now < entry.freeAt;
        // A run that counts however late it is gets the present time as its slot: otherwise its result would be late.
        const slot = late && immediate ? now : entry.slot;
        // Paused and activated again during a run: the next one starts as soon as that has ended.
        if (busy && immediate) setDue(entry, now + BUSY_MS, true);
        else toGrid(entry, now);
        if (busy) taken.inFlight += 1;
        else if (late && !immediate) taken.missed += 1;
        else taken.runs.push({ entry, slot, immediate });
      }
      return taken;
    },

    /** A run is about to be offered. */
    claim: (entry: ScheduleEntry, runId: string): void => {
      entry.runId = runId;
      entry.groupId = null;
      entry.open = Infinity;
      entry.ended = 0;
      entry.freeAt = Infinity;
      entry.takes = Infinity;
    },

    /** A run was offered. */
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
      entry.takes = takes;
      if (!runs(entry)) halt(entry, now);
      if (entry.open <= 0) entry.runId = null;
    },

    /** A run ended in one region. */
    finished: (entry: ScheduleEntry, runId: string): void => {
      if (entry.runId !== runId) return;
      entry.ended += 1;
      entry.open -= 1;
      if (entry.open <= 0) entry.runId = null;
    },

    /** Puts back a run that could not be offered, to be retried at `due`. */
    putBack: ({ entry, slot, immediate }: DueRun, due: number): void => {
      if (entries.get(entry.id) !== entry || !runs(entry) || entry.due <= due) return;
      entry.slot = slot;
      entry.immediate = immediate;
      heap.set(entry, due);
    },

    /** Recomputes all slots, after the clock was set back. */
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
