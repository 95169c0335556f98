import { START, streamNameFilter, type AllStreamSubscription } from '@eventstore/db-client';
import type { Connection } from '../../eventstoredb/connection.ts';
import type { StreamFilter } from './log-streams.ts';

/** How many events the client holds ready; with what gRPC holds, all that a slow reader keeps in memory. */
const AHEAD = 250;

/** Says how far a subscription has looked. */
export interface Checkpoint {
  commit: bigint;
  /** 0n on the way to the present, when it is a sign of life only; then as `commit`, which is that of an event */
  prepare: bigint;
}

export interface LogSubscription {
  /** after this position, which is that of an event */
  from: bigint | typeof START;
  filter: StreamFilter;
  /** told after what was looked at before was handed to the client's stream */
  checkpoint: (reached: Checkpoint) => void;
}

/** A filtered catch-up subscription to the global order, of the client's, and what ends it. */
export const subscribeToLog = (
  { client, credentials }: Connection,
  { from, filter, checkpoint }: LogSubscription,
): { subscription: AllStreamSubscription; leave: () => void } => {
  const checkpoints = {
    checkpointInterval: 1,
    checkpointReached: async (_: unknown, reached: Checkpoint): Promise<void> => {
      checkpoint(reached);
    },
  };
  const subscription = client.subscribeToAll(
    {
      ...credentials,
      fromPosition: from === START ? START : { commit: from, prepare: from },
      filter:
        'prefixes' in filter
          ? streamNameFilter({ ...filter, ...checkpoints })
          : streamNameFilter({ ...filter, ...checkpoints }),
    },
    { highWaterMark: AHEAD },
  );
  return {
    subscription,
    leave: () => {
      subscription.on('error', () => undefined);
      // Not waited for: with no connection there may be nothing to cancel for a long time.
      subscription.unsubscribe().catch(() => undefined);
      subscription.destroy();
    },
  };
};
