/** Searches for a text, as UTF-8, in bytes that come in pieces, cut anywhere. */
export interface ByteSearch {
  /** @returns whether the text has come */
  write: (chunk: Buffer) => boolean;
}

/** What a server sends has no charset, so bytes are compared; a text is found as soon as its last byte is there. */
export const createByteSearch = (text: string): ByteSearch => {
  const wanted = Buffer.from(text);
  /** the end of what came before, one byte shorter than the text */
  let carried: Buffer = Buffer.alloc(0);
  return {
    write: (chunk) => {
      const seen = Buffer.concat([carried, chunk]);
      carried = Buffer.from(seen.subarray(Math.max(0, seen.length - wanted.length + 1)));
      return seen.includes(wanted);
    },
  };
};
