import type { Clock } from '../../network/clock.ts';
import { explainUplinkFailure } from '../../network/uplink.ts';
import { pause } from '../../probes/engine/pause.ts';
import type { Backoff } from './backoff.ts';
import type { ServiceClient } from './client.ts';
import { ServiceError } from './errors.ts';
import type { ReadOrder } from './messages.ts';
import type { Hello, Welcome } from './protocol.ts';

/** The service rejects this runner. The message is the service's reason. */
export class RunnerRejected extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'RunnerRejected';
  }
}

/** All orders except the end of a session, which the connection handles itself. */
export type RunnerOrder = Exclude<ReadOrder, { kind: 'end' }>;

export interface ConnectionOptions {
  client: Pick<ServiceClient, 'connect' | 'work'>;
  clock: Clock;
  backoff: Backoff;
  hello: () => Hello;
  /** The stream is open. */
  connected: (welcome: Welcome) => void;
  order: (order: RunnerOrder) => void;
  /** The stream was open, and no longer is. @param lastReportAt when data last arrived, by the monotonic clock */
  lost: (reason: string, lastHeard: number) => void;
  /** It could not be opened; retried after this many milliseconds. */
  failed: (reason: string, milliseconds: number) => void;
  /** The token, which was accepted before, is no longer valid. */
  revoked: (reason: string) => void;
}

export interface Connection {
  /**
   * Keeps the stream open until it is stopped.
   *
   * @throws RunnerRejected
   */
  run: () => Promise<void>;
  /** null: there is none, or the service has not responded lately */
  session: () => Welcome | null;
  /** when data last arrived, by the monotonic clock */
  lastHeard: () => number;
  /** Reopens a stream that looks open but is broken. */
  renew: (reason: string) => void;
  /** The service no longer knows a session. */
  over: (session: string) => void;
  /** Stops accepting orders; the session remains open. */
  stop: () => void;
}

/** A stream that lasted this long was successful, milliseconds. */
const LASTING_MS = 5_000;
/** Pause while the token is rejected, milliseconds: the operator may make it valid again. */
const REFUSED_PAUSE_MS = 60_000;

export const createConnection = (options: ConnectionOptions): Connection => {
  const { client, clock, backoff } = options;
  const stopping = new AbortController();
  let welcome: Welcome | null = null;
  let stream = new AbortController();
  let isOpen = false;
  let wasAccepted = false;
  /** the session whose stream was opened last */
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

  /** @returns how long to wait, milliseconds. @throws RunnerRejected */
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
    // The service is reachable but needs a new session; unless it does not know one that it has just created.
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
