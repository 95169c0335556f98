import { createHash, hash } from 'node:crypto';
import { isFields } from '../domain/fields.ts';
import { unescapedText } from '../domain/sealed.ts';
import { timeSlices } from '../domain/time-slices.ts';
import { isFresh } from './answer.ts';
import type { Content } from './media/content.ts';

/** A JSON answer of any length, made part by part, so that neither memory nor a turn of the event loop holds all of it. */
export class JsonParts {
  /** Texts that make up the body, from its beginning each time; each part is generated on demand. */
  readonly parts: () => AsyncIterable<string>;
  /**
   * Version of a body that is too long to hash before it is sent: it changes whenever anything in the body changes. Read
   * before the parts, so an old body never carries a new version.
   */
  readonly version: () => Promise<string>;

  constructor(parts: JsonParts['parts'], version: JsonParts['version']) {
    this.parts = parts;
    this.version = version;
  }
}

/** A JSON array, item by item. */
export const jsonArrayOf = (items: () => AsyncIterable<unknown>, version: JsonParts['version']): JsonParts =>
  new JsonParts(async function* () {
    let separator = '[';
    for await (const item of items()) {
      yield `${separator}${unescapedText(item)}`;
      separator = ',';
    }
    yield separator === '[' ? '[]' : ']';
  }, version);

/** A value that is in memory, encoded item by item where it is a list or holds lists. */
export const jsonPartsOf = (value: unknown): JsonParts => {
  const parts = async function* (): AsyncGenerator<string> {
    yield* textsOf(value);
  };
  return new JsonParts(parts, async () => {
    const pause = timeSlices();
    const sum = createHash('sha1');
    for (const text of textsOf(value)) {
      sum.update(text);
      await pause();
    }
    return sum.digest('base64');
  });
};

/** The parts of what `unescapedText` makes of a value. */
function* textsOf(value: unknown): Generator<string> {
  if (Array.isArray(value)) {
    yield* itemsOf(value);
    return;
  }
  // One that may look like a sealed text is unescaped as a whole.
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

/** Characters up to which a body is made before it is sent: then it has a length, and its hash as its `ETag`. */
export const MADE_AT_ONCE = 1_048_576;
/** Characters that are given to the connection at once: less would be many short writes. */
const WRITTEN_AT_ONCE = 65_536;

/** In base64 there is no such character, so it tells a version from a hash. */
const VERSION_MARK = '~';

const tagOf = (version: string): string => `W/"${VERSION_MARK}${hash('sha1', version, 'base64').slice(0, 27)}"`;

/** The content of an answer, and its `ETag` where that does not follow from the content. */
export interface PartedContent {
  content: Content;
  tag?: string;
}

/**
 * What is sent: a short body as a text, a long one as a stream.
 *
 * @param ifNoneMatch the `If-None-Match` of the request: a client that has the version is not sent anything
 */
export const partedContent = async (body: JsonParts, ifNoneMatch: string | undefined): Promise<PartedContent> => {
  const content = (): AsyncIterable<string> => gathered(body.parts());
  if (ifNoneMatch?.includes(VERSION_MARK)) {
    const tag = tagOf(await body.version());
    if (isFresh(ifNoneMatch, tag)) return { content, tag };
  }
  const text = await short(body);
  if (text !== null) return { content: text };
  // What was made until now may be older than the version, so it is made again.
  return { content, tag: tagOf(await body.version()) };
};

/** A body that is not longer than {@link MADE_AT_ONCE}; else null. */
const short = async (body: JsonParts): Promise<string | null> => {
  const pause = timeSlices();
  let text = '';
  for await (const part of body.parts()) {
    text += part;
    if (text.length > MADE_AT_ONCE) return null;
    // Nearly always it is no time for one, and an `await` of nothing takes its time too.
    const pausing = pause();
    if (pausing) await pausing;
  }
  return text;
};

/** Short texts together, long ones as they are, in slices: each is asked for when the client has taken those before. */
export async function* gathered(parts: AsyncIterable<string>): AsyncGenerator<string> {
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
