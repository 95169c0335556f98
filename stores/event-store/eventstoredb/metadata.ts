import { BACKWARDS, END, metastreamOf } from '@eventstore/db-client';
import { randomUUID } from 'node:crypto';
import type { Connection } from '../../eventstoredb/connection.ts';
import { readEvents } from '../../eventstoredb/reads.ts';
import { WrongExpectedRevision, type ExpectedRevision } from '../port.ts';
import { append } from './append.ts';

/** Metadata of a stream, including fields that other programs have set. */
export type StreamMetadata = Readonly<Record<string, unknown>>;

/** Maximum number of attempts while other writers change the same metadata. */
const TRIES = 5;

/**
 * Changes the metadata of a stream. Retries if another writer changed it concurrently.
 *
 * @param stream name of the stream on the server
 * @param change returns the new metadata; null if it is to stay unchanged
 * @param deadline timeout of each call, in milliseconds
 * @throws StoreUnavailable, RightMissing
 */
export const changeMetadata = async (
  connection: Connection,
  stream: string,
  change: (metadata: StreamMetadata) => StreamMetadata | null,
  deadline: number,
): Promise<void> => {
  for (let tries = 1; ; tries++) {
    const { metadata, revision } = await metadataOf(connection, stream, deadline);
    const changed = change(metadata);
    if (!changed) return;
    const event = { id: randomUUID(), type: '$metadata', data: JSON.stringify(changed), metadata: '' };
    try {
      await append(connection, { stream, onServer: metastreamOf(stream) }, [event], revision, deadline);
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
): Promise<{ metadata: StreamMetadata; revision: ExpectedRevision }> => {
  const newest = { direction: BACKWARDS, fromRevision: END, maxCount: 1 } as const;
  const [found] = await readEvents(connection, metastreamOf(stream), newest, deadline);
  return found?.event
    ? { metadata: found.event.data as StreamMetadata, revision: found.event.revision }
    : { metadata: {}, revision: 'no_stream' };
};
