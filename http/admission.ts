import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Clock } from '../network/clock.ts';
import { STREAM_BEGUN } from './media/content.ts';
import type { RequestKind } from './pools.ts';

export interface AdmissionLimits {
  /**
   * requests that the application works on at once; further ones wait at their connections, those of each client
   * oldest first, and the clients in turn
   */
  atOnce: number;
  /** the same for urgent requests, which wait for each other only */
  urgentAtOnce: number;
  /** the same for requests of visitors, which wait for each other only, too; no more begin in a turn of the event loop */
  visitsAtOnce: number;
  /** the same for requests of streams of events, until these have begun */
  streamsAtOnce: number;
  /**
   * After this time a request no longer counts, milliseconds: what takes longer waits for its client, a store or a
   * target rather than for the processor, and must not keep others waiting.
   */
  place: number;
  /** the same for a request whose body is still arriving: it waits for its client, which may never send the rest */
  arriving: number;
  /** a request that has waited for longer is refused, milliseconds */
  wait: number;
}

/**
 * How many turns of the event loop in a row may only accept connections. libuv accepts one connection a turn, so a
 * turn full of requests would keep all new connections waiting.
 */
export const ACCEPTING_TURNS = 64;

export interface AdmissionDependencies {
  app: RequestListener;
  /** answers a request that has waited too long */
  refuse: RequestListener;
  /** whether a request must not wait for ordinary ones, as `/health` */
  isUrgent: (request: IncomingMessage) => boolean;
  /** what a request is; default: an ordinary call */
  kindOf?: (request: IncomingMessage) => RequestKind;
  /** whose request it is, which waits for earlier ones of the same client; default: all are of one */
  clientOf?: (request: IncomingMessage) => string;
  clock: Pick<Clock, 'monotonic' | 'after'>;
  /** calls back at the end of this turn of the event loop; default: setImmediate */
  soon?: (callback: () => void) => void;
}

export interface Admission {
  /** Passes a request to the application now, or when its turn has come. */
  admit: RequestListener;
  /** Records an accepted connection: pending connections are accepted before queued requests begin. */
  accepted: () => void;
}

interface Waiting {
  request: IncomingMessage;
  response: ServerResponse;
  since: number;
  /** called when its client has left */
  leave: () => void;
}

interface Place {
  request: IncomingMessage;
  since: number;
}

/** Requests that wait for each other only. */
interface Lane {
  atOnce: number;
  /** how many may begin in one turn of the event loop, also where each is answered at once */
  perTurn: number;
  /** how many have begun in this turn */
  begun: number;
  /** by client, oldest first; the client whose turn is next comes first */
  waiting: Map<string, Set<Waiting>>;
  /** of requests that the application works on, oldest first */
  places: Set<Place>;
}

const createLane = (atOnce: number, perTurn = Infinity): Lane => ({
  atOnce,
  perTurn,
  begun: 0,
  waiting: new Map(),
  places: new Set(),
});

const isFree = ({ atOnce, places, begun, perTurn }: Lane): boolean => places.size < atOnce && begun < perTurn;

/** Takes the oldest request of the client whose turn it is. */
const takeNext = ({ waiting }: Lane): Waiting | null => {
  for (const [client, ofClient] of waiting) {
    // It comes last from now on.
    waiting.delete(client);
    for (const oldest of ofClient) {
      ofClient.delete(oldest);
      if (ofClient.size > 0) waiting.set(client, ofClient);
      return oldest;
    }
  }
  return null;
};

/** Limits how many requests the application works on at once, so that each turn of the event loop is short. */
export const createAdmission = (
  { atOnce, urgentAtOnce, visitsAtOnce, streamsAtOnce, place: lease, arriving, wait }: AdmissionLimits,
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
  const [urgent, ordinary] = [createLane(urgentAtOnce), createLane(atOnce)];
  // A rendered page that is remembered is answered at once: a crowd would make a turn as long as it is.
  const visits = createLane(visitsAtOnce, visitsAtOnce);
  const streams = createLane(streamsAtOnce);
  const kinds: Record<RequestKind, Lane> = { call: ordinary, visit: visits, stream: streams };
  const lanes = [urgent, ordinary, visits, streams];
  let isAccepting = false;
  let acceptingTurns = 0;
  let isScheduled = false;
  /** ends the wait for a place that no longer counts */
  let cancel: (() => void) | null = null;

  const begin = (lane: Lane, request: IncomingMessage, response: ServerResponse): void => {
    const place: Place = { request, since: clock.monotonic() };
    lane.places.add(place);
    lane.begun += 1;
    if (lane.perTurn < Infinity) schedule();
    const leave = (): void => {
      if (lane.places.delete(place) && lane.waiting.size > 0) schedule();
    };
    // The answer is complete; whether its client reads it is no matter of this one.
    // Both come once, so the wrapper that `once` makes would be wasted.
    response.on('prefinish', leave);
    response.on('close', leave);
    // A stream of events stays open, and would keep its place until the lease ends.
    response.on(STREAM_BEGUN, leave);
    app(request, response);
  };

  const isLate = ({ since }: Waiting, now: number): boolean => now - since >= wait;
  const releasePlaces = ({ places }: Lane, now: number): void => {
    for (const place of places) {
      const age = now - place.since;
      if (age < arriving) break;
      if (age >= lease || !place.request.complete) places.delete(place);
    }
  };
  const refuseLate = ({ waiting }: Lane, now: number): void => {
    for (const ofClient of waiting.values()) {
      for (const oldest of ofClient) {
        if (!isLate(oldest, now)) break;
        oldest.response.off('close', oldest.leave);
        oldest.leave();
        refuse(oldest.request, oldest.response);
      }
    }
  };

  const fill = (lane: Lane): void => {
    const now = clock.monotonic();
    releasePlaces(lane, now);
    while (isFree(lane)) {
      const next = takeNext(lane);
      if (!next) return;
      next.response.off('close', next.leave);
      if (isLate(next, now)) refuse(next.request, next.response);
      else begin(lane, next.request, next.response);
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
    if (someWait()) lookAgain();
    else endLook();
  };
  const schedule = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    soon(fillAll);
  };
  const lookAgain = (): void => {
    cancel ??= clock.after(Math.min(lease, arriving), () => {
      cancel = null;
      const now = clock.monotonic();
      for (const lane of lanes) refuseLate(lane, now);
      if (!someWait()) return;
      lookAgain();
      schedule();
    });
  };

  const endLook = (): void => {
    cancel?.();
    cancel = null;
  };
  const someWait = (): boolean => lanes.some(({ waiting }) => waiting.size > 0);
  const queue = (lane: Lane, request: IncomingMessage, response: ServerResponse): void => {
    const client = clientOf(request);
    const ofClient = lane.waiting.get(client) ?? new Set();
    const leave = (): void => {
      ofClient.delete(waiting);
      if (ofClient.size === 0 && lane.waiting.get(client) === ofClient) lane.waiting.delete(client);
      if (!someWait()) endLook();
    };
    const waiting: Waiting = { request, response, since: clock.monotonic(), leave };
    lane.waiting.set(client, ofClient.add(waiting));
    response.once('close', leave);
    lookAgain();
  };

  return {
    admit: (request, response) => {
      const lane = isUrgent(request) ? urgent : kinds[kindOf(request)];
      if (lane.waiting.size === 0 && isFree(lane)) begin(lane, request, response);
      else queue(lane, request, response);
    },
    accepted: () => {
      isAccepting = true;
    },
  };
};
