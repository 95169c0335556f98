/** Searches for a text, as UTF-8, in bytes that arrive in pieces of any size. */
export interface ByteSearch {
  /** Adds bytes. @returns whether the text has been found */
  write: (chunk: Buffer) => boolean;
}

/** Creates a search. It compares bytes, because the charset is unknown, and finds a text as soon as it is complete. */
export const createByteSearch = (text: string): ByteSearch => {
  const wanted = Buffer.from(text);
  /** the end of the previous data, at most one byte shorter than the text */
  let carried: Buffer = Buffer.alloc(0);
  return {
    write: (chunk) => {
      const seen = Buffer.concat([carried, chunk]);
      carried = Buffer.from(seen.subarray(Math.max(0, seen.length - wanted.length + 1)));
      return seen.includes(wanted);
    },
  };
};
