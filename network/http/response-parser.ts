import { createChunkDecoder, type ChunkDecoder } from './chunk-decoder.ts';
import { HttpFault } from './fault.ts';
import { framingOf, type Framing } from './framing.ts';
import { createHeadCollector, MAX_HEAD_BYTES } from './head-collector.ts';
import { parseResponseHead, type ResponseHead } from './response-head.ts';

export interface ResponseEvents {
  /** Called when the head is complete. */
  head: (head: ResponseHead, framing: Framing) => void;
  /** Called for each piece of the body, without chunk sizes and trailers. */
  data: (chunk: Buffer) => void;
  /** Called when the response is complete. Bytes after its end are ignored. */
  end: () => void;
}

/** Parses one response, which may arrive in pieces of any size. */
export interface ResponseParser {
  /** @throws HttpFault the bytes are not a response */
  write: (piece: Buffer) => void;
  /**
   * Call this when the server has closed the connection. For some responses, the closed connection marks the end of the
   * body.
   *
   * @param cutOff whether the TLS connection ended without close_notify, in which case anyone on the network path may
   * have cut the connection
   * @throws HttpFault the response is incomplete
   */
  close: (cutOff: boolean) => void;
  /** the part of the response that has begun to arrive */
  readonly progress: 'nothing' | 'interim' | 'head' | 'body';
}

/**
 * @param method of the request
 * @param limit maximum size of all heads together, in bytes
 */
export const createResponseParser = (
  method: string,
  events: ResponseEvents,
  limit = MAX_HEAD_BYTES,
): ResponseParser => {
  let headBytes = createHeadCollector(limit);
  /** total size of interim heads (RFC 9110, 15.2), in bytes */
  let interim = 0;
  let framing: Framing | null = null;
  let chunks: ChunkDecoder | null = null;
  /** number of remaining bytes of a body of known length */
  let left = 0;
  let complete = false;

  const within = (): 'nothing' | 'interim' | 'head' | 'body' =>
    framing ? 'body' : headBytes.begun() ? 'head' : interim > 0 ? 'interim' : 'nothing';

  const end = (): void => {
    complete = true;
    events.end();
  };

  const writeBody = (piece: Buffer): void => {
    if (complete || piece.length === 0) return;
    if (chunks) {
      const body = chunks.write(piece);
      if (body.length > 0) events.data(body);
      if (chunks.ended()) end();
    } else if (framing?.kind === 'length') {
      const body = piece.subarray(0, left);
      left -= body.length;
      events.data(body);
      if (left === 0) end();
    } else events.data(piece);
  };

  const begin = (head: ResponseHead): void => {
    framing = framingOf(method, head);
    events.head(head, framing);
    if (framing.kind === 'chunks') chunks = createChunkDecoder();
    if (framing.kind === 'length') left = framing.length;
    if (framing.kind === 'none' || (framing.kind === 'length' && left === 0)) end();
  };

  const write = (piece: Buffer): void => {
    if (framing) {
      writeBody(piece);
      return;
    }
    let rest = piece;
    while (rest.length > 0) {
      const read = headBytes.write(rest);
      if (!read) return;
      const head = parseResponseHead(read.head);
      if (head.status === 101) throw new HttpFault({ kind: 'upgrade' });
      if (head.status >= 200) {
        begin(head);
        writeBody(read.rest);
        return;
      }
      interim += read.head.length;
      headBytes = createHeadCollector(limit - interim);
      rest = read.rest;
    }
  };

  return {
    write,
    close: (cutOff) => {
      if (complete) return;
      if (framing?.kind !== 'close') throw new HttpFault({ kind: 'closed', within: within() });
      if (cutOff) throw new HttpFault({ kind: 'cut off' });
      end();
    },
    get progress() {
      return within();
    },
  };
};
