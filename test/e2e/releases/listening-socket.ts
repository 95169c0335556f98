import type { ProgramPlace } from '../program.ts';

/** The part of a TCP handle of Node.js that is needed here. `net.Server` would accept the connections itself. */
interface TcpHandle {
  fd: number;
  bind: (address: string, port: number) => number;
  getsockname: (out: { port?: number }) => number;
  close: () => void;
}

interface TcpBinding {
  TCP: new (type: number) => TcpHandle;
  constants: { SERVER: number };
}

/** A socket that outlives the processes that listen on it, as systemd holds it for a service. */
export interface HeldSocket {
  /** base URL of the service that listens on the socket */
  address: string;
  fd: number;
  close: () => void;
}

/** A shell sets the variables, because `LISTEN_PID` must contain the id of the process that then becomes the program. */
const pass = (count: number): string =>
  `export LISTEN_FDS=${count} LISTEN_PID=$$ LISTEN_FDNAMES=uptrail.socket; exec "$@"`;

/** Returns a program that inherits sockets. */
export const passSockets = (place: ProgramPlace, ...sockets: readonly HeldSocket[]): ProgramPlace => ({
  ...place,
  there: ['sh', '-c', pass(sockets.length), 'sh'],
  inherits: sockets.map(({ fd }) => fd),
});

/** Opens a socket on a free port of 127.0.0.1. It never accepts connections, so they wait for a program. */
export const holdSocket = (): HeldSocket => {
  const { binding } = process as unknown as { binding: (name: 'tcp_wrap') => TcpBinding };
  const { TCP, constants } = binding.call(process, 'tcp_wrap');
  const handle = new TCP(constants.SERVER);
  const failed = handle.bind('127.0.0.1', 0);
  const bound: { port?: number } = {};
  if (failed !== 0 || handle.getsockname(bound) !== 0) throw new Error('The socket could not be opened.');
  return {
    address: `http://127.0.0.1:${bound.port ?? 0}`,
    fd: handle.fd,
    close: () => {
      handle.close();
    },
  };
};
