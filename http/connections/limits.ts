import type { IncomingMessage, RequestListener, Server } from 'node:http';
import { systemClock, type Clock } from '../../network/clock.ts';
import { createAdmission, type AdmissionLimits } from '../admission.ts';
import { inTurn } from './pipelines.ts';
import { poolConnections, type PoolLimits, type RequestKind } from '../pools.ts';
import { watchUnread, type UnreadLimits } from './unread.ts';

export interface ConnectionLimits extends AdmissionLimits, UnreadLimits, PoolLimits {
  /** requests of one connection at once; a client that sends more without reading is cut off */
  pipelined: number;
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  total: 5_000,
  perAddress: 500,
  visitors: 0,
  streams: 0,
  exempt: () => false,
  pipelined: 64,
  exchange: 120_000,
  stalled: 30_000,
  unread: 64 * 1_048_576,
  atOnce: 32,
  urgentAtOnce: 4,
  visitsAtOnce: 8,
  streamsAtOnce: 8,
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
  /** visits of status pages, and streams of events, have connections and turns of their own */
  kindOf: (request: IncomingMessage) => RequestKind;
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
  { app, refuse, isUrgent, kindOf, clientOf, clock = systemClock }: Application,
): RequestListener => {
  const placeOf = poolConnections(server, limits, kindOf);
  const unread = watchUnread(limits, clock);
  const admission = createAdmission(limits, { app, refuse, isUrgent, kindOf, clientOf, clock });
  server.on('connection', admission.accepted);
  return inTurn(limits.pipelined, (request, response) => {
    const placed = placeOf(request);
    if (placed === 'no place') {
      request.socket.destroy();
      return;
    }
    unread.watch(response);
    // Visitors are people, who want to know, and so are those before the tab of a stream.
    if (placed === 'refused') refuse(request, response);
    else admission.admit(request, response);
  });
};
