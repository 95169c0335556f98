import { createSocket } from 'node:dgram';
import type { Address } from './resolve.ts';
import { LocalFailure } from './local-failure.ts';

/** Any port works, because connecting a UDP socket only looks up the route. */
const SOME_PORT = 9;

/** System codes that mean "no route". */
const NO_ROUTE: ReadonlySet<string> = new Set([
  ...['ENETUNREACH', 'EHOSTUNREACH', 'EADDRNOTAVAIL', 'EAFNOSUPPORT'],
  // These codes result from `prohibit` and `blackhole` routes and from broadcast addresses.
  ...['EACCES', 'EPERM', 'EINVAL'],
]);

/**
 * Checks whether this machine has a route to an address, without sending anything.
 *
 * @returns null if there is a route; otherwise the system's code, such as `ENETUNREACH`
 * @throws LocalFailure the system reports another error
 */
export const whyNoRoute = ({ address, family }: Address): Promise<string | null> =>
  new Promise((resolve, reject) => {
    const socket = createSocket(family === 4 ? 'udp4' : 'udp6');
    const end = (error?: NodeJS.ErrnoException | null): void => {
      socket.close();
      const { code = '' } = error ?? {};
      if (!error) resolve(null);
      else if (NO_ROUTE.has(code)) resolve(code);
      else reject(new LocalFailure(`The runner can't look for a route to ${address}: ${code}.`, { cause: error }));
    };
    socket.once('error', end);
    socket.connect(SOME_PORT, address, end);
  });
