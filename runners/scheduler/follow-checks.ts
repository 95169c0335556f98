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

/** A run that was started before its check was changed. */
export interface RunInFlight {
  runId: string;
  checkId: string;
  organizationId: string;
  /** the group of a multi-region run that was offered; otherwise null */
  groupId: string | null;
}

/** Fields of a definition. TARGET determines what is checked, and MANNER determines how it is checked. */
const TARGET = ['url', 'host', 'port'] as const;
const MANNER = ['timeout', 'parameters'] as const;

/** Keeps the schedule in sync with the main log. */
export const createFollower = ({ schedule, clock, cancel }: FollowerDependencies) => {
  let position = 0n;

  /** Ends the run of a check. @returns whether a run was in flight */
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
        // The check may already be loaded: documents can be newer than the position from which the log is followed.
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
        // A run with the previous definition would give a wrong result. Therefore, that run ends without a result, and
        // another run starts. If a check is paused during a run, the result of the run is still valid and counts.
        const ended = (retargeted || otherwise) && endRun(entry);
        const immediately = activated || retargeted || ended || entry.parked;
        schedule.change(entry, { ...changes, parked: false }, now, immediately);
        return;
      }
      case 'CheckGrouped':
        if (!entry) return;
        // If a check leaves a paused group, it starts like an activated check. Otherwise, its slots do not change.
        schedule.change(entry, { group: event.data.group_id }, now, !schedule.runs(entry));
        return;
      case 'CheckDeleted':
        if (!entry) return;
        endRun(entry);
        schedule.remove(entry);
        return;
      case 'CheckParked':
        if (!entry) return;
        // The run is not repeated in other regions, because it would end the processes there too.
        endRun(entry);
        schedule.change(entry, { parked: true }, now, false);
        return;
      // From now on, runs get other secret values, so they might no longer end the process.
      case 'CheckSecretsChanged':
      case 'CheckReleased':
        if (entry?.parked === true) schedule.change(entry, { parked: false }, now, true);
        return;
      default:
        return;
    }
  };

  return {
    /** returns the position of the last applied event */
    position: (): bigint => position,
    /**
     * Loads all checks into the schedule, in their state at position `start` or later. Checks that never ran start
     * immediately.
     */
    load: async (checks: CheckSource, start: bigint): Promise<void> => {
      // A previous attempt that failed may have left outdated checks.
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
 * Returns whether the checks of a group may run after an event; undefined if the event does not change whether they
 * may. After the deletion of a group, its checks belong to no group, so they may run.
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
