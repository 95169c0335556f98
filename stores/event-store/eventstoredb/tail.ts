import { setImmediate as turn } from 'node:timers/promises';
import { START, streamNameFilter, type AllStreamResolvedEvent } from '@eventstore/db-client';
import type { Connection } from '../../eventstoredb/connection.ts';
import type { RecordedEvent } from '../../../domain/event.ts';
import { Silence } from '../../eventstoredb/failures.ts';
import { StoreUnavailable } from '../port.ts';
import type { LogStreams, StreamFilter } from './log-streams.ts';
import { readNewest, recorded } from './read.ts';

/** At most this many events in an array. */
const MOST = 1_000;
/** How many events the client holds ready; with what gRPC holds, all that a slow reader keeps in memory. */
const AHEAD = 250;
/** How many of the newest events a look at the end of the log reads. */
const NEWEST = 64;

export interface TailSettings {
  /** the last event that was handed over; 0n is the start */
  after: bigint;
  filter: StreamFilter;
  /** ends it */
  signal: AbortSignal;
  /** milliseconds of silence after which the server is asked whether it has something to say */
  patience: number;
}

/**
 * One catch-up subscription, from one confirmation to its end: it does not come back by itself. Hands over arrays
 * of events after a position.
 *
 * A connection can be dead without a sign, so a subscription that has been silent for a while is compared with
 * the end of the log.
 *
 * @throws the client's errors; StoreUnavailable when the server has closed it, is silent or holds something back
 */
export async function* tail(
  connection: Connection,
  streams: LogStreams,
  { after, filter, signal, patience }: TailSettings,
): AsyncGenerator<RecordedEvent[], void, undefined> {
  let last = after;
  /** position of the last message of any kind; checkpoints are signs of life, never places to resume from */
  let heard = after;
  const { client, credentials, worked } = connection;
  const checkpoints = {
    checkpointInterval: 1,
    checkpointReached: async (_: unknown, { commit }: { commit: bigint }): Promise<void> => {
      heard = commit;
      wake();
    },
  };
  const subscription = client.subscribeToAll(
    {
      ...credentials,
      fromPosition: after === 0n ? START : { commit: after, prepare: after },
      filter:
        'prefixes' in filter
          ? streamNameFilter({ ...filter, ...checkpoints })
          : streamNameFilter({ ...filter, ...checkpoints }),
    },
    { highWaterMark: AHEAD },
  );

  let wake = (): void => undefined;
  let ended: { error: unknown } | null = null;
  const end = (error: unknown): void => {
    ended ??= { error };
    wake();
  };
  const stop = (): void => {
    end(null);
  };
  const closed = new StoreUnavailable('EventStoreDB is not available: it has closed a subscription.');
  subscription.on('readable', () => {
    wake();
  });
  subscription.on('confirmation', worked);
  subscription.on('error', end);
  subscription.on('end', () => {
    end(closed);
  });
  subscription.on('close', () => {
    end(closed);
  });
  signal.addEventListener('abort', stop);

  const takeReady = (): RecordedEvent[] => {
    const ready: RecordedEvent[] = [];
    while (ready.length < MOST) {
      const item = subscription.read() as AllStreamResolvedEvent | null;
      if (!item) break;
      if (!item.event || item.event.type.startsWith('$')) continue;
      heard = item.event.position.commit;
      if (heard > last && streams.holds(item.event.streamId)) ready.push(recorded(item, streams));
    }
    return ready;
  };

  /** Whether a message came, of whatever kind, before patience was at its end. */
  const message = async (): Promise<boolean> => {
    let timer: NodeJS.Timeout | undefined;
    const came = await new Promise<boolean>((resolve) => {
      wake = () => {
        resolve(true);
      };
      timer = setTimeout(() => {
        resolve(false);
      }, patience);
    });
    clearTimeout(timer);
    wake = () => undefined;
    // What has come with it is taken with it: many events in an array cost less than many arrays.
    if (came) await turn();
    return came;
  };

  try {
    for (let doubtful = false; ;) {
      if (signal.aborted) return;
      const ready = takeReady();
      if (ready.length > 0) {
        last = ready.at(-1)?.position ?? last;
        doubtful = false;
        yield ready;
        continue;
      }
      const over = ended as { error: unknown } | null;
      if (over) throw over.error;
      if (await message()) {
        doubtful = false;
        continue;
      }
      if (doubtful) throw new Silence();
      // What is on its way may still come: it is dead when the next look finds it as silent.
      doubtful = await holdsBack(connection, streams, filter, { last, heard }, patience);
    }
  } finally {
    signal.removeEventListener('abort', stop);
    subscription.on('error', () => undefined);
    // Not waited for: with no connection there may be nothing to cancel for a long time.
    subscription.unsubscribe().catch(() => undefined);
    subscription.destroy();
  }
}

/** Whether the log has something that a subscription should have handed over, or checkpoints it should have sent. */
const holdsBack = async (
  connection: Connection,
  streams: LogStreams,
  filter: StreamFilter,
  { last, heard }: { last: bigint; heard: bigint },
  patience: number,
): Promise<boolean> => {
  const passes = passesOf(filter);
  const newest = await readNewest(connection, NEWEST, patience);
  const unheard = newest.filter(({ event }) => (event?.position.commit ?? 0n) > heard);
  const due = unheard.some(
    ({ event }) =>
      event !== undefined &&
      event.position.commit > last &&
      !event.type.startsWith('$') &&
      passes(event.streamId) &&
      streams.holds(event.streamId),
  );
  return due || unheard.length === NEWEST;
};

const passesOf = (filter: StreamFilter): ((stream: string) => boolean) => {
  if ('prefixes' in filter) return (stream) => filter.prefixes.some((prefix) => stream.startsWith(prefix));
  const regex = new RegExp(filter.regex);
  return (stream) => regex.test(stream);
};
