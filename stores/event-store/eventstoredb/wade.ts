import { START } from '@eventstore/db-client';
import type { Connection } from '../../eventstoredb/connection.ts';
import { Silence } from '../../eventstoredb/failures.ts';
import { StoreUnavailable } from '../port.ts';
import { passesOf, type LogStreams, type StreamFilter } from './log-streams.ts';
import { readNewest } from './read.ts';
import { subscribeToLog } from './subscription.ts';

/**
 * How many of the newest events are read here. A subscription reports its place after every 32 events that it
 * has searched, so it reports at least once after the oldest of these.
 */
const NEWEST = 128;

/** Where the next event of a log is; or that there is none up to a position, that of the server's newest event. */
export type Shore = { next: bigint } | { end: bigint };

/**
 * Searches a long stretch of others' events. A filtered read of it stays silent until it has found
 * something, and can't be told from one that was lost. A subscription reports how far it is.
 *
 * @param from after this position; null is the start
 * @param silence milliseconds of silence after which it is given up
 * @throws the client's errors; StoreUnavailable
 */
export const wade = async (
  connection: Connection,
  streams: LogStreams,
  { from, filter }: { from: bigint | null; filter: StreamFilter },
  silence: number,
): Promise<Shore> => {
  const newest = await readNewest(connection, NEWEST, silence);
  const positions = newest.map(({ event }) => event?.position.commit ?? 0n);
  const passes = passesOf(filter);
  const isNext = (stream: string, type: string, position: bigint): boolean =>
    position > (from ?? -1n) && !type.startsWith('$') && passes(stream) && streams.holds(stream);
  const last = newest.findLast(({ event }) => event && isNext(event.streamId, event.type, event.position.commit));
  const shore: Shore = last?.event ? { next: last.event.position.commit } : { end: positions[0] ?? 0n };
  const near = newest.length < NEWEST ? 0n : (positions.at(-1) ?? 0n);
  if ((from ?? -1n) >= near) return shore;

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
      fail(new Silence());
    }, silence);
    const arrive = (there: Shore): void => {
      settle(() => {
        resolve(there);
      });
    };
    const { subscription, leave } = subscribeToLog(connection, {
      from: from === null ? START : from,
      filter,
      checkpoint: ({ commit }) => {
        timer.refresh();
        if (commit >= near) arrive(shore);
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
        arrive({ next: event.position.commit });
      }
    });
  });
};
