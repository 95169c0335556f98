import { createSocket } from 'node:dgram';
import type { Address } from './resolve.ts';
import { OwnTrouble } from './own-trouble.ts';

/** Any port will do: a connected UDP socket has a route, and nothing has been sent. */
const SOME_PORT = 9;

/** Codes of the system that say there is none, and why. */
const NO_ROUTE: ReadonlySet<string> = new Set([
  ...['ENETUNREACH', 'EHOSTUNREACH', 'EADDRNOTAVAIL', 'EAFNOSUPPORT'],
  // Routes of the types `prohibit` and `blackhole`; a network's broadcast address.
  ...['EACCES', 'EPERM', 'EINVAL'],
]);

/**
 * Whether this machine has a route to an address. Nothing is sent.
 *
 * @returns null if it has, else the system's code: `ENETUNREACH`
 * @throws OwnTrouble the system can't tell
 */
export const whyNoRoute = ({ address, family }: Address): Promise<string | null> =>
  new Promise((resolve, reject) => {
    const socket = createSocket(family === 4 ? 'udp4' : 'udp6');
    const end = (error?: NodeJS.ErrnoException | null): void => {
      socket.close();
      const { code = '' } = error ?? {};
      if (!error) resolve(null);
      else if (NO_ROUTE.has(code)) resolve(code);
      else reject(new OwnTrouble(`The runner can't look for a route to ${address}: ${code}.`, { cause: error }));
    };
    socket.once('error', end);
    socket.connect(SOME_PORT, address, end);
  });
