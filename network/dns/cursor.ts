import { MalformedDnsMessage } from './malformed.ts';
import { readName, type NameTable } from './names.ts';

/** Reads a message, or the data of one record, from front to back. Throws MalformedDnsMessage if bytes are missing. */
export class Cursor {
  readonly bytes: Buffer;
  at: number;
  /** offset at which this part ends; compressed names may point to offsets before the start of the part */
  readonly end: number;
  readonly #names: NameTable;

  constructor(bytes: Buffer, names: NameTable, at = 0, end = bytes.length) {
    this.bytes = bytes;
    this.#names = names;
    this.at = at;
    this.end = end;
  }

  get left(): number {
    return this.end - this.at;
  }

  u8(): number {
    return this.bytes.readUInt8(this.#skip(1));
  }

  u16(): number {
    return this.bytes.readUInt16BE(this.#skip(2));
  }

  u32(): number {
    return this.bytes.readUInt32BE(this.#skip(4));
  }

  take(length: number): Buffer {
    const from = this.#skip(length);
    return this.bytes.subarray(from, this.at);
  }

  rest(): Buffer {
    return this.take(this.left);
  }

  /** A character string (RFC 1035, 3.3). */
  string(): Buffer {
    return this.take(this.u8());
  }

  name(): string {
    const { text, next } = readName(this.bytes, this.at, this.end, this.#names);
    this.at = next;
    return text;
  }

  /** Returns a cursor for the next `length` bytes, and moves this cursor past these bytes. */
  part(length: number): Cursor {
    const from = this.#skip(length);
    return new Cursor(this.bytes, this.#names, from, this.at);
  }

  #skip(length: number): number {
    const from = this.at;
    if (length > this.end - from) throw new MalformedDnsMessage('a record is cut off');
    this.at = from + length;
    return from;
  }
}
