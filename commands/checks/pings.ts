import { streamOf } from '../../domain/decider.ts';
import { pingShardOf, type HeartbeatPinged, type PingKind, type Timing } from '../../domain/heartbeat-pings/events.ts';
import { expectation, expectedByPing } from '../../domain/heartbeat/expectation.ts';
import type { Instant } from '../../domain/time.ts';
import { recordAppended } from '../engine/appended-positions.ts';
import type { CommandContext } from '../engine/context.ts';
import type { CommandDependencies } from '../dependencies.ts';
import { toNewEvent } from '../engine/handle.ts';

/**
 * The heartbeat of a ping, from the read model. The read model might be behind the log, so the event of a ping records
 * which timing was used.
 */
export interface PingedHeartbeat {
  id: string;
  organization_id: string;
  timing: Timing;
  active: boolean;
  /** Null if the heartbeat is not down according to the read model. */
  down: object | null;
}

/**
 * Stores a ping of a heartbeat without loading the heartbeat's stream.
 *
 * @param data the JSON object that was sent, or `{ text }`; undefined for an empty body
 * @returns the time at which the next ping is expected, or null if the heartbeat is paused
 * @throws an error if the heartbeat is pinged too often
 * @throws StoreUnavailable
 */
export const recordPing =
  ({ pings }: CommandDependencies) =>
  async (
    { id, organization_id, timing, active, down }: PingedHeartbeat,
    { kind, data }: { kind: PingKind; data: unknown },
    context: CommandContext,
  ): Promise<Instant | null> => {
    pings.admit(id);
    const { now } = context;
    const expects = kind === 'start' ? expectation : expectedByPing;
    const expected = active ? expects(timing, now) : null;
    const ping: HeartbeatPinged = {
      ping_id: context.newId(),
      heartbeat_id: id,
      organization_id,
      kind,
      received_at: now,
      timing: timing.number,
      expected_at: expected?.expected_at ?? null,
      down_at: expected?.late_at ?? null,
      ...(timing.max_duration !== null && { max_duration: timing.max_duration }),
      ...(down !== null && { while_down: true as const }),
      ...(data !== undefined && { ping_data: data }),
    };
    const stream = streamOf('heartbeat_pings', pingShardOf(id));
    const event = toNewEvent(stream, { type: 'HeartbeatPinged' as const, data: ping }, 0, context, now);
    const { position } = await pings.store(stream, event);
    recordAppended(context.appended, 'results', [event], position);
    return ping.expected_at;
  };
