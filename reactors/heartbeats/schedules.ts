import { streamOf } from '../../domain/decider.ts';
import { pingShardOf } from '../../domain/heartbeat-pings/events.ts';
import { derivedUuid } from '../../domain/identity.ts';
import { systemEvent } from '../../domain/system-event.ts';
import { instantOf, millisecondsOf } from '../../domain/time.ts';
import type { NewEvent } from '../../domain/event.ts';
import type { HeartbeatTimingDocument } from '../../projections/heartbeats/projection.ts';
import { changeWork } from '../engine/changes.ts';
import { done } from '../engine/ending.ts';
import type { ChangeList, TodoProjection } from '../engine/lists.ts';
import type { Reactor } from '../engine/loop.ts';

export const HEARTBEAT_SCHEDULES = 'heartbeat-schedules';

/**
 * Appends an event to a stream of the results log.
 *
 * @param since the earliest time at which it can have been stored before, milliseconds since 1970
 */
export type AppendSince = (stream: string, event: NewEvent, since: number) => Promise<unknown>;

export interface HeartbeatSchedulesDependencies {
  /** milliseconds since 1970 */
  clock: () => number;
  append: AppendSince;
  list: ChangeList<HeartbeatTimingDocument>;
  todo: TodoProjection;
}

/**
 * Says in the log of pings when pings of a heartbeat are expected, as often as that changes, so that who is late
 * follows from that log alone. Whoever comes twice says nothing new.
 */
export const heartbeatSchedulesReactor = ({ clock, append, list, todo }: HeartbeatSchedulesDependencies): Reactor => ({
  name: HEARTBEAT_SCHEDULES,
  countsEarlier: true,
  todo,
  work: changeWork(
    HEARTBEAT_SCHEDULES,
    todo,
    list,
    async ({ heartbeat_id, organization_id, number, timing, changed_at }) => {
      const event = systemEvent(
        { type: 'HeartbeatRescheduled', data: { heartbeat_id, organization_id, number, timing } },
        {
          id: derivedUuid(`${HEARTBEAT_SCHEDULES}/${heartbeat_id}/${number.toString()}`),
          by: HEARTBEAT_SCHEDULES,
          organizationId: organization_id,
          now: instantOf(clock()),
        },
      );
      await append(streamOf('heartbeat_pings', pingShardOf(heartbeat_id)), event, millisecondsOf(changed_at));
      return done();
    },
    { changedAt: ({ changed_at }) => changed_at },
  ),
});
