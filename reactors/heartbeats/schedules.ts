import { streamOf } from '../../domain/decider.ts';
import { pingShardOf } from '../../domain/heartbeat-pings/events.ts';
import { derivedUuid } from '../../domain/identity.ts';
import { systemEvent } from '../../domain/system-event.ts';
import { instantOf, millisecondsOf } from '../../domain/time.ts';
import { heartbeats } from '../../projections/heartbeats/projection.ts';
import { defineReactor } from '../engine/define.ts';
import { done } from '../engine/item-result.ts';
import { changed } from '../engine/list-declarations.ts';

const HEARTBEAT_SCHEDULES = 'heartbeat-schedules';

/**
 * Records the schedule of a heartbeat in the log of pings, each time the schedule changes. Therefore, lateness can be
 * derived from that log alone. A repetition records nothing.
 */
export const heartbeatSchedules = defineReactor({
  name: HEARTBEAT_SCHEDULES,
  does: 'records in the results log when pings of heartbeats are expected',
  countsEarlier: true,
  list: changed(heartbeats, 'heartbeat_timings', { changedAt: ({ changed_at }) => changed_at }),
  act: async ({ heartbeat_id, organization_id, number, timing, changed_at }, { clock, appendResult }) => {
    const event = systemEvent(
      { type: 'HeartbeatRescheduled', data: { heartbeat_id, organization_id, number, timing } },
      {
        id: derivedUuid(`${HEARTBEAT_SCHEDULES}/${heartbeat_id}/${number}`),
        by: HEARTBEAT_SCHEDULES,
        organizationId: organization_id,
        now: instantOf(clock()),
      },
    );
    await appendResult(streamOf('heartbeat_pings', pingShardOf(heartbeat_id)), event, millisecondsOf(changed_at));
    return done();
  },
});
