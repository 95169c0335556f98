import type { ServerResponse } from 'node:http';
import type { RequestedRange } from './range-header.ts';

/**
 * Content that is generated in chunks, on demand. It is called after the head of the response was sent, and never for
 * HEAD.
 *
 * @param signal aborted when the client disconnects, and for endless types also when the service stops
 */
export type StreamedContent = (signal: AbortSignal) => AsyncIterable<string | Uint8Array>;

/** A file of known size that supports range requests. */
export interface FileContent {
  /** bytes */
  size: number;
  /** a strong `ETag`, different for different contents */
  tag: string;
  /** null: the whole file */
  part: (range: RequestedRange | null) => StreamedContent;
}

/** An endless stream written by its producer, such as a broadcast to many clients (broadcast.ts). */
export interface AttachedStream {
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
export type Content = string | Uint8Array | StreamedContent | AttachedStream;

export const isFile = (content: Content | FileContent): content is FileContent =>
  typeof content === 'object' && 'part' in content;

export const isAttached = (content: unknown): content is AttachedStream =>
  typeof content === 'object' && content !== null && 'attach' in content;

export const isStreamed = (content: Content): content is StreamedContent => typeof content === 'function';
