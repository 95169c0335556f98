import { createHash } from 'node:crypto';

/** Content, and a function that returns its size and hash after a consumer has read it. */
export interface MeasuredContent {
  bytes: AsyncIterable<Uint8Array>;
  /** available once all content has been read */
  result: () => { size: number; sha256: string };
}

/**
 * Computes the size and hash of content while a consumer reads it.
 *
 * @param room maximum number of bytes
 * @param refusal creates the error that is thrown if the content is larger
 */
export const measure = (content: AsyncIterable<Uint8Array>, room: number, refusal: () => Error): MeasuredContent => {
  const hash = createHash('sha256');
  let size = 0;
  async function* passing(): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const chunk of content) {
      size += chunk.length;
      if (size > room) throw refusal();
      hash.update(chunk);
      yield chunk;
    }
  }
  return { bytes: passing(), result: () => ({ size, sha256: hash.digest('hex') }) };
};
