import type { IncomingMessage } from 'node:http';

/** The trace of one request. */
export interface RequestTrace {
  /** Calls a function. Everything that the function starts belongs to this request. */
  run: <T>(work: () => T) => T;
  /** Ends the trace when the response was sent. */
  end: (status: number) => void;
}

/**
 * Starts the trace of a request.
 *
 * @param route the declared path, because requested paths contain ids and keys; null if the path is unknown
 */
export type TraceRequest = (
  request: Pick<IncomingMessage, 'method' | 'headers'>,
  route: string | null,
  requestId: string,
) => RequestTrace;
