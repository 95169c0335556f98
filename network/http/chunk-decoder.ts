import { invalidHttp } from './fault.ts';

const LF = 0x0a;
const CR = 0x0d;
/** Maximum length of a chunk-size line and of all trailers together, in bytes. */
const MAX_LINE_BYTES = 16_384;
const MAX_TRAILER_BYTES = 65_536;
/** RFC 9112, 7.1: the size of a chunk, followed by its extensions. Outdated servers write spaces after the size. */
const SIZE = /^([\da-f]+)[ \t]*(?:;|\r?$)/i;
/** Every number with at most this many hexadecimal digits is a safe integer. */
const MAX_DIGITS = 13;

/** Removes the chunked coding from a body (RFC 9112, 7.1). Like browsers, accepts lines that end with a bare LF. */
export interface ChunkDecoder {
  /**
   * Decodes a piece of the response. The piece may begin and end anywhere. The result overwrites the piece's memory.
   *
   * @throws HttpFault
   */
  write: (piece: Buffer) => Buffer;
  /** Returns whether the last chunk and the trailers have arrived. */
  ended: () => boolean;
}

export const createChunkDecoder = (): ChunkDecoder => {
  let state: 'size' | 'data' | 'after data' | 'after CR' | 'trailers' | 'ended' = 'size';
  /** number of remaining bytes of the current chunk */
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

  /**
   * Continues a line, and calls `end` if it is complete.
   *
   * @returns the offset after the bytes that were read
   */
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
      // Moves the decoded bytes together within the piece. If the piece has only one chunk, nothing has to be moved.
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
