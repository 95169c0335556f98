import { createHash, hash } from 'node:crypto';
import { isFields } from '../domain/fields.ts';
import { unescapedText } from '../domain/sealed.ts';
import { timeSlices } from '../domain/concurrency/time-slices.ts';
import { matchesTag } from './response.ts';
import type { Content } from './media/content.ts';

/** A JSON body of any length, generated in parts, so that it fills neither memory nor an event loop turn. */
export class StreamedJson {
  /** The body in parts, generated on demand; each call starts from the beginning. */
  readonly parts: () => AsyncIterable<string>;
  /**
   * Version of a body that is too long to hash before it is sent. It changes whenever the body changes. It is read
   * before the parts, so that an old body never gets a new version.
   */
  readonly version: () => Promise<string>;

  constructor(parts: StreamedJson['parts'], version: StreamedJson['version']) {
    this.parts = parts;
    this.version = version;
  }
}

/** A JSON array, encoded item by item. */
export const jsonArrayOf = (items: () => AsyncIterable<unknown>, version: StreamedJson['version']): StreamedJson =>
  new StreamedJson(async function* () {
    let separator = '[';
    for await (const item of items()) {
      yield `${separator}${unescapedText(item)}`;
      separator = ',';
    }
    yield separator === '[' ? '[]' : ']';
  }, version);

/** An in-memory value; arrays at its top level or in its fields are encoded item by item. */
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

/** The encoding of `unescapedText` in parts. */
function* textsOf(value: unknown): Generator<string> {
  if (Array.isArray(value)) {
    yield* itemsOf(value);
    return;
  }
  // An object that looks like an encrypted text must be unescaped as a whole.
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

function* itemsOf(items: readonly unknown[]): Generator<string> {
  let separator = '[';
  for (const item of items) {
    yield `${separator}${item === undefined ? 'null' : unescapedText(item)}`;
    separator = ',';
  }
  yield separator === '[' ? '[]' : ']';
}

/**
 * Maximum length of a body that is generated before it is sent, so that it has a length and its hash as `ETag`;
 * characters.
 */
export const MAX_BUFFERED_CHARACTERS = 1_048_576;
/** Minimum length of chunks, to avoid many short writes; characters. */
const WRITTEN_AT_ONCE = 65_536;

/** Distinguishes versions from hashes, since base64 does not contain this character. */
const VERSION_MARK = '~';

const tagOf = (version: string): string => `W/"${VERSION_MARK}${hash('sha1', version, 'base64').slice(0, 27)}"`;

/** The content of a response, and its `ETag` if that is not computed from the content. */
export interface ContentWithTag {
  content: Content;
  tag?: string;
}

/**
 * Converts a body for sending: a short one to text, a long one to a stream.
 *
 * @param ifNoneMatch the `If-None-Match` of the request: if it matches the version, the body is not generated
 */
export const contentOfJson = async (body: StreamedJson, ifNoneMatch: string | undefined): Promise<ContentWithTag> => {
  const content = (): AsyncIterable<string> => joinChunks(body.parts());
  if (ifNoneMatch?.includes(VERSION_MARK)) {
    const tag = tagOf(await body.version());
    if (matchesTag(ifNoneMatch, tag)) return { content, tag };
  }
  const text = await short(body);
  if (text !== null) return { content: text };
  // The parts generated so far may be older than the version, so the stream starts over.
  return { content, tag: tagOf(await body.version()) };
};

/** The whole body; null if it is longer than {@link MAX_BUFFERED_CHARACTERS}. */
const short = async (body: StreamedJson): Promise<string | null> => {
  const pause = timeSlices();
  let text = '';
  for await (const part of body.parts()) {
    text += part;
    if (text.length > MAX_BUFFERED_CHARACTERS) return null;
    // Usually no pause is due, and even an `await` of nothing would cost time.
    const pausing = pause();
    if (pausing) await pausing;
  }
  return text;
};

/** Joins short texts to chunks of {@link WRITTEN_AT_ONCE}, in time slices. Each chunk is generated on demand. */
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
