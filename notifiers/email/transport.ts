import type { Socket } from 'node:net';
import { rootCertificates } from 'node:tls';
import { createRequire } from 'node:module';
import type * as Nodemailer from 'nodemailer';
import type { SendMailOptions, SMTPPoolOptions } from 'nodemailer';
import { lazy } from '../../domain/concurrency/lazy.ts';
import type { Clock } from '../../network/clock.ts';
import { openConnection } from '../../network/open-connection.ts';
import { OWN_SERVERS_POLICY } from '../../network/policy.ts';
import type { Resolve } from '../../network/resolve.ts';
import type { Relay } from './relay.ts';
import { createConcurrencyLimit } from './concurrency-limit.ts';

/** What connections to the relay depend on. */
export interface TransportContext {
  clock: Clock;
  resolve: Resolve;
  relay: Relay;
  /** certificates (PEM) that are trusted besides those that Node.js trusts */
  trust?: readonly string[];
}

/** The progress of a message: connecting to the relay, or handing the message over. */
export type RelayStage = 'session' | 'transaction';

/** The relay did not respond in time. */
export class RelayTimeout extends Error {
  readonly stage: RelayStage;
  /** time limit, milliseconds */
  readonly limit: number;

  constructor(stage: RelayStage, limit: number) {
    super('The time is up.');
    this.name = 'RelayTimeout';
    this.stage = stage;
    this.limit = limit;
  }
}

/**
 * Time limits, milliseconds. A relay may check a message for minutes before it accepts it, and would deliver it twice
 * if we stopped waiting (RFC 5321, 4.5.3.2.6).
 */
const LIMITS = { connect: 30_000, session: 90_000, transaction: 600_000 } as const;
/** Longer than the limits above, which apply first. */
const NEVER_FIRST_MS = 2 * LIMITS.transaction;
/** Milliseconds. Relays close idle sessions after some tens of seconds at the earliest. */
const IDLE_MS = 20_000;
/** Fewer messages per session than any known relay's limit. */
const MESSAGES_A_SESSION = 100;
/** Maximum length of a relay's response, bytes. */
const LONGEST_ANSWER = 65_536;

export interface Transport {
  /**
   * Hands a message over to the relay, which is then responsible for it.
   *
   * @param entered called when a stage begins
   * @throws Error of nodemailer, or of network/; RelayTimeout; the signal's reason
   */
  send: (mail: SendMailOptions, signal: AbortSignal, entered: (stage: RelayStage) => void) => Promise<void>;
  /** Closes the open sessions. */
  close: () => void;
}

/** Sends through sessions that are reused for further messages. */
export const createRelayTransport = (context: TransportContext): Transport => {
  const { clock, relay } = context;
  const turns = createConcurrencyLimit(relay.connections);
  /** callbacks for the beginning of a message's transaction, by the signal of the message */
  const transactions = new WeakMap<AbortSignal, () => void>();
  let pool: ReturnType<typeof openPool> | null = null;

  return {
    send: (mail, signal, entered) =>
      turns.run(signal, async () => {
        const ending = new AbortController();
        const either = AbortSignal.any([signal, ending.signal]);
        let cancel = (): void => undefined;
        const enter = (stage: RelayStage): void => {
          cancel();
          cancel = clock.after(LIMITS[stage], () => {
            ending.abort(new RelayTimeout(stage, LIMITS[stage]));
          });
          entered(stage);
        };
        transactions.set(either, () => {
          enter('transaction');
        });
        enter('session');
        try {
          pool ??= openPool(context, (one) => transactions.get(one)?.());
          await pool.sendMail({ ...mail, signal: either });
        } catch (error) {
          either.throwIfAborted();
          throw error;
        } finally {
          cancel();
        }
      }),
    close: () => {
      pool?.close();
    },
  };
};

/** Loaded with the first message: importing it takes about 70 ms. */
const nodemailer = lazy(() => createRequire(import.meta.url)('nodemailer') as typeof Nodemailer);

/** @param beginning called when the transaction of a message begins, with the message's signal */
const openPool = (context: TransportContext, beginning: (signal: AbortSignal) => void) => {
  const { relay } = context;
  const pool = nodemailer().createTransport({
    pool: true,
    host: relay.host,
    port: relay.port,
    secure: relay.tls === 'implicit',
    requireTLS: relay.tls === 'required',
    ignoreTLS: relay.tls === 'none',
    ...(relay.auth && { auth: { user: relay.auth.user, pass: relay.auth.password } }),
    tls: { ...(context.trust && { ca: [...rootCertificates, ...context.trust] }) },
    getSocket: socketsTo(context),
    maxConnections: relay.connections,
    maxMessages: MESSAGES_A_SESSION,
    // One retry if a reused session has ended: nothing of the message had been sent.
    maxRequeues: 1,
    idleTimeout: IDLE_MS,
    connectionTimeout: NEVER_FIRST_MS,
    greetingTimeout: NEVER_FIRST_MS,
    socketTimeout: NEVER_FIRST_MS,
    socketCloseTimeout: 1_000,
    maxResponseSize: LONGEST_ANSWER,
    logger: false,
  });
  pool.use('stream', ({ data, message }, done) => {
    const { signal } = data;
    message.processFunc((input) => {
      if (signal) beginning(signal);
      // Otherwise the retry would fail with the error of the ended session.
      delete (message.getEnvelope() as { mailError?: unknown }).mailError;
      return input;
    });
    done();
  });
  return pool;
};

const socketsTo =
  (context: TransportContext): NonNullable<SMTPPoolOptions['getSocket']> =>
  (_, made) => {
    connect(context).then(
      (connection) => {
        // With implicit TLS the handshake is done; nodemailer does STARTTLS.
        made(null, { connection, secured: context.relay.tls === 'implicit' });
      },
      (error: unknown) => {
        made(error as Error);
      },
    );
  };

const connect = async ({ clock, resolve, relay, trust }: TransportContext): Promise<Socket> => {
  const limit = new AbortController();
  const cancel = clock.after(LIMITS.connect, () => {
    limit.abort(new RelayTimeout('session', LIMITS.connect));
  });
  try {
    const { host, port, tls } = relay;
    const context = { clock, resolve, policy: OWN_SERVERS_POLICY, signal: limit.signal, ...(trust && { trust }) };
    const target = { host, port, ...(tls === 'implicit' && { tls: { alpn: [] } }) };
    const { socket } = await openConnection(target, context, {
      phaseBegins: () => undefined,
      connected: () => undefined,
    });
    return socket;
  } finally {
    cancel();
  }
};
