import type { Clock } from '../../network/clock.ts';
import { explainUplinkFailure } from '../../network/uplink.ts';
import { pause } from '../../probes/engine/pause.ts';
import type { Backoff } from './backoff.ts';
import type { ServiceClient } from './client.ts';
import { ServiceError } from './errors.ts';
import type { ReadOrder } from './messages.ts';
import type { Hello, Welcome } from './protocol.ts';

/** The service rejects this runner. The message is the reason that the service gave. */
export class RunnerRejected extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'RunnerRejected';
  }
}

/**
 * The orders that the connection passes on. An `end` order is not passed on: the connection itself ends the session.
 */
export type RunnerOrder = Exclude<ReadOrder, { kind: 'end' }>;

export interface ConnectionOptions {
  client: Pick<ServiceClient, 'connect' | 'work'>;
  clock: Clock;
  backoff: Backoff;
  hello: () => Hello;
  /** Called when the stream is open. */
  connected: (welcome: Welcome) => void;
  order: (order: RunnerOrder) => void;
  /**
   * Called when the stream was open and has been lost.
   *
   * @param lastHeard when data last arrived, by the monotonic clock
   */
  lost: (reason: string, lastHeard: number) => void;
  /** Called when the stream could not be opened. Another attempt follows after `milliseconds`. */
  failed: (reason: string, milliseconds: number) => void;
  /** Called when the service rejects a token that it accepted before. */
  revoked: (reason: string) => void;
}

export interface Connection {
  /**
   * Opens the stream, and reopens it whenever it is lost, until `stop` is called.
   *
   * @throws RunnerRejected
   */
  run: () => Promise<void>;
  /** returns the current session; null if there is none */
  session: () => Welcome | null;
  /** returns when data last arrived, by the monotonic clock */
  lastHeard: () => number;
  /** Reopens a stream that looks open but is broken. */
  renew: (reason: string) => void;
  /** Must be called when the service has reported that it does not know a session. */
  over: (session: string) => void;
  /** Stops accepting orders. The session remains open. */
  stop: () => void;
}

/** If a stream lasted this long, the connection counts as successful and the backoff is reset. Milliseconds. */
const LASTING_MS = 5_000;
/** Pause while the service rejects the token, in milliseconds. The operator may make the token valid again. */
const REFUSED_PAUSE_MS = 60_000;

export const createConnection = (options: ConnectionOptions): Connection => {
  const { client, clock, backoff } = options;
  const stopping = new AbortController();
  let welcome: Welcome | null = null;
  let stream = new AbortController();
  let isOpen = false;
  let wasAccepted = false;
  /** the session whose stream was opened most recently */
  let lastOpened: string | null = null;
  let openedAt = 0;
  let lastDataAt = 0;

  const isStopping = (): boolean => stopping.signal.aborted;

  const follow = async (): Promise<never> => {
    stream = new AbortController();
    if (isStopping()) stream.abort(stopping.signal.reason);
    welcome ??= await client.connect(options.hello(), stream.signal);
    const { session, silence_ms: silence } = welcome;
    lastDataAt = clock.monotonic();
    const noteData = (): void => {
      lastDataAt = clock.monotonic();
    };
    const orders = await client.work(session, { silence, signal: stream.signal, onData: noteData });
    wasAccepted = true;
    isOpen = true;
    lastOpened = session;
    openedAt = clock.monotonic();
    options.connected(welcome);
    for await (const order of orders) {
      if (order.kind === 'end') endedBy(order.reason);
      else options.order(order);
    }
    throw new Error('The service has ended the stream.');
  };

  const endedBy = (reason: 'stopping' | 'revoked' | 'replaced'): never => {
    welcome = null;
    if (reason === 'revoked') options.revoked('The runner was revoked.');
    throw new Error(
      reason === 'stopping' ? 'The service has ended the session.' : `The session is over: it was ${reason}.`,
    );
  };

  const lose = (reason: string): void => {
    if (!isOpen) return;
    isOpen = false;
    if (clock.monotonic() - openedAt >= LASTING_MS) backoff.reset();
    options.lost(reason, lastDataAt);
  };

  /** @returns the pause before the next attempt, in milliseconds @throws RunnerRejected */
  const pauseAfter = (error: unknown): number => {
    if (!(error instanceof ServiceError)) return backoff.next();
    const { status, message, retryAfterMs } = error;
    if (status === 409 || status === 426) throw new RunnerRejected(message);
    if (status === 401) {
      if (!wasAccepted) throw new RunnerRejected(message);
      options.revoked(message);
    }
    const isSessionOver = status === 404 && welcome !== null && welcome.session === lastOpened;
    if (status === 401 || status === 404) welcome = null;
    // The service no longer knows the session, so open a new one immediately. If the rejected session was itself new,
    // pause first, because the service might also reject the next one.
    if (isSessionOver) return 0;
    return status === 401 ? REFUSED_PAUSE_MS : backoff.next(retryAfterMs ?? 0);
  };

  return {
    run: async () => {
      while (!isStopping()) {
        try {
          await follow();
        } catch (error) {
          stream.abort(error);
          const reason = explainUplinkFailure(error);
          lose(reason);
          if (isStopping()) return;
          const milliseconds = pauseAfter(error);
          if (milliseconds > 0) options.failed(reason, milliseconds);
          await pause(clock, milliseconds, stopping.signal).catch(() => undefined);
        }
      }
    },
    session: () => welcome,
    lastHeard: () => lastDataAt,
    renew: (reason) => {
      if (isOpen) stream.abort(new Error(reason));
    },
    over: (session) => {
      if (welcome?.session !== session) return;
      welcome = null;
      stream.abort(new Error('The service no longer knows the session.'));
    },
    stop: () => {
      const reason = new Error('The runner is stopping.');
      stopping.abort(reason);
      stream.abort(reason);
    },
  };
};
