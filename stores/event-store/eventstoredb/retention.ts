import type { Connection } from '../../eventstoredb/connection.ts';
import { changeMetadata } from './metadata.ts';

/**
 * Sets how long the events of a stream are retained. Does nothing if this retention is set already. Leaves the stream's
 * other metadata unchanged. After this call, reads leave out events that are past the retention, and the next scavenge
 * frees the space of these events.
 *
 * @param stream name of the stream on the server
 * @param seconds age in seconds at which an event is removed
 * @param deadline timeout of each call, in milliseconds
 * @throws StoreUnavailable, RightMissing
 */
export const setMaxAge = (connection: Connection, stream: string, seconds: number, deadline: number): Promise<void> =>
  changeMetadata(
    connection,
    stream,
    (metadata) => (metadata['$maxAge'] === seconds ? null : { ...metadata, $maxAge: seconds }),
    deadline,
  );
