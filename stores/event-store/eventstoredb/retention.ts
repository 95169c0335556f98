import type { Connection } from '../../eventstoredb/connection.ts';
import { changeMetadata } from './metadata.ts';

/**
 * Sets how long the events of a stream are retained, unless it is set already; the stream's other metadata stays. Reads
 * leave older events out immediately, and a scavenge frees their space.
 *
 * @param stream its name on the server
 * @param seconds the age at which an event is removed
 * @param deadline milliseconds
 * @throws StoreUnavailable, RightMissing
 */
export const setMaxAge = (connection: Connection, stream: string, seconds: number, deadline: number): Promise<void> =>
  changeMetadata(
    connection,
    stream,
    (metadata) => (metadata['$maxAge'] === seconds ? null : { ...metadata, $maxAge: seconds }),
    deadline,
  );
