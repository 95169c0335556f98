import { createHash } from 'node:crypto';

/** What is measured while content passes by. */
export interface Measured {
  bytes: AsyncIterable<Uint8Array>;
  /** set once all of it has passed */
  result: () => { size: number; sha256: string };
}

/**
 * Measures content on its way.
 *
 * @param room bytes that it may have
 * @param refusal the error to end with when there are more
 */
export const measured = (content: AsyncIterable<Uint8Array>, room: number, refusal: () => Error): Measured => {
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
