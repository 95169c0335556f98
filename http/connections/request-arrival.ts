import type { IncomingMessage, RequestListener } from 'node:http';
import type { Duplex } from 'node:stream';

/** Event loop turns in which buffered data is read before a client counts as slow; each turn reads up to 2 MiB. */
const TURNS = 8;

/** Tracks the arrival of requests by connection. */
export interface RequestArrivals {
  /** records the requests that pass */
  noting: (serve: RequestListener) => RequestListener;
  /**
   * Calls `late` if a timed-out request has really not arrived. After the process was busy for longer than the timeout,
   * Node.js reports the timeout before it reads data that is already in the socket buffer.
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
