import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Clock } from '../network/clock.ts';
import { STREAM_BEGUN } from './media/content.ts';
import type { RequestKind } from './connections/pools.ts';

export interface AdmissionLimits {
  /**
   * maximum number of ordinary requests that the application processes concurrently; further requests wait in a queue
   * that serves clients round-robin
   */
  concurrent: number;
  /** maximum number of concurrent urgent requests, which have a separate queue */
  urgentConcurrent: number;
  /**
   * maximum number of concurrent requests of visitors of status pages, which have a separate queue; also the maximum
   * number of these requests that start in one event loop turn
   */
  visitsConcurrent: number;
  /** maximum number of concurrent requests for event streams; a request counts only until its stream starts */
  streamsConcurrent: number;
  /**
   * Milliseconds after which a request no longer occupies a slot. A request that takes longer is waiting for its
   * client, a store or a target rather than for the processor, so it must not delay other requests.
   */
  slotTime: number;
  /** shorter `slotTime` for a request whose body is still arriving, because the client may never send the rest */
  arrivingSlotTime: number;
  /** maximum time in the queue before a request is refused, in milliseconds */
  maxWait: number;
}

/**
 * Maximum number of consecutive event loop turns in which connections are accepted but no ordinary requests start.
 * libuv accepts one connection per turn, so turns full of requests would delay all new connections.
 */
export const ACCEPTING_TURNS = 64;

export interface AdmissionDependencies {
  app: RequestListener;
  /** responds to a request that has waited too long */
  refuse: RequestListener;
  /** whether a request bypasses the ordinary queue, such as `/health` */
  isUrgent: (request: IncomingMessage) => boolean;
  /** returns the kind of a request; default: every request is an ordinary call */
  kindOf?: (request: IncomingMessage) => RequestKind;
  /** returns a key that identifies the client of a request in the queue; default: all requests have the same client */
  clientOf?: (request: IncomingMessage) => string;
  clock: Pick<Clock, 'monotonic' | 'after'>;
  /** schedules a callback for the end of the current event loop turn; default: setImmediate */
  soon?: (callback: () => void) => void;
}

export interface Admission {
  /** Passes a request to the application, immediately or after waiting in the queue. */
  admit: RequestListener;
  /**
   * Records that a connection was accepted. More connections may be pending, and they are accepted before queued
   * requests start.
   */
  accepted: () => void;
}

interface QueuedRequest {
  request: IncomingMessage;
  response: ServerResponse;
  since: number;
  /** removes the request from the queue; called when the client has disconnected */
  leave: () => void;
}

/** A request that occupies a slot. */
interface Slot {
  request: IncomingMessage;
  since: number;
}

/** A queue of requests and the slots in which its requests are processed. */
interface Queue {
  /** number of slots */
  atOnce: number;
  /** maximum number of requests that start in one event loop turn, even if they finish immediately */
  perTurn: number;
  /** number of requests that have started in this turn */
  begun: number;
  /** queued requests by client, oldest first; the first key is the client that is served next */
  waiting: Map<string, Set<QueuedRequest>>;
  /** occupied slots, oldest first */
  slots: Set<Slot>;
}

const createQueue = (atOnce: number, perTurn = Infinity): Queue => ({
  atOnce,
  perTurn,
  begun: 0,
  waiting: new Map(),
  slots: new Set(),
});

const hasFreeSlot = ({ atOnce, slots, begun, perTurn }: Queue): boolean => slots.size < atOnce && begun < perTurn;

/** Dequeues the oldest request of the next client. */
const takeNext = ({ waiting }: Queue): QueuedRequest | null => {
  for (const [client, ofClient] of waiting) {
    // The client moves to the end of the order.
    waiting.delete(client);
    for (const oldest of ofClient) {
      ofClient.delete(oldest);
      if (ofClient.size > 0) waiting.set(client, ofClient);
      return oldest;
    }
  }
  return null;
};

