import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls, type TLSSocket } from 'node:tls';

/** Where a server can be reached. */
export interface Endpoint {
  host: string;
  port: number;
}

/** How to talk to a server. */
export interface Reaching {
  /** name of the variable that holds the connection string, for people */
  variable: string;
  /** what the server is, for people */
  server: string;
  /** null: without TLS */
  tls: {
    /** PEM; absent: the usual authorities are trusted */
    ca?: Buffer | undefined;
    cert?: Buffer | undefined;
    key?: Buffer | undefined;
    protocols?: string[];
    /** accepts any certificate */
    anyCertificate?: boolean;
    /** accepts a certificate for any name */
    anyName?: boolean;
  } | null;
  /** Whether the peer answers as such a server does; false when it ends the connection. */
  speaks: (socket: Duplex) => Promise<boolean>;
  /** milliseconds for everything together */
  deadline?: number;
  /** replaces the system's resolver */
  lookup?: LookupFunction | undefined;
}

/**
 * Sentences for operators. They contain names of hosts and users, which an error's message leaves out because others
 * see it too. null when no fault is found.
 */
export type Explain = () => Promise<string | null>;

/** The cause of an error, including what its client hides; it is found out on request. */
export class ConnectionTrouble extends Error {
  readonly explain: Explain;

  constructor(cause: unknown, explain: Explain) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = 'ConnectionTrouble';
    this.explain = explain;
  }
}

/** What to tell operators about an error or its cause; null when there is nothing. */
export const explanationOf = async (error: unknown): Promise<string | null> => {
  for (let one = error; one instanceof Error; one = one.cause) {
    if ('explain' in one) return (one as { explain: Explain }).explain();
  }
  return null;
};

/** How far a connection has got. */
type Stage = 'lookup' | 'connect' | 'answer';

const DEADLINE = 3_000;

/**
 * Finds out what keeps a client from a server, with a connection of its own that sends nothing secret.
 *
 * @returns a sentence that names the place, the cause and what to set; null when nothing is wrong
 */
export const troubleWith = async (endpoint: Endpoint, reaching: Reaching): Promise<string | null> => {
  const { tls, speaks, deadline = DEADLINE } = reaching;
  const place = placeOf(endpoint);
  const signal = AbortSignal.timeout(deadline);
  const done = new AbortController();
  const seen: { stage: Stage } = { stage: 'lookup' };
  const opened: Duplex[] = [];
  const dial = async (): Promise<Socket> => {
    const socket = await connected(endpoint, reaching.lookup, seen);
    opened.push(socket);
    return socket;
  };
  const look = async (): Promise<string | null> => {
    const socket = await dial();
    seen.stage = 'answer';
    if (!tls) {
      if (await speaks(socket)) return null;
      const over = await secured(await dial(), endpoint.host, {}).catch(() => null);
      if (over) return `${place} accepts only TLS connections: set tls=true in ${reaching.variable}.`;
      return `What listens on ${place} does not answer like ${reaching.server}.`;
    }
    const { ca, cert, key, protocols } = tls;
    const noTls = `${place} speaks no TLS: set tls=false in ${reaching.variable}.`;
    const speaksPlainly = async (): Promise<boolean> => speaks(await dial());
    const handshake = secured(socket, endpoint.host, { ca, cert, key, ...(protocols && { ALPNProtocols: protocols }) });
    let over: TLSSocket | null;
    try {
      // Some servers without TLS wait for more of what they take for a message.
      over = await Promise.race([handshake, when(after(deadline / 3, done.signal).then(speaksPlainly))]);
    } catch (error) {
      return (await speaksPlainly()) ? noTls : `A TLS connection to ${place} can't be made (${wordsOf(error)}).`;
    }
    if (!over) return noTls;
    const distrust = distrustOf(over, endpoint, reaching);
    if (distrust !== null || (await speaks(over))) return distrust;
    return `${place} ends TLS connections without an answer: it may require a client certificate.`;
  };
  try {
    return await Promise.race([look(), timeOver(signal)]);
  } catch (error) {
    if (signal.aborted) return silenceOf(seen.stage, endpoint, deadline);
    return refusalOf(error, endpoint);
  } finally {
    done.abort();
    for (const socket of opened) socket.destroy();
  }
};

const after = (milliseconds: number, signal: AbortSignal): Promise<void> => sleep(milliseconds, undefined, { signal });

