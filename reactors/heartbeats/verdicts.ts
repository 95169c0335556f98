import type { HeartbeatVerdictDocument } from '../../projections/heartbeat-pings/projection.ts';
import { changeWork } from '../engine/changes.ts';
import { done } from '../engine/ending.ts';
import type { ChangeList, TodoProjection } from '../engine/lists.ts';
import type { Reactor } from '../engine/loop.ts';
import { settling, type SettleDependencies } from './settle.ts';

export const HEARTBEAT_VERDICTS = 'heartbeat-verdicts';

export interface HeartbeatVerdictsDependencies extends SettleDependencies {
  list: ChangeList<HeartbeatVerdictDocument>;
  todo: TodoProjection;
}

/** Lets heartbeats go down whose jobs say that they failed or took too long, and recover by the next that did not. */
export const heartbeatVerdictsReactor = ({ list, todo, ...dependencies }: HeartbeatVerdictsDependencies): Reactor => {
  const settle = settling(HEARTBEAT_VERDICTS, dependencies);
  return {
    name: HEARTBEAT_VERDICTS,
    countsEarlier: true,
    todo,
    work: changeWork(
      HEARTBEAT_VERDICTS,
      todo,
      list,
      async ({ id }) => {
        const standing = await dependencies.standing(id);
        if (standing) await settle(standing, null);
        return done();
      },
      { changedAt: ({ kept_at }) => kept_at },
    ),
  };
};