/** Limits how many requests the application processes concurrently. This keeps event loop turns short. */
export const createAdmission = (
  {
    concurrent,
    urgentConcurrent,
    visitsConcurrent,
    streamsConcurrent,
    slotTime: lease,
    arrivingSlotTime,
    maxWait,
  }: AdmissionLimits,
  {
    app,
    refuse,
    isUrgent,
    kindOf = () => 'call',
    clientOf = () => '',
    clock,
    soon = setImmediate,
  }: AdmissionDependencies,
): Admission => {
  const [urgent, ordinary] = [createQueue(urgentConcurrent), createQueue(concurrent)];
  // Requests for cached pages finish immediately and free their slots, so the number of slots does not limit how many
  // of them run in one event loop turn. Therefore, the queue of visits has a limit per turn.
  const visits = createQueue(visitsConcurrent, visitsConcurrent);
  const streams = createQueue(streamsConcurrent);
  const kinds: Record<RequestKind, Queue> = { call: ordinary, visit: visits, stream: streams };
  const queues = [urgent, ordinary, visits, streams];
  let isAccepting = false;
  let acceptingTurns = 0;
  let isScheduled = false;
  /** cancels the timer that releases slots and refuses late requests */
  let cancel: (() => void) | null = null;

  const begin = (queue: Queue, request: IncomingMessage, response: ServerResponse): void => {
    const slot: Slot = { request, since: clock.monotonic() };
    queue.slots.add(slot);
    queue.begun += 1;
    if (queue.perTurn < Infinity) schedule();
    const leave = (): void => {
      if (queue.slots.delete(slot) && queue.waiting.size > 0) schedule();
    };
    // The slot becomes free when the response is complete, even if the client has not read it yet. Each of these events
    // occurs only one time, so `on` is enough and avoids the wrapper that `once` creates.
    response.on('prefinish', leave);
    response.on('close', leave);
    // An event stream stays open. Without this listener, it would occupy its slot for the whole `slotTime`.
    response.on(STREAM_BEGUN, leave);
    app(request, response);
  };

  const isLate = ({ since }: QueuedRequest, now: number): boolean => now - since >= maxWait;
  const releaseSlots = ({ slots }: Queue, now: number): void => {
    for (const slot of slots) {
      const age = now - slot.since;
      if (age < arrivingSlotTime) break;
      if (age >= lease || !slot.request.complete) slots.delete(slot);
    }
  };
  const refuseLate = ({ waiting }: Queue, now: number): void => {
    for (const ofClient of waiting.values()) {
      for (const oldest of ofClient) {
        if (!isLate(oldest, now)) break;
        oldest.response.off('close', oldest.leave);
        oldest.leave();
        refuse(oldest.request, oldest.response);
      }
    }
  };

  const fill = (queue: Queue): void => {
    const now = clock.monotonic();
    releaseSlots(queue, now);
    while (hasFreeSlot(queue)) {
      const next = takeNext(queue);
      if (!next) return;
      next.response.off('close', next.leave);
      if (isLate(next, now)) refuse(next.request, next.response);
      else begin(queue, next.request, next.response);
    }
  };

  const fillAll = (): void => {
    isScheduled = false;
    visits.begun = 0;
    fill(urgent);
    const others = isAccepting && acceptingTurns < ACCEPTING_TURNS;
    isAccepting = false;
    acceptingTurns = others ? acceptingTurns + 1 : 0;
    if (others) schedule();
    else {
      fill(ordinary);
      fill(visits);
      fill(streams);
    }
    if (someWait()) scheduleCheck();
    else cancelCheck();
  };
  const schedule = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    soon(fillAll);
  };
  const scheduleCheck = (): void => {
    cancel ??= clock.after(Math.min(lease, arrivingSlotTime), () => {
      cancel = null;
      const now = clock.monotonic();
      for (const queue of queues) refuseLate(queue, now);
      if (!someWait()) return;
      scheduleCheck();
      schedule();
    });
  };

  const cancelCheck = (): void => {
    cancel?.();
    cancel = null;
  };
  const someWait = (): boolean => queues.some(({ waiting }) => waiting.size > 0);
  const enqueue = (queue: Queue, request: IncomingMessage, response: ServerResponse): void => {
    const client = clientOf(request);
    const ofClient = queue.waiting.get(client) ?? new Set();
    const leave = (): void => {
      ofClient.delete(queued);
      if (ofClient.size === 0 && queue.waiting.get(client) === ofClient) queue.waiting.delete(client);
      if (!someWait()) cancelCheck();
    };
    const queued: QueuedRequest = { request, response, since: clock.monotonic(), leave };
    queue.waiting.set(client, ofClient.add(queued));
    response.once('close', leave);
    scheduleCheck();
  };

  return {
    admit: (request, response) => {
      const queue = isUrgent(request) ? urgent : kinds[kindOf(request)];
      if (queue.waiting.size === 0 && hasFreeSlot(queue)) begin(queue, request, response);
      else enqueue(queue, request, response);
    },
    accepted: () => {
      isAccepting = true;
    },
  };
};
