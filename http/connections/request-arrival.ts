import type { IncomingMessage, RequestListener } from 'node:http';
import type { Duplex } from 'node:stream';

/**
 * Maximum number of event loop turns to wait for buffered data before a client counts as slow. Node.js reads up to 2
 * MiB per turn.
 */
const TURNS = 8;

/** Records which requests have arrived on each connection. */
export interface RequestArrivals {
  /** Wraps a listener to record the requests that are passed to it. */
  noting: (serve: RequestListener) => RequestListener;
  /**
   * Called when Node.js reports that a request has timed out. Calls `late` only if the request has really not arrived.
   * If the process was busy for longer than the timeout, Node.js reports a timeout before it reads the data that is
   * already in the socket buffer.
   */
  unlessArrived: (socket: Duplex & { bytesRead?: number }, late: () => void) => void;
}

export const createRequestArrivals = (): RequestArrivals => {
  const last = new WeakMap<Duplex, IncomingMessage>();
  return {
    noting: (serve) => (request, response) => {
      last.set(request.socket, request);
      serve(request, response);
    },
    unlessArrived: (socket, late) => {
      const earlier = last.get(socket);
      const isBody = earlier?.complete === false;
      const check = (turns: number, read: number | undefined): void => {
        const request = last.get(socket);
        if (request?.complete === true && (isBody || request !== earlier)) return;
        if (turns === 0 || socket.bytesRead === read) late();
        else turn(turns - 1);
      };
      const turn = (turns: number): void => {
        const read = socket.bytesRead;
        setImmediate(() => {
          check(turns, read);
        });
      };
      turn(TURNS);
    },
  };
};
