import { invalidHttp } from './fault.ts';

const LF = 0x0a;
const CR = 0x0d;
/** Limit of the line that gives a chunk's size, and of all trailers together. */
const MAX_LINE_BYTES = 16_384;
const MAX_TRAILER_BYTES = 65_536;
/** RFC 9112, 7.1: chunk-size and what may follow it; old servers write blanks before that. */
const SIZE = /^([\da-f]+)[ \t]*(?:;|\r?$)/i;
/** This many hexadecimal digits are still a safe integer. */
const MAX_DIGITS = 13;

/** Removes the chunks from a body (RFC 9112, 7.1). Its lines may end with a bare LF, as browsers read them. */
export interface Chunks {
  /**
   * The part of the body in a piece of the answer. The piece may be cut anywhere, and is overwritten.
   *
   * @throws HttpFault
   */
  write: (piece: Buffer) => Buffer;
  /** The last chunk and the trailers have come. */
  ended: () => boolean;
}

export const createChunks = (): Chunks => {
  let state: 'size' | 'data' | 'after data' | 'after CR' | 'trailers' | 'ended' = 'size';
  /** remaining bytes of the current chunk */
  let left = 0;
  let line = '';
  let trailers = 0;

  const beginChunk = (): void => {
    const size = SIZE.exec(line)?.[1]?.replace(/^0+/, '');
    if (size === undefined) throw invalidHttp('the size of a chunk is not a number');
    if (size.length > MAX_DIGITS) throw invalidHttp('a chunk is larger than any response');
    left = size === '' ? 0 : Number.parseInt(size, 16);
    state = left === 0 ? 'trailers' : 'data';
    line = '';
  };
  const endTrailer = (): void => {
    if (line === '' || line === '\r') state = 'ended';
    line = '';
  };

  /** Continues a line. @returns where to go on */
  const readLine = (piece: Buffer, at: number, end: () => void): number => {
    const lf = piece.indexOf(LF, at);
    const until = lf === -1 ? piece.length : lf;
    if (state === 'trailers') trailers += until - at;
    if (line.length + until - at > MAX_LINE_BYTES || trailers > MAX_TRAILER_BYTES)
      throw invalidHttp(state === 'size' ? 'the size of a chunk is not a number' : 'its trailers are too large');
    line += piece.toString('latin1', at, until);
    if (lf === -1) return until;
    end();
    return lf + 1;
  };

  return {
    write: (piece) => {
      // Parts of the body are moved together, which costs nothing if there is only one chunk.
      let start = 0;
      let end = 0;
      let at = 0;
      while (at < piece.length && state !== 'ended') {
        if (state === 'size') at = readLine(piece, at, beginChunk);
        else if (state === 'trailers') at = readLine(piece, at, endTrailer);
        else if (state !== 'data') {
          const byte = piece[at++];
          if (byte === LF) state = 'size';
          else if (byte === CR && state === 'after data') state = 'after CR';
          else throw invalidHttp('a chunk is longer than its size says');
        } else {
          const size = Math.min(left, piece.length - at);
          if (end === start) start = end = at;
          if (at !== end) piece.copyWithin(end, at, at + size);
          end += size;
          at += size;
          left -= size;
          if (left === 0) state = 'after data';
        }
      }
      return piece.subarray(start, end);
    },
    ended: () => state === 'ended',
  };
};
