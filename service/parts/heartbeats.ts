import type { Logger } from 'pino';
import type { CommandDependencies } from '../../commands/dependencies.ts';
import { heartbeatPings } from '../../projections/heartbeat-pings/projection.ts';
import { heartbeats } from '../../projections/heartbeats/projection.ts';
import type { AnyProjection } from '../../projections/engine/fold/define.ts';
import type { Read } from '../../projections/readers.ts';
import { changeList, dueList, type TodoProjection } from '../../reactors/engine/lists.ts';
import type { Reactor } from '../../reactors/engine/loop.ts';
import { heartbeatLatenessReactor } from '../../reactors/heartbeats/lateness.ts';
import { heartbeatSchedulesReactor, type AppendSince } from '../../reactors/heartbeats/schedules.ts';
import type { HeartbeatChange } from '../../reactors/heartbeats/settle.ts';
import { heartbeatVerdictsReactor } from '../../reactors/heartbeats/verdicts.ts';
import type { Coordination } from '../../stores/coordination/port.ts';
import { readReception } from './reception.ts';

export interface HeartbeatReactorsOptions extends Pick<CommandDependencies, 'handle'> {
  /** milliseconds since 1970 */
  clock: () => number;
  read: Read;
  todo: (projection: AnyProjection) => TodoProjection;
  append: AppendSince;
  /** Marks the log of pings and waits a moment until their list has folded the mark. @returns whether it has */
  caughtUp: () => Promise<boolean>;
  coordination: Pick<Coordination, 'read'>;
  changed?: (change: HeartbeatChange) => void;
}

/** The reactors of heartbeats: what is expected when, who says that a job failed, and who is late. */
export const heartbeatReactors = (options: HeartbeatReactorsOptions): Reactor[] => {
  const { handle, clock, read, todo, append, caughtUp, coordination, changed } = options;
  const lists = read(heartbeatPings);
  const settling = {
    handle,
    clock,
    standing: (id: string) => lists.heartbeat_standings.get(id),
    ...(changed && { changed }),
    todo: todo(heartbeatPings),
  };
  return [
    heartbeatSchedulesReactor({
      clock,
      append,
      todo: todo(heartbeats),
      list: changeList(read(heartbeats).heartbeat_timings),
    }),
    heartbeatVerdictsReactor({ ...settling, list: changeList(lists.heartbeat_verdicts) }),
    heartbeatLatenessReactor({
      ...settling,
      append,
      reception: () => readReception(coordination),
      caughtUp,
      list: dueList(lists.awaited_heartbeats),
    }),
  ];
};

/** Writes a line to the log of the process for each heartbeat that goes down or recovers. */
export const loggingHeartbeats =
  (logger: Pick<Logger, 'info' | 'warn'>) =>
  ({ event, name }: HeartbeatChange): void => {
    if (event.type === 'HeartbeatWentDown') {
      const { because, down_at } = event.data;
      logger.warn({ because, down_at }, `heartbeat "${name}" went down`);
    } else if (event.type === 'HeartbeatRecovered') {
      logger.info({ duration: event.data.duration }, `heartbeat "${name}" recovered`);
    }
  };
