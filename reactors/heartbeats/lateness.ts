import { streamOf } from '../../domain/decider.ts';
import type { LateHeartbeat } from '../../domain/heartbeat/evaluation.ts';
import { latenessOf, type Reception } from '../../domain/heartbeat/reception.ts';
import { secondsLater } from '../../domain/heartbeat/expectation.ts';
import { pingShardOf } from '../../domain/heartbeat-pings/events.ts';
import { downAtOf, STORED_WITHIN } from '../../domain/heartbeat-pings/state.ts';
import { derivedUuid } from '../../domain/identity.ts';
import { systemEvent } from '../../domain/system-event.ts';
import { millisecondsOf, type Instant } from '../../domain/time.ts';
import {
  heartbeatPings,
  type AwaitedHeartbeatDocument,
  type HeartbeatStateDocument,
} from '../../projections/heartbeat-pings/projection.ts';
import type { ReactorContext } from '../context.ts';
import { defineReactor } from '../engine/define.ts';
import { retryItemAt, done, type ItemResult } from '../engine/item-result.ts';
import { dueElsewhere } from '../engine/list-declarations.ts';
import { coalesce } from '../engine/coalesce.ts';
import { heartbeatLogLine } from './log-line.ts';
import { readReception } from './reception.ts';
import { createSettle, type SettleDependencies } from './settle.ts';

export const HEARTBEAT_LATENESS = 'heartbeat-lateness';

/** Delay before a heartbeat is evaluated again because its list lags, milliseconds. */
const LIST_WAIT_MS = 500;

export interface LatenessDependencies extends SettleDependencies, Pick<ReactorContext, 'appendResult'> {
  /** Returns the period in which pings could be received. Null if none is recorded yet. */
  reception: () => Promise<Reception | null>;
  /**
   * Appends a marker event to the log of pings, and waits briefly until the list has folded this event. Concurrent
   * callers can share an event.
   *
   * @returns whether the list has folded the event, and therefore every ping stored before the call
   */
  caughtUp: () => Promise<boolean>;
}

/**
 * Marks a heartbeat as down if its ping has not arrived by the deadline. To avoid a wrong decision because of a lagging
 * list, first waits until the list has folded a marker event that was appended after the deadline. The resulting event
 * is in the main log, but the list is in the results log, so the event does not remove the item from the list.
 */
export const heartbeatLateness = defineReactor({
  name: HEARTBEAT_LATENESS,
  does: 'marks heartbeats as down whose ping did not arrive in time',
  countsEarlier: true,
  list: dueElsewhere(heartbeatPings, 'awaited_heartbeats'),
  acting: ({ handle, clock, read, line, coordination, appendResult, caughtUp }) => {
    const settleLate = createLateHandler({
      handle,
      clock,
      appendResult,
      readState: (id) => read(heartbeatPings).heartbeat_standings.get(id),
      changed: heartbeatLogLine(line),
      reception: () => readReception(coordination),
      caughtUp: coalesce(() => caughtUp(heartbeatPings)),
    });
    return (item, { now }) => settleLate(item, now);
  },
});

/** Returns a function that marks a heartbeat as down if it is late, considering all pings stored so far. */
export const createLateHandler = (dependencies: LatenessDependencies) => {
  const { readState, reception, caughtUp } = dependencies;
  const settle = createSettle(HEARTBEAT_LATENESS, dependencies);
  return async (item: AwaitedHeartbeatDocument, now: Instant): Promise<ItemResult> => {
    const found = await readState(item.id);
    const down = found && downAtOf(found);
    // If a ping arrived after the item was read, the list contains the heartbeat again with a new due time.
    if (!down || found.changed_position !== item.changed_position) return done();
    if (now < down.at) return recordAgain(dependencies, found, now);
    const stored = secondsLater(down.at, STORED_WITHIN);
    if (now < stored) return retryItemAt(millisecondsOf(stored));
    const lateness = latenessOf(found, await reception(), now);
    if (!lateness) return done();
    if ('again' in lateness) return retryItemAt(lateness.again);
    if (!(await caughtUp())) return retryItemAt(millisecondsOf(now) + LIST_WAIT_MS);
    const { late }: { late: LateHeartbeat } = lateness;
    const state = await readState(item.id);
    if (state?.changed_position === item.changed_position) await settle(state, late);
    return done();
  };
};

/** Records the state of a heartbeat again, because retention will remove its newest ping from the results log. */
const recordAgain = async (
  { appendResult }: Pick<LatenessDependencies, 'appendResult'>,
  {
    id,
    heartbeat_id,
    organization_id,
    number,
    timing,
    last_ping,
    expected_at,
    late_at,
    ...standing
  }: HeartbeatStateDocument,
  now: Instant,
): Promise<ItemResult> => {
  if (!last_ping || expected_at === null || late_at === null) return done();
  const known = { ping_id: last_ping.id, last_ping_at: last_ping.at, expected_at, down_at: late_at };
  const event = systemEvent(
    { type: 'HeartbeatRescheduled', data: { heartbeat_id, organization_id, number, timing, known } },
    {
      id: derivedUuid(`${HEARTBEAT_LATENESS}/${id}/${standing.changed_position}/again`),
      by: HEARTBEAT_LATENESS,
      organizationId: organization_id,
      now,
    },
  );
  await appendResult(streamOf('heartbeat_pings', pingShardOf(heartbeat_id)), event, millisecondsOf(standing.kept_at));
  return done();
};
