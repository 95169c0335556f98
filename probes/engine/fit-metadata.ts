/** A step that makes metadata smaller. Returns the same object when it can remove nothing more. */
export type Cut<M> = (metadata: M) => M;

/**
 * Shortens metadata until its JSON fits a size limit. Applies the cuts in the given order, and repeats each until the
 * metadata fits or the cut removes nothing more. Shortened metadata has `truncated: true`.
 *
 * @param limit maximum size of the JSON, in bytes of UTF-8
 * @throws RangeError if all cuts together are not enough, which is a bug in the cuts
 */
export const fitMetadata = <M extends object>(metadata: M, limit: number, cuts: readonly Cut<M>[]): M => {
  if (sizeOf(metadata) <= limit) return metadata;
  let smaller: M = { ...metadata, truncated: true };
  for (const cut of cuts)
    for (;;) {
      if (sizeOf(smaller) <= limit) return smaller;
      const next = cut(smaller);
      if (next === smaller) break;
      smaller = next;
    }
  if (sizeOf(smaller) <= limit) return smaller;
  throw new RangeError(`The metadata has ${sizeOf(smaller)} bytes after all cuts.`);
};

const sizeOf = (metadata: object): number => Buffer.byteLength(JSON.stringify(metadata));

/** Halves an array, but leaves at least `least` elements. */
export const halved = <T>(array: readonly T[], least = 0): T[] =>
  array.slice(0, Math.max(least, Math.floor(array.length / 2)));
