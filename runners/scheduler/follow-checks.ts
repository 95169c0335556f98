import type { CheckEvent } from '../../domain/check/events.ts';
import { isCheckGroupEvent, type CheckGroupEvent } from '../../domain/check-group/events.ts';
import { unreachable } from '../../domain/decider.ts';
import type { RecordedEvent } from '../../domain/event.ts';
import type { Clock } from '../../network/clock.ts';
import type { ScheduleEntry, Schedule } from './schedule.ts';
import type { CheckSource } from './check-source.ts';

export interface FollowerDependencies {
  schedule: Schedule;
  clock: Pick<Clock, 'now'>;
  /** ends a run in flight */
  cancel: (run: RunInFlight) => void;
}

/** A run whose check has changed since it was started. */
export interface RunInFlight {
  runId: string;
  checkId: string;
  organizationId: string;
  /** of a multi-region run that was offered */
  groupId: string | null;
}

/** Fields of a definition that determine what is checked (TARGET), and how (MANNER). */
const TARGET = ['url', 'host', 'port'] as const;
const MANNER = ['timeout', 'parameters'] as const;

/** Keeps the schedule in sync with the main log. */
export const createFollower = ({ schedule, clock, cancel }: FollowerDependencies) => {
  let position = 0n;

  /** @returns whether there was a run in flight */
  const endRun = (entry: ScheduleEntry): boolean => {
    const { runId, id: checkId, organizationId, groupId } = entry;
    if (runId === null) return false;
    entry.runId = null;
    cancel({ runId, checkId, organizationId, groupId });
    return true;
  };

  const applyToGroup = (event: CheckGroupEvent): void => {
    const { check_group_id: id } = event.data;
    const runs = activityAfter(event);
    if (runs === true) schedule.resume(id, clock.now());
    if (runs === false) schedule.pause(id, clock.now());
  };

  const applyToCheck = (event: CheckEvent): void => {
    const now = clock.now();
    const entry = schedule.get(event.data.check_id);
    switch (event.type) {
      case 'CheckCreated': {
        // Loaded documents may be ahead of the position from which the log is followed.
        if (entry) return;
        const { check_id: id, organization_id: organizationId, active, interval, group_id: group } = event.data;
        schedule.add({ id, organizationId, active, parked: false, group, interval }, now, true);
        return;
      }
      case 'CheckRestored': {
        if (entry) return;
        const { check_id: id, organization_id: organizationId, active, parked, interval, group_id: group } = event.data;
        schedule.add({ id, organizationId, active, parked, group, interval }, now, true);
        return;
      }
      case 'CheckUpdated': {
        if (!entry) return;
        const { changes } = event.data;
        const activated = changes.active === true && !entry.active;
        const retargeted = TARGET.some((field) => changes[field] !== undefined);
        const otherwise = MANNER.some((field) => changes[field] !== undefined);
        // The result of a run of the old definition would be wrong: it ends without a result, and another one starts. A
        // run in progress when its check is paused still has a valid result, and counts.
        const ended = (retargeted || otherwise) && endRun(entry);
        const immediately = activated || retargeted || ended || entry.parked;
        schedule.change(entry, { ...changes, parked: false }, now, immediately);
        return;
      }
      case 'CheckGrouped':
        if (!entry) return;
        // A check that leaves a paused group starts like an activated one; otherwise it keeps its slots.
        schedule.change(entry, { group: event.data.group_id }, now, !schedule.runs(entry));
        return;
      case 'CheckDeleted':
        if (!entry) return;
        endRun(entry);
        schedule.remove(entry);
        return;
      case 'CheckParked':
        if (!entry) return;
        // Repeating the run in other regions would have the same effect.
        endRun(entry);
        schedule.change(entry, { parked: true }, now, false);
        return;
      // Its runs get other secret values, so they may end differently.
      case 'CheckSecretsChanged':
      case 'CheckReleased':
        if (entry?.parked === true) schedule.change(entry, { parked: false }, now, true);
        return;
      default:
        return;
    }
  };

  return {
    /** the last applied position */
    position: (): bigint => position,
    /** Loads all checks into the schedule, as of a position or later; those that never ran start immediately. */
    load: async (checks: CheckSource, start: bigint): Promise<void> => {
      // A failed earlier attempt may have left outdated checks.
      schedule.clear();
      position = start;
      for (const group of await checks.pausedGroups()) schedule.pause(group, clock.now());
      for (let last: string | null = null; ;) {
        const page = await checks.page(last);
        const now = clock.now();
        for (const {
          id,
          organization_id: organizationId,
          active,
          parked_at,
          group_id: group,
          interval,
          status,
        } of page) {
          const timing = { id, organizationId, active, parked: parked_at !== null, group, interval };
          schedule.add(timing, now, status === 'pending');
        }
        const end = page.at(-1);
        if (!end) return;
        last = end.id;
      }
    },
    apply: (events: readonly RecordedEvent[]): void => {
      for (const event of events) {
        const change = event as unknown as CheckEvent | CheckGroupEvent;
        if (isCheckGroupEvent(change)) applyToGroup(change);
        else applyToCheck(change);
        position = event.position;
      }
    },
  };
};

/**
 * Whether the checks of a group may run after an event; undefined: unchanged. Checks of a deleted group are in no
 * group.
 */
const activityAfter = (event: CheckGroupEvent): boolean | undefined => {
  switch (event.type) {
    case 'CheckGroupCreated':
      return event.data.check_group.active;
    case 'CheckGroupUpdated':
      return event.data.changes.active;
    case 'CheckGroupDeleted':
      return true;
    default:
      return unreachable(event);
  }
};
