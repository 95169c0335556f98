import type { IncomingMessage, RequestListener, Server } from 'node:http';
import { systemClock, type Clock } from '../../network/clock.ts';
import { createAdmission, type AdmissionLimits } from '../admission.ts';
import { serialPerConnection } from './pipelines.ts';
import { poolConnections, type PoolLimits, type RequestKind } from './pools.ts';
import { watchUnread, type UnreadLimits } from './unread-responses.ts';

export interface ConnectionLimits extends AdmissionLimits, UnreadLimits, PoolLimits {
  /**
   * maximum number of pipelined requests per connection; a client that exceeds it without reading responses is
   * disconnected
   */
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
  concurrent: 32,
  urgentConcurrent: 4,
  visitsConcurrent: 8,
  streamsConcurrent: 8,
  slotTime: 250,
  arrivingSlotTime: 25,
  maxWait: 30_000,
};

export interface Application {
  app: RequestListener;
  /** responds to a request that has waited too long for the application */
  refuse: RequestListener;
  /** whether a request bypasses the ordinary queue */
  isUrgent: (request: IncomingMessage) => boolean;
  /**
   * returns the kind of a request; visits of status pages and event streams have connection pools and queues of their
   * own
   */
  kindOf: (request: IncomingMessage) => RequestKind;
  /** returns a key that identifies the client of a request; queued clients are served round-robin */
  clientOf: (request: IncomingMessage) => string;
  /** clock; tests pass their own */
  clock?: Pick<Clock, 'monotonic' | 'after'>;
}

/**
 * Prevents clients from blocking each other. Connections beyond the limits are closed without a response, and so are
 * connections whose client does not read a response in time. The application gets only one request per connection at a
 * time, and a limited number of requests in total. Clients whose requests are queued are served round-robin.
 *
 * @returns a listener that passes requests to the application within the limits
 */
export const limitConnections = (
  server: Server,
  limits: ConnectionLimits,
  { app, refuse, isUrgent, kindOf, clientOf, clock = systemClock }: Application,
): RequestListener => {
  const assignPool = poolConnections(server, limits, kindOf);
  const unread = watchUnread(limits, clock);
  const admission = createAdmission(limits, { app, refuse, isUrgent, kindOf, clientOf, clock });
  server.on('connection', admission.accepted);
  return serialPerConnection(limits.pipelined, (request, response) => {
    const assignment = assignPool(request);
    if (assignment === 'close') {
      request.socket.destroy();
      return;
    }
    unread.watch(response);
    // Visitors and users of event streams get an error response instead of a reset connection.
    if (assignment === 'refuse') refuse(request, response);
    else admission.admit(request, response);
  });
};
