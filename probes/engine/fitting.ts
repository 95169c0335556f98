/** One step that makes metadata smaller; it returns the same object when there is nothing left to remove. */
export type Cut<M> = (metadata: M) => M;

/**
 * Makes metadata fit into its limit as JSON, by cuts in a fixed order: each is applied until it removes nothing more or
 * the metadata fits. Metadata that was cut has `truncated: true`.
 *
 * @param limit bytes of UTF-8
 * @throws RangeError not even all cuts are enough: a bug in the cuts
 */
export const fitted = <M extends object>(metadata: M, limit: number, cuts: readonly Cut<M>[]): M => {
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
  throw new RangeError(`The metadata has ${sizeOf(smaller).toString()} bytes after all cuts.`);
};

const sizeOf = (metadata: object): number => Buffer.byteLength(JSON.stringify(metadata));

/** Halves an array, down to some elements that always stay. */
export const halved = <T>(array: readonly T[], least = 0): T[] =>
  array.slice(0, Math.max(least, Math.floor(array.length / 2)));
