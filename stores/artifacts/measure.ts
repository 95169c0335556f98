import { createHash } from 'node:crypto';

/** Content that is measured while it streams through. */
export interface MeasuredContent {
  bytes: AsyncIterable<Uint8Array>;
  /** available once all content has been read */
  result: () => { size: number; sha256: string };
}

/**
 * Measures the size and hash of content while it streams through.
 *
 * @param room most bytes allowed
 * @param refusal the error thrown when there are more
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
