import { HttpFault, otherProtocol } from './fault.ts';

/** Maximum size of all heads of a response, including interim ones, in bytes. */
export const MAX_HEAD_BYTES = 65_536;

const LF = 0x0a;
const CR = 0x0d;
const tooLarge = (): HttpFault => new HttpFault({ kind: 'headers too large' });
const BEGINNING = Buffer.from('HTTP/');

/** Collects the bytes of a head, which may arrive in pieces of any size. */
export interface HeadCollector {
  /**
   * Adds a piece.
   *
   * @returns the bytes of the head, and the bytes after the head; null until the head is complete
   * @throws HttpFault the head exceeds the limit, or does not begin with `HTTP/`
   */
  write: (chunk: Buffer) => { head: Buffer; rest: Buffer } | null;
  /** Returns whether a part of the head has arrived. */
  begun: () => boolean;
}

/** @param limit maximum size of the head, in bytes */
export const createHeadCollector = (limit: number): HeadCollector => {
  let pieces: Buffer[] = [];
  let size = 0;
  /** size of the empty lines before the head, in bytes */
  let skipped = 0;
  /** The part of the current line that arrived in earlier pieces: its size in bytes, and whether it is a single CR. */
  let line = 0;
  let carriageReturn = false;
  /** whether the first bytes have been compared with `HTTP/` */
  let judged = false;

  const joined = (): Buffer => {
    const [only] = pieces;
    const whole = only && pieces.length === 1 ? only : Buffer.concat(pieces);
    pieces = [whole];
    return whole;
  };

  /** Returns the offset after the empty line that ends the head; -1 if the empty line has not arrived. */
  const endIn = (chunk: Buffer): number => {
    let start = 0;
    for (;;) {
      const lf = chunk.indexOf(LF, start);
      const length = line + (lf === -1 ? chunk.length : lf) - start;
      const isEmpty = length === 0 || (length === 1 && (line === 1 ? carriageReturn : chunk[start] === CR));
      if (lf === -1) {
        if (length > 0 && line === 0) carriageReturn = chunk[start] === CR;
        line = length;
        return -1;
      }
      line = 0;
      if (isEmpty) return lf + 1;
      start = lf + 1;
    }
  };

  const judge = (): void => {
    const bytes = joined();
    const length = Math.min(bytes.length, BEGINNING.length);
    const beginning = bytes.subarray(0, length).toString('latin1').toUpperCase();
    if (beginning !== BEGINNING.subarray(0, length).toString('latin1')) throw otherProtocol(bytes);
    judged = length === BEGINNING.length;
  };

  return {
    write: (given) => {
      let chunk = given;
      if (size === 0) {
        // Empty lines before a response are ignored (RFC 9112, 2.2).
        let blank = 0;
        while (chunk[blank] === CR || chunk[blank] === LF) blank++;
        skipped += blank;
        if (skipped > limit) throw tooLarge();
        chunk = chunk.subarray(blank);
        if (chunk.length === 0) return null;
      }
      pieces.push(chunk);
      const before = size;
      size += chunk.length;
      if (!judged) judge();
      const end = endIn(chunk);
      if ((end === -1 ? size : before + end) > limit) throw tooLarge();
      if (end === -1) return null;
      const whole = joined();
      return { head: whole.subarray(0, before + end), rest: whole.subarray(before + end) };
    },
    begun: () => size > 0,
  };
};
