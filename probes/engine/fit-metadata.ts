/** A step that makes metadata smaller; returns the same object when nothing is left to remove. */
export type Cut<M> = (metadata: M) => M;

/**
 * Makes metadata fit its size limit as JSON, by cuts in a fixed order. Each is repeated until the metadata fits or the
 * cut removes nothing more. Shortened metadata has `truncated: true`.
 *
 * @param limit bytes of UTF-8
 * @throws RangeError all cuts together are not enough: a bug in the cuts
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

/** Halves an array, down to a minimum length. */
export const halved = <T>(array: readonly T[], least = 0): T[] =>
  array.slice(0, Math.max(least, Math.floor(array.length / 2)));
