import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { SerializedEvent } from '../serialized.ts';
import { DICTIONARIES_OF_ENCODING_1 } from './dictionaries.ts';

/**
 * How the data and metadata of an event are encoded in its row. `encoding` is a number below 16:
 *
 * - 0: as two JSON texts;
 * - 1: as one text, with a line feed between data and metadata, deflated with the dictionary of the event's type;
 *   `metadata` is null. Only for types that have a dictionary, and only if it saves enough space.
 */
export interface StoredPayload {
  encoding: number;
  data: string | Buffer;
  metadata: string | null;
}

const PLAIN = 0;
const DEFLATED = 1;
/** Separates data and metadata. Does not occur in the JSON text that `JSON.stringify` returns. */
const SEPARATOR = '\n';

/** Number of characters of data and metadata together above which they are deflated. */
const MIN_DEFLATED = 512;

/**
 * An event and its dictionary nearly always fit into a window of 8 KiB. For this window, zlib allocates less memory per
 * event than for its default window.
 */
const WINDOW = { windowBits: 13 };
/** Size of the output buffers of zlib, in bytes. Node allocates buffers below 4 KiB from a pool, which is faster. */
const CHUNK = { chunkSize: 4_000 };

const dictionaries = new Map(
  Object.entries(DICTIONARIES_OF_ENCODING_1).map(([type, text]) => [type, Buffer.from(text)]),
);

/** Encodes an event for storing. */
export const encodePayload = ({ type, data, metadata }: SerializedEvent): StoredPayload => {
  const dictionary = data.length + metadata.length > MIN_DEFLATED ? dictionaries.get(type) : undefined;
  if (!dictionary) return { encoding: PLAIN, data, metadata };
  const deflated = deflateRawSync(`${data}${SEPARATOR}${metadata}`, { dictionary, ...WINDOW, ...CHUNK });
  return { encoding: DEFLATED, data: deflated, metadata: null };
};

/**
 * Returns the JSON texts of data and metadata.
 *
 * @throws Error the encoding is unknown: a newer release wrote it
 */
export const decodePayload = (type: string, { encoding, data, metadata }: StoredPayload): [string, string] => {
  if (encoding === PLAIN && typeof data === 'string' && metadata !== null) return [data, metadata];
  const dictionary = dictionaries.get(type);
  if (encoding !== DEFLATED || typeof data === 'string' || !dictionary) {
    throw new Error(`An event of type ${type} has an unknown encoding ${encoding}.`);
  }
  const text = inflateRawSync(data, { dictionary, ...CHUNK }).toString();
  const end = text.indexOf(SEPARATOR);
  return [text.slice(0, end), text.slice(end + 1)];
};
