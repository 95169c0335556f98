import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { SerializedEvent } from '../serialized.ts';
import { DICTIONARIES_OF_ENCODING_1 } from './dictionaries.ts';

/**
 * How data and metadata of an event are encoded in its row, a number below 16:
 *
 * - 0: as two JSON texts;
 * - 1: both, with a line feed between them, deflated with the dictionary of the event's type; `metadata` is
 *   null then. Only for types that have a dictionary, and only when it saves enough.
 */
export interface StoredPayload {
  encoding: number;
  data: string | Buffer;
  metadata: string | null;
}

const PLAIN = 0;
const DEFLATED = 1;
/** Never occurs in our JSON text. */
const SEPARATOR = '\n';

/** Shortest data and metadata that are deflated, in characters. */
const MIN_DEFLATED = 512;

/**
 * A window of 8 KiB is rarely smaller than an event with its dictionary, and zlib allocates less per event than for the
 * default window.
 */
const WINDOW = { windowBits: 13 };
/** Size of the buffers that zlib fills; buffers of up to 4 KiB come from a pool. */
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
 * The JSON texts of data and metadata.
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
