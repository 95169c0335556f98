import { HttpFault, otherProtocol } from './fault.ts';

/** An answer whose head, with those of interim answers, is larger is invalid. */
export const MAX_HEAD_BYTES = 65_536;

const LF = 0x0a;
const CR = 0x0d;
const tooLarge = (): HttpFault => new HttpFault({ kind: 'headers too large' });
const BEGINNING = Buffer.from('HTTP/');

/** Collects a head that comes in pieces, cut anywhere. */
export interface HeadBytes {
  /**
   * @returns null until its end has come; then its bytes, and those that follow
   * @throws HttpFault it is larger than any head, or does not begin as one
   */
  write: (chunk: Buffer) => { head: Buffer; rest: Buffer } | null;
  /** whether a part of a head is there */
  begun: () => boolean;
}

/** @param limit maximum size in bytes */
export const createHeadBytes = (limit: number): HeadBytes => {
  let pieces: Buffer[] = [];
  let size = 0;
  /** bytes of empty lines before it */
  let skipped = 0;
  /** bytes of the current line that came in earlier pieces, and whether they are one CR */
  let line = 0;
  let carriageReturn = false;
  /** whether the first bytes look like a status line */
  let judged = false;

  const joined = (): Buffer => {
    const [only] = pieces;
    const whole = only && pieces.length === 1 ? only : Buffer.concat(pieces);
    pieces = [whole];
    return whole;
  };

  /** Where the empty line ends; -1 if it has not come. */
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
        // Empty lines before an answer are ignored (RFC 9112, 2.2).
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
