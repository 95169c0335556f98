import { BACKWARDS, END, metastreamOf } from '@eventstore/db-client';
import { randomUUID } from 'node:crypto';
import type { Connection } from '../../eventstoredb/connection.ts';
import { readEvents } from '../../eventstoredb/reading.ts';
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
    const { metadata, revision } = await metadataOf(connection, stream, deadline);
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
  connection: Connection,
  stream: string,
  deadline: number,
): Promise<{ metadata: Record<string, unknown>; revision: ExpectedRevision }> => {
  const newest = { direction: BACKWARDS, fromRevision: END, maxCount: 1 } as const;
  const [found] = await readEvents(connection, metastreamOf(stream), newest, deadline);
  return found?.event
    ? { metadata: found.event.data as Record<string, unknown>, revision: found.event.revision }
    : { metadata: {}, revision: 'no_stream' };
};
