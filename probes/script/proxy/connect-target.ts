import type { Socket } from 'node:net';
import type { TargetPolicy } from '../../../domain/target/policy.ts';
import { isAmongPorts, portsInWords, type PortRange } from '../../../domain/target/ports.ts';
import type { Clock } from '../../../network/clock.ts';
import { peerOf } from '../../../network/failure-sentences.ts';
import { openConnection, TargetRefused, type ConnectionProgress } from '../../../network/open-connection.ts';
import { limitedResolve } from '../../../network/limited-resolve.ts';
import type { Resolve } from '../../../network/resolve.ts';
import type { ProxyLimits } from './limits.ts';
import type { HostAndPort } from './request-target.ts';
import { notConnected, ProxyRefusal } from './refusal.ts';

export interface TargetConnectorOptions {
  resolve: Resolve;
  policy: TargetPolicy;
  /** the ports that scripts may connect to */
  ports: readonly PortRange[];
  clock: Clock;
  limits: ProxyLimits;
}

const QUIET: ConnectionProgress = { phaseBegins: () => undefined, connected: () => undefined };

/** Abort reasons: connecting takes too long (LATE), or the proxy was closed (OVER). */
const LATE = new Error('It took too long.');
const OVER = new Error('The proxy is closed.');

/**
 * Connects to targets. Looks up the name for each connection, and connects only to addresses that the policy allows.
 */
export const createTargetConnector = ({ resolve, policy, ports, clock, limits }: TargetConnectorOptions) => {
  const few = sharing(limitedResolve(resolve, limits.lookups));
  const underWay = new Set<AbortController>();
  const open = new Set<Socket>();
  let tried = 0;
  let over = false;

  /** Checks the port and counts the attempt. @throws ProxyRefusal */
  const judge = ({ host, port }: HostAndPort): void => {
    if (!isAmongPorts(ports, port))
      throw new ProxyRefusal(
        403,
        'http_request_denied',
        `Scripts may connect to the ports ${portsInWords(ports)}, and not to ${peerOf(host, port)}.`,
      );
    tried += 1;
    if (tried > limits.connections)
      throw new ProxyRefusal(
        403,
        'connection_limit_reached',
        `The run has opened ${limits.connections} connections, which is the maximum.`,
      );
  };

  const keep = (socket: Socket): void => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  };

  /** @throws ProxyRefusal */
  const connect = async (place: HostAndPort): Promise<Socket> => {
    judge(place);
    const ending = new AbortController();
    underWay.add(ending);
    const cancel = clock.after(limits.connect, () => {
      ending.abort(LATE);
    });
    try {
      const context = { clock, resolve: few, policy, signal: ending.signal };
      const { socket, address } = await openConnection(place, context, QUIET);
      keep(socket);
      // The policy has already allowed the address to connect to. The actual address of the connected socket is checked
      // too, because it might be a different one.
      const reached = socket.remoteAddress;
      const why = reached === undefined ? null : policy.refusal(reached, place.port);
      if (!over && why === null) return socket;
      socket.destroy();
      throw over ? OVER : new TargetRefused(place.host, reached ?? address.address, place.port, why ?? '');
    } catch (error) {
      if (error !== LATE) throw notConnected(error);
      const seconds = (limits.connect / 1_000).toString();
      const peer = peerOf(place.host, place.port);
      throw new ProxyRefusal(504, 'connection_timeout', `There was no connection to ${peer} within ${seconds} s.`);
    } finally {
      cancel();
      underWay.delete(ending);
    }
  };

  return {
    connect,
    /** Returns the number of connection attempts. */
    tried: (): number => tried,
    open: (): ReadonlySet<Socket> => open,
    /** Closes all connections, including those that are being opened. */
    end: (): void => {
      over = true;
      for (const ending of underWay) ending.abort(OVER);
      for (const socket of open) socket.destroy();
    },
  };
};

/** Shares one look-up among concurrent requests for a name, because a page opens many connections to one host. */
const sharing = (resolve: Resolve): Resolve => {
  const underWay = new Map<string, ReturnType<Resolve>>();
  return (host) => {
    const known = underWay.get(host);
    if (known) return known;
    const answer = resolve(host).finally(() => underWay.delete(host));
    underWay.set(host, answer);
    return answer;
  };
};

export type TargetConnector = ReturnType<typeof createTargetConnector>;
