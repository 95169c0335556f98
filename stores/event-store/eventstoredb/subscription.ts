import { START, streamNameFilter, type AllStreamSubscription } from '@eventstore/db-client';
import type { Connection } from '../../eventstoredb/connection.ts';
import type { StreamFilter } from './log-streams.ts';

/**
 * Maximum number of events in the client's buffer. If the reader is slow, only these events and gRPC's own buffer are
 * in memory.
 */
const AHEAD = 250;

/** Reports how far a subscription has searched. */
export interface SearchCheckpoint {
  commit: bigint;
  /**
   * 0n as long as the subscription has not reached the end of the log. Such a report only shows that the server is
   * alive. Afterwards, `prepare` equals `commit`, which is the position of an event
   */
  prepare: bigint;
}

export interface LogSubscription {
  /** delivers events after this position, which must be that of an event */
  from: bigint | typeof START;
  filter: StreamFilter;
  /**
   * called when the server reports its progress; earlier events that the server has found may still be on their way
   * through the client's stream
   */
  checkpoint: (reached: SearchCheckpoint) => void;
}

/** Starts the client's filtered catch-up subscription to the global order. Also returns a function that ends it. */
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
      // Not awaited, because without a connection the promise can stay pending for a long time.
      subscription.unsubscribe().catch(() => undefined);
      subscription.destroy();
    },
  };
};
