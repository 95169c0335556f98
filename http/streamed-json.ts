import { createHash, hash } from 'node:crypto';
import { isFields } from '../domain/fields.ts';
import { unescapedText } from '../domain/sealed.ts';
import { timeSlices } from '../domain/concurrency/time-slices.ts';
import { matchesTag } from './response.ts';
import type { Content } from './media/content.ts';

/** A JSON body of any length. It is generated in parts, so that it fills neither memory nor an event loop turn. */
export class StreamedJson {
  /** Generates the body in parts, on demand. Each call starts from the beginning. */
  readonly parts: () => AsyncIterable<string>;
  /**
   * Returns a version that changes whenever the body changes. It is used for a body that is too long to be hashed
   * before it is sent. The version is read before the parts, so that an outdated body never gets a new version.
   */
  readonly version: () => Promise<string>;

  constructor(parts: StreamedJson['parts'], version: StreamedJson['version']) {
    this.parts = parts;
    this.version = version;
  }
}

/** Creates a JSON array that is encoded item by item. */
export const jsonArrayOf = (items: () => AsyncIterable<unknown>, version: StreamedJson['version']): StreamedJson =>
  new StreamedJson(async function* () {
    let separator = '[';
    for await (const item of items()) {
      yield `${separator}${unescapedText(item)}`;
      separator = ',';
    }
    yield separator === '[' ? '[]' : ']';
  }, version);

/**
 * Creates a body from a value in memory. An array is encoded item by item if it is the value itself or one of its
 * fields, or if it is a long field of an item.
 */
export const streamedJsonOf = (value: unknown): StreamedJson => {
  const parts = async function* (): AsyncGenerator<string> {
    yield* textsOf(value);
  };
  return new StreamedJson(parts, async () => {
    const pause = timeSlices();
    const sum = createHash('sha1');
    for (const text of textsOf(value)) {
      sum.update(text);
      await pause();
    }
    return sum.digest('base64');
  });
};

/** Encodes a value like `unescapedText`, but in parts. */
function* textsOf(value: unknown): Generator<string> {
  if (Array.isArray(value)) {
    yield* itemsOf(value);
    return;
  }
  // An object that may be an encrypted text must be unescaped as a whole.
  if (!isFields(value) || typeof value['key'] === 'string' || 'toJSON' in value) {
    yield unescapedText(value);
    return;
  }
  let separator = '{';
  for (const [name, field] of Object.entries(value)) {
    if (field === undefined) continue;
    yield `${separator}${JSON.stringify(name)}:`;
    if (Array.isArray(field)) yield* itemsOf(field);
    else yield unescapedText(field);
    separator = ',';
  }
  yield separator === '{' ? '{}' : '}';
}

/** Minimum number of items with which an array inside of another one is encoded item by item. */
const LONG_ARRAY = 100;

const hasLongArray = (item: unknown): boolean => {
  if (!isFields(item)) return false;
  for (const name in item) {
    const field = item[name];
    if (Array.isArray(field) && field.length >= LONG_ARRAY) return true;
  }
  return false;
};

function* itemsOf(items: readonly unknown[]): Generator<string> {
  let separator = '[';
  for (const item of items) {
    if (hasLongArray(item)) {
      yield separator;
      yield* textsOf(item);
    } else yield `${separator}${item === undefined ? 'null' : unescapedText(item)}`;
    separator = ',';
  }
  yield separator === '[' ? '[]' : ']';
}

/**
 * Maximum length of a body that is generated completely before it is sent, in characters. Such a body has a
 * `Content-Length`, and its hash is the `ETag`.
 */
export const MAX_BUFFERED_CHARACTERS = 1_048_576;
/** Minimum length of a chunk, in characters. Avoids many short writes. */
const WRITTEN_AT_ONCE = 65_536;

/** Marks a tag as derived from a version. Hashes do not contain this character, because they are in base64. */
const VERSION_MARK = '~';

const tagOf = (version: string): string => `W/"${VERSION_MARK}${hash('sha1', version, 'base64').slice(0, 27)}"`;

/** The content of a response. The `tag` is only present if it is not computed from the content. */
export interface ContentWithTag {
  content: Content;
  tag?: string;
}

/**
 * Converts a body for sending: a short body to text, a long one to a stream.
 *
 * @param ifNoneMatch the `If-None-Match` of the request; if it contains the current version, the body is not generated
 */
export const contentOfJson = async (body: StreamedJson, ifNoneMatch: string | undefined): Promise<ContentWithTag> => {
  const content = (): AsyncIterable<string> => joinChunks(body.parts());
  if (ifNoneMatch?.includes(VERSION_MARK)) {
    const tag = tagOf(await body.version());
    if (matchesTag(ifNoneMatch, tag)) return { content, tag };
  }
  const text = await short(body);
  if (text !== null) return { content: text };
  // The parts that were generated so far may be older than the version, so the stream starts from the beginning.
  return { content, tag: tagOf(await body.version()) };
};

/** Generates the whole body as text. Returns null if it is longer than {@link MAX_BUFFERED_CHARACTERS}. */
const short = async (body: StreamedJson): Promise<string | null> => {
  const pause = timeSlices();
  let text = '';
  for await (const part of body.parts()) {
    text += part;
    if (text.length > MAX_BUFFERED_CHARACTERS) return null;
    // Usually no pause is due, and even an `await` without a promise takes time.
    const pausing = pause();
    if (pausing) await pausing;
  }
  return text;
};

/**
 * Joins short texts to chunks of at least {@link WRITTEN_AT_ONCE}, in time slices. Each chunk is generated on demand.
 */
export async function* joinChunks(parts: AsyncIterable<string>): AsyncGenerator<string> {
  const pause = timeSlices();
  let text = '';
  for await (const part of parts) {
    text += part;
    await pause();
    if (text.length < WRITTEN_AT_ONCE) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}
