import { START, streamNameFilter, type AllStreamSubscription } from '@eventstore/db-client';
import type { Connection } from '../../eventstoredb/connection.ts';
import type { StreamFilter } from './log-streams.ts';

/** How many events the client buffers; with what gRPC holds, all that a slow reader keeps in memory. */
const AHEAD = 250;

/** Says how far a subscription has searched. */
export interface Checkpoint {
  commit: bigint;
  /** 0n while catching up, when it is only a sign of life; then the same as `commit`, the position of an event */
  prepare: bigint;
}

export interface LogSubscription {
  /** events after this position, which is that of an event */
  from: bigint | typeof START;
  filter: StreamFilter;
  /** called after what was found before it was handed to the client's stream */
  checkpoint: (reached: Checkpoint) => void;
}

/** The client's filtered catch-up subscription to the global order, and a way to end it. */
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
      // Not awaited: without a connection there may be nothing to cancel for a long time.
      subscription.unsubscribe().catch(() => undefined);
      subscription.destroy();
    },
  };
};
