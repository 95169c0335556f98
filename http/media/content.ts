import type { ServerResponse } from 'node:http';
import type { RequestedRange } from './range-header.ts';

/**
 * Generates content in chunks, on demand. Called after the head of the response was sent, and never for HEAD.
 *
 * @param signal aborts when the client disconnects; for endless types, also when the service stops
 */
export type StreamedContent = (signal: AbortSignal) => AsyncIterable<string | Uint8Array>;

/** A file of known size. Clients can request ranges of it. */
export interface FileContent {
  /** size in bytes */
  size: number;
  /** a strong `ETag`, which differs for different contents */
  tag: string;
  /** returns the content of a range; null: the whole file */
  part: (range: RequestedRange | null) => StreamedContent;
}

/**
 * An endless stream whose producer writes to the response itself, such as a broadcast to many clients (broadcast.ts).
 */
export interface AttachedStream {
  /**
   * Starts the stream. Called after the head of the response was sent, and never for HEAD.
   *
   * @param stopping aborts when the service stops; the stream must end then
   */
  attach: (response: ServerResponse, stopping: AbortSignal | undefined) => void;
}

/** Event that a response emits when its endless body starts. After that, the response only waits for events. */
export const STREAM_BEGUN = Symbol('stream begun');

/** The body of a response: text, bytes, or a stream of text and bytes. */
export type Content = string | Uint8Array | StreamedContent | AttachedStream;

export const isFile = (content: Content | FileContent): content is FileContent =>
  typeof content === 'object' && 'part' in content;

export const isAttached = (content: unknown): content is AttachedStream =>
  typeof content === 'object' && content !== null && 'attach' in content;

export const isStreamed = (content: Content): content is StreamedContent => typeof content === 'function';
