import type { HeartbeatEvent } from '../../domain/heartbeat/events.ts';
import { evaluateHeartbeat, type LateHeartbeat } from '../../domain/heartbeat/evaluation.ts';
import { heartbeatDecider } from '../../domain/heartbeat/state.ts';
import { derivedUuid } from '../../domain/identity.ts';
import { isExisting } from '../../domain/existence.ts';
import { instantOf } from '../../domain/time.ts';
import { reactorContext } from '../../commands/engine/context.ts';
import type { CommandDependencies } from '../../commands/dependencies.ts';
import type { HeartbeatStateDocument } from '../../projections/heartbeat-pings/projection.ts';

/** An event by which a heartbeat went down or recovered. The id of the heartbeat is a secret, its name is not. */
export interface HeartbeatChange {
  event: HeartbeatEvent;
  name: string;
}

export interface SettleDependencies extends Pick<CommandDependencies, 'handle'> {
  /** Returns milliseconds since 1970. */
  clock: () => number;
  /** Reads the present state of a heartbeat according to its pings. `id` is the derived id, not the secret one. */
  readState: (id: string) => Promise<HeartbeatStateDocument | null>;
  /** Called for each change after its event is stored. */
  changed?: (change: HeartbeatChange) => void;
}

export type Settle = (found: HeartbeatStateDocument, late: LateHeartbeat | null) => Promise<void>;

/**
 * Returns a function that marks a heartbeat as down or recovered according to its pings. Afterwards it reads the pings
 * again, because a ping can arrive between the read and the event. A repetition changes nothing.
 *
 * @param by the name of the reactor
 */
export const createSettle =
  (by: string, { handle, clock, readState, changed }: SettleDependencies): Settle =>
  async (found, isLate) => {
    for (let judged = found, late = isLate; ; late = null) {
      const { id, heartbeat_id, organization_id: organizationId, changed_position } = judged;
      const commandId = derivedUuid(`${by}/${id}/${changed_position}/${late?.at ?? 'verdict'}`);
      const context = reactorContext(by, { organizationId, commandId, now: instantOf(clock()) });
      const decide = (state: Parameters<typeof evaluateHeartbeat>[0]) =>
        evaluateHeartbeat(state, judged, late, context.now);
      const { state, events, repeated } = await handle(heartbeat_id, heartbeatDecider, decide, context);
      if (!repeated && isExisting(state)) {
        for (const event of events) changed?.({ event: event as unknown as HeartbeatEvent, name: state.fields.name });
      }
      const now = await readState(id);
      if (!now || now.verdict?.ping_id === judged.verdict?.ping_id) return;
      judged = now;
    }
  };
