import {
  convertToCommandError,
  StreamDeletedError,
  StreamNotFoundError,
  type ReadStreamOptions,
  type ResolvedEvent,
} from '@eventstore/db-client';
import type { Connection } from './connection.ts';
import { NoResponse } from './failures.ts';

/** A pending read: a stream of the client library or of gRPC. */
export interface PendingRead<Item> {
  cancel: () => unknown;
  on: ((event: 'data', listener: (item: Item) => void) => unknown) &
    ((event: 'end', listener: () => void) => unknown) &
    ((event: 'error', listener: (error: Error) => void) => unknown);
  removeAllListeners: (event: string) => unknown;
}

/**
 * Consumes a read to its end. Cancels the read after a failure, because otherwise it would stay open. The client
 * library sets no deadline for reads, so this function detects an unresponsive server.
 *
 * @param silence milliseconds without an event after which the read is abandoned
 */
export const consumeRead = <Item, Result>(
  reading: PendingRead<Item>,
  silence: number,
  take: (item: Item) => Result | null,
): Promise<Result[]> =>
  new Promise((resolve, reject) => {
    const results: Result[] = [];
    const giveUp = (error: Error): void => {
      clearTimeout(timer);
      reading.removeAllListeners('data');
      reject(error);
      // Ignore the rejection of `cancel`, which occurs if the read never began because no leader of a cluster was
      // discovered.
      Promise.resolve(reading.cancel()).catch(() => undefined);
    };
    const timer = setTimeout(() => {
      giveUp(new NoResponse());
    }, silence);
    reading.on('error', (error) => {
      giveUp(convertToCommandError(error));
    });
    reading.on('end', () => {
      clearTimeout(timer);
      resolve(results);
    });
    reading.on('data', (item) => {
      timer.refresh();
      try {
        const result = take(item);
        if (result !== null) results.push(result);
      } catch (error) {
        giveUp(error as Error);
      }
    });
  });

/**
 * Returns the events of a stream, read from the leader, as the client library returns them; an empty list if the stream
 * does not exist or was deleted.
 *
 * @param stream name of the stream on the server
 * @throws StoreUnavailable
 */
export const readEvents = async (
  { client, credentials, responded, failed }: Connection,
  stream: string,
  options: ReadStreamOptions,
  silence: number,
): Promise<ResolvedEvent[]> => {
  const reading = client.readStream(stream, { ...credentials, requiresLeader: true, ...options });
  try {
    const events = await consumeRead<ResolvedEvent, ResolvedEvent>(reading, silence, (item) => item);
    responded();
    return events;
  } catch (error) {
    if (error instanceof StreamNotFoundError || error instanceof StreamDeletedError) return [];
    throw failed(error, { verb: 'read', stream });
  }
};
