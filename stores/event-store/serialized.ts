import type { NewEvent } from '../../domain/event.ts';
import { AppendTooLarge, MAX_APPEND_BYTES } from './port.ts';

/** An event as it is stored: data and metadata as JSON text. */
export interface SerializedEvent {
  id: string;
  type: string;
  data: string;
  metadata: string;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * Serialises the events of one append. Counts sizes like EventStoreDB: data, metadata, and two bytes for each character
 * of the type.
 *
 * @throws RangeError there are no events
 * @throws TypeError an id is not a UUID in lower case
 * @throws AppendTooLarge
 */
export const serializeAppend = (stream: string, events: readonly NewEvent[]): SerializedEvent[] => {
  if (events.length === 0) throw new RangeError(`An append to ${stream} has no events.`);
  let bytes = 0;
  const serialized = events.map(({ id, type, data, metadata }) => {
    if (!UUID.test(id)) throw new TypeError(`The event id "${id}" is not a UUID in lower case.`);
    const event = { id, type, data: JSON.stringify(data), metadata: JSON.stringify(metadata) };
    bytes += Buffer.byteLength(event.data) + Buffer.byteLength(event.metadata) + 2 * type.length;
    return event;
  });
  if (bytes > MAX_APPEND_BYTES) throw new AppendTooLarge(stream, bytes);
  return serialized;
};
