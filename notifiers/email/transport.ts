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

/** Dependencies of connections to the relay. */
export interface TransportContext {
  clock: Clock;
  resolve: Resolve;
  relay: Relay;
  /** certificates (PEM) that are trusted in addition to those that Node.js trusts */
  trust?: readonly string[];
}

/** The stage of a message: opening a session with the relay, or handing over the message. */
export type RelayStage = 'session' | 'transaction';

/** The relay did not respond in time. */
export class RelayTimeout extends Error {
  readonly stage: RelayStage;
  /** time limit, in milliseconds */
  readonly limit: number;

  constructor(stage: RelayStage, limit: number) {
    super('The time is up.');
    this.name = 'RelayTimeout';
    this.stage = stage;
    this.limit = limit;
  }
}

/**
 * Time limits, in milliseconds. A relay may examine a message for minutes before it accepts the message. If the service
 * stopped waiting and tried again, the message would be delivered twice (RFC 5321, 4.5.3.2.6).
 */
const LIMITS = { connect: 30_000, session: 90_000, transaction: 600_000 } as const;
/** Time limit for nodemailer, in milliseconds. It is longer than `LIMITS`, so that `LIMITS` always apply first. */
const NEVER_FIRST_MS = 2 * LIMITS.transaction;
/** Milliseconds until this service closes an idle session. Relays close an idle session later. */
const IDLE_MS = 20_000;
/** Maximum number of messages per session; known relays allow more. */
const MESSAGES_A_SESSION = 100;
/** Maximum length of a relay's response, in bytes. */
const LONGEST_ANSWER = 65_536;

export interface Transport {
  /**
   * Hands a message over to the relay. When the promise resolves, the relay is responsible for the message.
   *
   * @param entered called at the start of each stage
   * @throws Error an error of nodemailer or of network/, a RelayTimeout, or the signal's reason
   */
  send: (mail: SendMailOptions, signal: AbortSignal, entered: (stage: RelayStage) => void) => Promise<void>;
  /** Closes all open sessions. */
  close: () => void;
}

/** Creates a transport whose sessions are reused for further messages. */
export const createRelayTransport = (context: TransportContext): Transport => {
  const { clock, relay } = context;
  const turns = createConcurrencyLimit(relay.connections);
  /** callbacks that are called when the transaction of a message begins, by the signal of the message */
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

/** nodemailer is loaded with the first message, because importing it takes about 70 ms. */
const nodemailer = lazy(() => createRequire(import.meta.url)('nodemailer') as typeof Nodemailer);

/** @param beginning called with the signal of a message when the transaction of the message begins */
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
    // Allows one retry, because a reused session may have ended in the meantime. No part of the message was sent in the
    // ended session.
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
      // If this error were not deleted, the retry would fail with the error of the ended session.
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
        // With implicit TLS, the handshake is complete. STARTTLS is left to nodemailer.
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
