/** Searches for a text, as UTF-8, in bytes that arrive in pieces of any size. */
export interface ByteSearch {
  /** @returns whether the text has been found */
  write: (chunk: Buffer) => boolean;
}

/** Compares bytes, since a server's data has no charset. Finds a text as soon as its last byte has arrived. */
export const createByteSearch = (text: string): ByteSearch => {
  const wanted = Buffer.from(text);
  /** the end of the previous data, one byte shorter than the text */
  let carried: Buffer = Buffer.alloc(0);
  return {
    write: (chunk) => {
      const seen = Buffer.concat([carried, chunk]);
      carried = Buffer.from(seen.subarray(Math.max(0, seen.length - wanted.length + 1)));
      return seen.includes(wanted);
    },
  };
};
