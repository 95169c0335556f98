import { BACKWARDS, END, metastreamOf, StreamNotFoundError, WrongExpectedVersionError } from '@eventstore/db-client';
import { randomUUID } from 'node:crypto';
import type { Connection } from '../../eventstoredb/connection.ts';
import { unavailable } from '../../eventstoredb/failures.ts';
import { WrongExpectedRevision, type ExpectedRevision } from '../port.ts';
import { append } from './append.ts';

/** How often another writer of the same metadata is given way. */
const TRIES = 5;

/**
 * Sets how long the events of a stream are kept, unless it is set so already; the rest of the stream's metadata
 * stays. Reads leave older events out at once, a scavenge gives their space back.
 *
 * @param stream as it is named on the server
 * @param seconds the age at which an event goes
 * @param deadline milliseconds
 * @throws StoreUnavailable
 */
export const setMaxAge = async (
  connection: Connection,
  stream: string,
  seconds: number,
  deadline: number,
): Promise<void> => {
  for (let tries = 1; ; tries++) {
    const { metadata, revision } = await metadataOf(connection, stream);
    if (metadata['$maxAge'] === seconds) return;
    const event = { id: randomUUID(), type: '$metadata', data: JSON.stringify({ ...metadata, $maxAge: seconds }) };
    try {
      await append(
        connection,
        { stream, onServer: metastreamOf(stream) },
        [{ ...event, metadata: '' }],
        revision,
        deadline,
      );
      return;
    } catch (error) {
      if (!(error instanceof WrongExpectedRevision) || tries === TRIES) throw error;
    }
  }
};

const metadataOf = async (
  { client, credentials, failed }: Connection,
  stream: string,
): Promise<{ metadata: Record<string, unknown>; revision: ExpectedRevision }> => {
  try {
    const reading = client.readStream(metastreamOf(stream), {
      ...credentials,
      requiresLeader: true,
      direction: BACKWARDS,
      fromRevision: END,
      maxCount: 1,
    });
    for await (const { event } of reading) {
      if (event) return { metadata: event.data as Record<string, unknown>, revision: event.revision };
    }
  } catch (error) {
    if (!(error instanceof StreamNotFoundError || error instanceof WrongExpectedVersionError)) {
      failed(error);
      throw unavailable(error);
    }
  }
  return { metadata: {}, revision: 'no_stream' };
};
