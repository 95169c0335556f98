import type { IncomingMessage, RequestListener } from 'node:http';
import type { Duplex } from 'node:stream';

/** How often what is already here is read on before a client is called slow: a turn reads up to 2 MiB. */
const TURNS = 8;

/** The requests of connections, as far as they have arrived. */
export interface Arrivals {
  /** notes the requests that pass */
  noting: (serve: RequestListener) => RequestListener;
  /**
   * Calls back if the request whose time is over has not arrived. Where the process was busy for longer than that time,
   * Node says so before it reads what has been here for a while.
   */
  unlessArrived: (socket: Duplex & { bytesRead?: number }, late: () => void) => void;
}

export const createArrivals = (): Arrivals => {
  const last = new WeakMap<Duplex, IncomingMessage>();
  return {
    noting: (serve) => (request, response) => {
      last.set(request.socket, request);
      serve(request, response);
    },
    unlessArrived: (socket, late) => {
      const earlier = last.get(socket);
      const isBody = earlier?.complete === false;
      const look = (turns: number, read: number | undefined): void => {
        const request = last.get(socket);
        if (request?.complete === true && (isBody || request !== earlier)) return;
        if (turns === 0 || socket.bytesRead === read) late();
        else turn(turns - 1);
      };
      const turn = (turns: number): void => {
        const read = socket.bytesRead;
        setImmediate(() => {
          look(turns, read);
        });
      };
      turn(TURNS);
    },
  };
};
