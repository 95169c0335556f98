/** The bytes violate the protocol. */
export class MalformedTlsMessage extends Error {
  constructor(what: string) {
    super(`Malformed: ${what}.`);
    this.name = 'MalformedTlsMessage';
  }
}

/** Reads numbers and vectors one after another. Numbers are in network order. Copies no bytes. */
export interface Reader {
  /** Reads an unsigned number of `size` bytes. */
  number: (size: 1 | 2 | 3 | 4) => number;
  bytes: (count: number) => Buffer;
  /** Reads a count of `size` bytes, then this number of bytes (RFC 8446, 3.4). */
  vector: (size: 1 | 2 | 3) => Buffer;
  rest: () => Buffer;
  readonly left: number;
}

/** Creates a reader. Each method throws MalformedTlsMessage if too few bytes are left. */
export const readerOf = (all: Buffer): Reader => {
  let at = 0;
  const bytes = (count: number): Buffer => {
    if (at + count > all.length) throw new MalformedTlsMessage(`${at + count - all.length} bytes are missing`);
    at += count;
    return all.subarray(at - count, at);
  };
  const number = (size: 1 | 2 | 3 | 4): number => bytes(size).readUIntBE(0, size);
  return {
    number,
    bytes,
    vector: (size) => bytes(number(size)),
    rest: () => bytes(all.length - at),
    get left() {
      return all.length - at;
    },
  };
};

/** Encodes an unsigned number in network order. */
export const uint = (size: 1 | 2 | 3, value: number): Buffer => {
  const bytes = Buffer.alloc(size);
  bytes.writeUIntBE(value, 0, size);
  return bytes;
};

/** Encodes bytes with their count before them. The count has `size` bytes. */
export const vector = (size: 1 | 2 | 3, ...parts: readonly Buffer[]): Buffer => {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return Buffer.concat([uint(size, length), ...parts]);
};

/** Encodes numbers of two bytes each. */
export const uint16s = (values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 2);
  values.forEach((value, index) => bytes.writeUInt16BE(value, index * 2));
  return bytes;
};
