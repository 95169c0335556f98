import { START, streamNameFilter, type AllStreamSubscription } from '@eventstore/db-client';
import type { Connection } from '../../eventstoredb/connection.ts';
import type { StreamFilter } from './log-streams.ts';

/**
 * How many events the client buffers. Together with gRPC's own buffer, this is all that a slow reader holds in memory.
 */
const AHEAD = 250;

/** Reports how far a subscription has searched. */
export interface SearchCheckpoint {
  commit: bigint;
  /** 0n while catching up, when the report is only a sign of life; later equal to `commit`, the position of an event */
  prepare: bigint;
}

export interface LogSubscription {
  /** events after this position, which must be that of an event */
  from: bigint | typeof START;
  filter: StreamFilter;
  /** called for events found before it, before they reach the client's stream */
  checkpoint: (reached: SearchCheckpoint) => void;
}

/** The client's filtered catch-up subscription to the global order, and a function that ends it. */
export const subscribeToLog = (
  { client, credentials }: Connection,
  { from, filter, checkpoint }: LogSubscription,
): { subscription: AllStreamSubscription; leave: () => void } => {
  const checkpoints = {
    checkpointInterval: 1,
    checkpointReached: async (_: unknown, reached: SearchCheckpoint): Promise<void> => {
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
      // Not awaited: without a connection this can stay pending for a long time.
      subscription.unsubscribe().catch(() => undefined);
      subscription.destroy();
    },
  };
};
