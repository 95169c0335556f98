import type { IncomingMessage, RequestListener, Server } from 'node:http';
import { systemClock, type Clock } from '../../network/clock.ts';
import { createAdmission, type AdmissionLimits } from '../admission.ts';
import { serialPerConnection } from './pipelines.ts';
import { poolConnections, type PoolLimits, type RequestKind } from './pools.ts';
import { watchUnread, type UnreadLimits } from './unread-responses.ts';

export interface ConnectionLimits extends AdmissionLimits, UnreadLimits, PoolLimits {
  /**
   * maximum of pipelined requests per connection; a client that sends more without reading responses is disconnected
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
  /** visits of status pages and event streams have connection pools and queues of their own */
  kindOf: (request: IncomingMessage) => RequestKind;
  /** identifies the client of a request; queued clients are served round-robin */
  clientOf: (request: IncomingMessage) => string;
  /** overridden by tests */
  clock?: Pick<Clock, 'monotonic' | 'after'>;
}

/**
 * Keeps clients from blocking others. Connections beyond the limits are closed without a response, and so are
 * connections whose response is not read in time. The application gets one request per connection at a time and a
 * limited number in total; queued clients are served round-robin.
 *
 * @returns the application, called only within the limits
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
    // Visitors and users of event streams see an error page or message instead of a reset connection.
    if (assignment === 'refuse') refuse(request, response);
    else admission.admit(request, response);
  });
};