/** Resolves when a condition becomes true, otherwise never. */
const when = (isSo: Promise<boolean>): Promise<null> =>
  new Promise((resolve) => {
    isSo.then(
      (so) => {
        if (so) resolve(null);
      },
      () => undefined,
    );
  });

export const placeOf = ({ host, port }: Endpoint): string =>
  `${isIP(host) === 6 ? `[${host}]` : host}:${port.toString()}`;

const timeOver = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => {
      reject(new Error('The time is over.'));
    });
  });

const connected = (
  { host, port }: Endpoint,
  lookup: LookupFunction | undefined,
  seen: { stage: Stage },
): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connectTcp({ host, port, ...(lookup && { lookup }) });
    socket.on('lookup', (error: Error | null) => {
      if (!error && seen.stage === 'lookup') seen.stage = 'connect';
    });
    // Errors after the connection are for whoever uses it.
    socket.on('error', reject);
    socket.on('connect', () => {
      resolve(socket);
    });
  });

/** A TLS connection over an existing one, whatever certificate the server has. */
const secured = (socket: Socket, host: string, options: object): Promise<TLSSocket> =>
  new Promise((resolve, reject) => {
    const named = isIP(host) === 0 ? { servername: host } : {};
    const over = connectTls({ socket, host, ...named, rejectUnauthorized: false, ...options });
    over.on('error', reject);
    over.on('secureConnect', () => {
      resolve(over);
    });
  });

const UNTRUSTED = /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT|UNABLE_TO_|CERT_UNTRUSTED|CERT_CHAIN|INVALID_CA)/;

/** Why the certificate of a server is not accepted; null when it is. */
const distrustOf = (socket: TLSSocket, { host, port }: Endpoint, { variable, tls }: Reaching): string | null => {
  if (socket.authorized || tls?.anyCertificate) return null;
  const reason = String(socket.authorizationError);
  const { valid_to, valid_from, subjectaltname, subject, issuer } = socket.getPeerCertificate();
  const certificate = `The certificate of ${placeOf({ host, port })}`;
  if (reason === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    if (tls?.anyName) return null;
    const names = subjectaltname ?? printable(subject.CN);
    return (
      `${certificate} is not for ${host} but for ${printable(names)}: ` +
      `name the server in ${variable} as its certificate does, or give it one for ${host}.`
    );
  }
  if (reason === 'CERT_HAS_EXPIRED') return `${certificate}, or of who signed it, has expired (${valid_to}).`;
  if (reason === 'CERT_NOT_YET_VALID') return `${certificate} is valid only from ${valid_from} on.`;
  if (!UNTRUSTED.test(reason)) return `${certificate} is not accepted (${reason}).`;
  const signer = `was signed by ${printable(issuer.CN)}`;
  return tls?.ca
    ? `${certificate} ${signer}, which is not among the authorities of tlsCAFile in ${variable}.`
    : `${certificate} ${signer}, which is not trusted here: name the file of that authority by tlsCAFile in ${variable}.`;
};

const silenceOf = (stage: Stage, endpoint: Endpoint, deadline: number): string => {
  const within = `within ${(deadline / 1_000).toString()} s`;
  if (stage === 'lookup' && isIP(endpoint.host) === 0) return `The name ${endpoint.host} was not resolved ${within}.`;
  if (stage === 'answer') return `${placeOf(endpoint)} takes connections, but does not answer ${within}.`;
  return `There is no answer from ${placeOf(endpoint)} ${within}: it is down, or something keeps connections to it away.`;
};

const refusalOf = (error: unknown, endpoint: Endpoint): string => {
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  if (syscall === 'getaddrinfo') return `The name ${endpoint.host} can't be resolved (${code}).`;
  if (code === 'ECONNREFUSED') return `Nobody listens on ${placeOf(endpoint)}.`;
  return `No connection to ${placeOf(endpoint)} can be made (${wordsOf(error)}).`;
};

/** An error in words that fit into a sentence; OpenSSL spreads them over several fields. */
const wordsOf = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException & { reason?: string };
  const reason = (error as { reason?: unknown }).reason;
  return printable(typeof reason === 'string' ? reason : (code ?? message));
};

/** The content of a certificate must not control a terminal. */
const printable = (text: unknown): string =>
  typeof text === 'string' && text !== '' ? text.replace(/\p{Cc}/gu, '\ufffd').slice(0, 200) : 'nobody it names';
