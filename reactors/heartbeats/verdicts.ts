import { heartbeatPings } from '../../projections/heartbeat-pings/projection.ts';
import { defineReactor } from '../engine/define.ts';
import { done } from '../engine/item-result.ts';
import { changed } from '../engine/list-declarations.ts';
import { heartbeatLogLine } from './log-line.ts';
import { createSettle } from './settle.ts';

export const HEARTBEAT_VERDICTS = 'heartbeat-verdicts';

/** Marks a heartbeat as down if its job reports a failure or took too long, and as recovered after the next success. */
export const heartbeatVerdicts = defineReactor({
  name: HEARTBEAT_VERDICTS,
  does: 'marks heartbeats as down whose jobs report a failure, and as recovered by the next success',
  countsEarlier: true,
  list: changed(heartbeatPings, 'heartbeat_verdicts', { changedAt: ({ kept_at }) => kept_at }),
  act: async ({ id }, { handle, clock, read, line }) => {
    const look = (name: string) => read(heartbeatPings).heartbeat_standings.get(name);
    const found = await look(id);
    const settle = createSettle(HEARTBEAT_VERDICTS, {
      handle,
      clock,
      readState: look,
      changed: heartbeatLogLine(line),
    });
    if (found) await settle(found, null);
    return done();
  },
});
