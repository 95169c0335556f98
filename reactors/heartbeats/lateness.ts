import { streamOf } from '../../domain/decider.ts';
import type { Late } from '../../domain/heartbeat/judge.ts';
import { latenessOf, type Reception } from '../../domain/heartbeat/reception.ts';
import { later } from '../../domain/heartbeat/timing.ts';
import { pingShardOf } from '../../domain/heartbeat-pings/events.ts';
import { downAtOf, STORED_WITHIN } from '../../domain/heartbeat-pings/standing.ts';
import { derivedUuid } from '../../domain/identity.ts';
import { systemEvent } from '../../domain/system-event.ts';
import { millisecondsOf, type Instant } from '../../domain/time.ts';
import {
  heartbeatPings,
  type AwaitedDocument,
  type StandingDocument,
} from '../../projections/heartbeat-pings/projection.ts';
import type { ReactorContext } from '../context.ts';
import { defineReactor } from '../engine/define.ts';
import { againAt, done, type Ending } from '../engine/ending.ts';
import { dueElsewhere } from '../engine/on-lists.ts';
import { sharedly } from '../engine/sharedly.ts';
import { heartbeatLine } from './line.ts';
import { readReception } from './reception.ts';
import { settling, type SettleDependencies } from './settle.ts';

export const HEARTBEAT_LATENESS = 'heartbeat-lateness';

/** How soon a list that is late is looked at again, milliseconds. */
const LIST_WAIT_MS = 500;

export interface LatenessDependencies extends SettleDependencies, Pick<ReactorContext, 'appendResult'> {
  /** From when to when pings could be received; null: nobody has noted it yet. */
  reception: () => Promise<Reception | null>;
  /**
   * Marks the log of pings and waits a moment until the list has folded the mark, and so every ping that was stored
   * before. Those who ask at the same time may share a mark. @returns whether it has
   */
  caughtUp: () => Promise<boolean>;
}

/**
 * Lets heartbeats go down whose ping did not come. One does so only after its list has folded an event that was
 * recorded after it was late: a list that lags declares nobody down. The event stands in the main log and takes nothing
 * off the list, so the list is worked on by a cursor.
 */
export const heartbeatLateness = defineReactor({
  name: HEARTBEAT_LATENESS,
  does: 'lets heartbeats go down whose ping did not come',
  countsEarlier: true,
  list: dueElsewhere(heartbeatPings, 'awaited_heartbeats'),
  acting: ({ handle, clock, read, line, coordination, appendResult, caughtUp }) => {
    const settleLate = whenLate({
      handle,
      clock,
      appendResult,
      standing: (id) => read(heartbeatPings).heartbeat_standings.get(id),
      changed: heartbeatLine(line),
      reception: () => readReception(coordination),
      caughtUp: sharedly(() => caughtUp(heartbeatPings)),
    });
    return (item, { now }) => settleLate(item, now);
  },
});

/** Lets a heartbeat go down, if it is late by everything that was stored by then. */
export const whenLate = (dependencies: LatenessDependencies) => {
  const { standing: look, reception, caughtUp } = dependencies;
  const settle = settling(HEARTBEAT_LATENESS, dependencies);
  return async (item: AwaitedDocument, now: Instant): Promise<Ending> => {
    const found = await look(item.id);
    const down = found && downAtOf(found);
    // What has moved since is on the list again.
    if (!down || found.changed_position !== item.changed_position) return done();
    if (now < down.at) return sayAgain(dependencies, found, now);
    const stored = later(down.at, STORED_WITHIN);
    if (now < stored) return againAt(millisecondsOf(stored));
    const lateness = latenessOf(found, await reception(), now);
    if (!lateness) return done();
    if ('again' in lateness) return againAt(lateness.again);
    if (!(await caughtUp())) return againAt(millisecondsOf(now) + LIST_WAIT_MS);
    const { late }: { late: Late } = lateness;
    const standing = await look(item.id);
    if (standing?.changed_position === item.changed_position) await settle(standing, late);
    return done();
  };
};

/** Says once more what is known of a heartbeat, since the results log will forget its last ping. */
const sayAgain = async (
  { appendResult }: Pick<LatenessDependencies, 'appendResult'>,
  { id, heartbeat_id, organization_id, number, timing, last_ping, expected_at, late_at, ...standing }: StandingDocument,
  now: Instant,
): Promise<Ending> => {
  if (!last_ping || expected_at === null || late_at === null) return done();
  const known = { ping_id: last_ping.id, last_ping_at: last_ping.at, expected_at, down_at: late_at };
  const event = systemEvent(
    { type: 'HeartbeatRescheduled', data: { heartbeat_id, organization_id, number, timing, known } },
    {
      id: derivedUuid(`${HEARTBEAT_LATENESS}/${id}/${standing.changed_position.toString()}/again`),
      by: HEARTBEAT_LATENESS,
      organizationId: organization_id,
      now,
    },
  );
  await appendResult(streamOf('heartbeat_pings', pingShardOf(heartbeat_id)), event, millisecondsOf(standing.kept_at));
  return done();
};
