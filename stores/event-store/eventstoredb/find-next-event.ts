import { START } from '@eventstore/db-client';
import type { Connection } from '../../eventstoredb/connection.ts';
import { NoResponse } from '../../eventstoredb/failures.ts';
import { StoreUnavailable } from '../port.ts';
import { streamFilterTest, type LogStreams, type StreamFilter } from './log-streams.ts';
import { readNewest } from './read.ts';
import { subscribeToLog } from './subscription.ts';

/**
 * How many of the newest events are read before the search. A subscription reports its position after every 32 events
 * that it searches. So it reports at least once after it has passed the oldest of these 128 events.
 */
const NEWEST = 128;

/** The position of the log's next event. */
export interface NextEvent {
  next: bigint;
}

/** The log has no further event. `end` is the position of the server's newest event. */
export interface EndOfLog {
  end: bigint;
}

/**
 * Finds the next event of a log after a long stretch of foreign events. A filtered read sends nothing until it finds an
 * event, so it can't be distinguished from a dead connection. This function uses a subscription instead, because a
 * subscription reports its progress.
 *
 * @param from searches after this position; null: from the start
 * @param silence milliseconds of silence after which the search is abandoned
 * @throws the client's errors; StoreUnavailable
 */
export const findNextEvent = async (
  connection: Connection,
  streams: LogStreams,
  { from, filter }: { from: bigint | null; filter: StreamFilter },
  silence: number,
): Promise<NextEvent | EndOfLog> => {
  const newest = await readNewest(connection, NEWEST, silence);
  const positions = newest.map(({ event }) => event?.position.commit ?? 0n);
  const passes = streamFilterTest(filter);
  const isNext = (stream: string, type: string, position: bigint): boolean =>
    position > (from ?? -1n) && !type.startsWith('$') && passes(stream) && streams.contains(stream);
  const last = newest.findLast(({ event }) => event && isNext(event.streamId, event.type, event.position.commit));
  const known: NextEvent | EndOfLog = last?.event ? { next: last.event.position.commit } : { end: positions[0] ?? 0n };
  const near = newest.length < NEWEST ? 0n : (positions.at(-1) ?? 0n);
  if ((from ?? -1n) >= near) return known;

  return new Promise((resolve, reject) => {
    const settle = (how: () => void): void => {
      clearTimeout(timer);
      leave();
      how();
    };
    const fail = (error: Error): void => {
      settle(() => {
        reject(error);
      });
    };
    const timer = setTimeout(() => {
      fail(new NoResponse());
    }, silence);
    const finish = (found: NextEvent | EndOfLog): void => {
      settle(() => {
        resolve(found);
      });
    };
    const { subscription, leave } = subscribeToLog(connection, {
      from: from === null ? START : from,
      filter,
      checkpoint: ({ commit }) => {
        timer.refresh();
        if (commit >= near) finish(known);
      },
    });
    const closed = new StoreUnavailable('EventStoreDB is not available: it has closed a subscription.');
    subscription.on('error', fail);
    subscription.on('end', () => {
      fail(closed);
    });
    subscription.on('data', ({ event }) => {
      timer.refresh();
      if (event && isNext(event.streamId, event.type, event.position.commit)) {
        finish({ next: event.position.commit });
      }
    });
  });
};
