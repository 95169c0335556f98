import type { ServerResponse } from 'node:http';
import type { Range } from './range.ts';

/**
 * Content sent piece by piece, each once the client has taken those before. It is called after the head of the answer
 * was sent, and never for HEAD.
 *
 * @param signal aborted when the client has left, and for endless types also when the service stops
 */
export type Streamed = (signal: AbortSignal) => AsyncIterable<string | Uint8Array>;

/** A file of known size, which may be requested in parts. */
export interface File {
  /** bytes */
  size: number;
  /** a strong `ETag`: different contents have different ones */
  tag: string;
  /** null: all of it */
  part: (range: Range | null) => Streamed;
}

/** An endless stream written by its producer, such as a broadcast to many clients (broadcast.ts). */
export interface Attached {
  /**
   * Called after the head of the answer was sent, and never for HEAD.
   *
   * @param stopping aborted when the service stops: then it has to end
   */
  attach: (response: ServerResponse, stopping: AbortSignal | undefined) => void;
}

/** Emitted by a response when its endless body begins: from then on it waits for events, and nothing works on it. */
export const STREAM_BEGUN = Symbol('stream begun');

/** The body of an answer: text, bytes, or a stream of them. */
export type Content = string | Uint8Array | Streamed | Attached;

export const isFile = (content: Content | File): content is File => typeof content === 'object' && 'part' in content;

export const isAttached = (content: unknown): content is Attached =>
  typeof content === 'object' && content !== null && 'attach' in content;

export const isStreamed = (content: Content): content is Streamed => typeof content === 'function';
