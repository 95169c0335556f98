import type { IncomingMessage, RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import { systemClock, type Clock } from '../network/clock.ts';
import { createAdmission, type AdmissionLimits } from './admission.ts';
import { networkOf } from './client-address.ts';
import { inTurn } from './pipelines.ts';
import { watchUnread, type UnreadLimits } from './unread.ts';

export interface ConnectionLimits extends AdmissionLimits, UnreadLimits {
  /** connections at once */
  total: number;
  /** connections at once from one address, or from one network of IPv6 (64 bits) */
  perAddress: number;
  /** whose connections are not counted by address: a proxy has those of everybody */
  exempt: (address: string) => boolean;
  /** requests of one connection at once; a client that sends more without reading is cut off */
  pipelined: number;
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  total: 5_000,
  perAddress: 500,
  exempt: () => false,
  pipelined: 64,
  exchange: 120_000,
  stalled: 30_000,
  unread: 64 * 1_048_576,
  atOnce: 32,
  urgentAtOnce: 4,
  place: 250,
  arriving: 25,
  wait: 30_000,
};

export interface Application {
  app: RequestListener;
  /** answers a request that has waited too long for the application */
  refuse: RequestListener;
  /** whether a request must not wait for ordinary ones */
  isUrgent: (request: IncomingMessage) => boolean;
  /** whose request it is; clients that wait have turns */
  clientOf: (request: IncomingMessage) => string;
  /** tests use another one */
  clock?: Pick<Clock, 'monotonic' | 'after'>;
}

/**
 * Keeps clients from blocking others: connections beyond the limits are closed without an answer, and so is a
 * connection whose answer is not read in time. The application gets one request of a connection at a time, and
 * few altogether; clients that wait for it have turns.
 *
 * @returns the application, called only within the limits
 */
export const limitConnections = (
  server: Server,
  limits: ConnectionLimits,
  { app, refuse, isUrgent, clientOf, clock = systemClock }: Application,
): RequestListener => {
  server.maxConnections = limits.total;
  const unread = watchUnread(limits, clock);
  const admission = createAdmission(limits, { app, refuse, isUrgent, clientOf, clock });
  server.on('connection', admission.accepted);
  limitByAddress(server, limits);
  return inTurn(limits.pipelined, (request, response) => {
    unread.watch(response);
    admission.admit(request, response);
  });
};

const limitByAddress = (server: Server, { perAddress, exempt }: ConnectionLimits): void => {
  const open = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress;
    // Without an address the client has left already.
    if (address === undefined || exempt(address)) return;
    const network = networkOf(address);
    const count = (open.get(network) ?? 0) + 1;
    if (count > perAddress) {
      socket.destroy();
      return;
    }
    open.set(network, count);
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1;
      if (left === 0) open.delete(network);
      else open.set(network, left);
    });
  });
};
