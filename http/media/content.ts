import type { ServerResponse } from 'node:http';
import type { Range } from './range-header.ts';

/**
 * Content that is generated in chunks, on demand. It is called after the head of the response was sent, and never for
 * HEAD.
 *
 * @param signal aborted when the client disconnects, and for endless types also when the service stops
 */
export type Streamed = (signal: AbortSignal) => AsyncIterable<string | Uint8Array>;

/** A file of known size that supports range requests. */
export interface File {
  /** bytes */
  size: number;
  /** a strong `ETag`, different for different contents */
  tag: string;
  /** null: the whole file */
  part: (range: Range | null) => Streamed;
}

/** An endless stream written by its producer, such as a broadcast to many clients (broadcast.ts). */
export interface Attached {
  /**
   * Called after the head of the response was sent, and never for HEAD.
   *
   * @param stopping aborted when the service stops: the stream must end then
   */
  attach: (response: ServerResponse, stopping: AbortSignal | undefined) => void;
}

/** Emitted by a response when its endless body starts: from then on it only waits for events. */
export const STREAM_BEGUN = Symbol('stream begun');

/** The body of a response: text, bytes, or a stream of them. */
export type Content = string | Uint8Array | Streamed | Attached;

export const isFile = (content: Content | File): content is File => typeof content === 'object' && 'part' in content;

export const isAttached = (content: unknown): content is Attached =>
  typeof content === 'object' && content !== null && 'attach' in content;

export const isStreamed = (content: Content): content is Streamed => typeof content === 'function';
