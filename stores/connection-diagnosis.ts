import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls, type TLSSocket } from 'node:tls';

/** Host and port of a server. */
export interface Endpoint {
  host: string;
  port: number;
}

/** How to connect to a server, and how to recognize its protocol. */
export interface ServerProfile {
  /** name of the environment variable that contains the connection string, for messages */
  variable: string;
  /** name of the server software, for messages */
  server: string;
  /** null: without TLS */
  tls: {
    /** certificate authorities to trust, as PEM; default: those that Node trusts */
    ca?: Buffer | undefined;
    cert?: Buffer | undefined;
    key?: Buffer | undefined;
    protocols?: string[];
    /** accept any certificate */
    anyCertificate?: boolean;
    /** accept a certificate for any name */
    anyName?: boolean;
  } | null;
  /** Returns whether the peer speaks the server's protocol. Returns false if the peer closes the connection. */
  speaksProtocol: (socket: Duplex) => Promise<boolean>;
  /** timeout in milliseconds for the whole diagnosis */
  deadline?: number;
  /** replaces the system's resolver */
  lookup?: LookupFunction | undefined;
}

/**
 * Finds the cause of a failure. Returns sentences for operators, or null if no cause is found. Show the sentences to
 * operators only: they contain host and user names, unlike error messages, which users can see too.
 */
export type Explain = () => Promise<string | null>;

/** A connection error. Its function `explain` finds the cause, including details that the client library hides. */
export class ConnectionTrouble extends Error {
  readonly explain: Explain;

  constructor(cause: unknown, explain: Explain) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = 'ConnectionTrouble';
    this.explain = explain;
  }
}

/**
 * Returns the explanation of an error, or of the first error in its chain of causes that has one, for operators.
 * Returns null if there is none.
 */
export const explanationOf = async (error: unknown): Promise<string | null> => {
  for (let one = error; one instanceof Error; one = one.cause) {
    if ('explain' in one) return (one as { explain: Explain }).explain();
  }
  return null;
};

/** How far a connection attempt got. */
type Stage = 'lookup' | 'connect' | 'answer';

const DEADLINE = 3_000;

/**
 * Finds out why a client can't reach a server, over a separate connection that sends nothing secret.
 *
 * @returns a sentence that names the endpoint, the cause and what to configure; null when nothing is wrong
 */
export const diagnoseConnection = async (endpoint: Endpoint, reaching: ServerProfile): Promise<string | null> => {
  const { tls, speaksProtocol, deadline = DEADLINE } = reaching;
  const place = formatEndpoint(endpoint);
  const signal = AbortSignal.timeout(deadline);
  const done = new AbortController();
  const seen: { stage: Stage } = { stage: 'lookup' };
  const opened: Duplex[] = [];
  const dial = async (): Promise<Socket> => {
    const socket = await openSocket(endpoint, reaching.lookup, seen);
    opened.push(socket);
    return socket;
  };
  const look = async (): Promise<string | null> => {
    const socket = await dial();
    seen.stage = 'answer';
    if (!tls) {
      if (await speaksProtocol(socket)) return null;
      const over = await startTls(await dial(), endpoint.host, {}).catch(() => null);
      if (over) return `${place} accepts only TLS connections: set tls=true in ${reaching.variable}.`;
      return `The service on ${place} does not respond like ${reaching.server}.`;
    }
    const { ca, cert, key, protocols } = tls;
    const noTls = `${place} does not use TLS: set tls=false in ${reaching.variable}.`;
    const speaksPlainly = async (): Promise<boolean> => speaksProtocol(await dial());
    const handshake = startTls(socket, endpoint.host, {
      ca,
      cert,
      key,
      ...(protocols && { ALPNProtocols: protocols }),
    });
    let over: TLSSocket | null;
    try {
      // Some servers without TLS read the handshake as the beginning of a message of their own protocol, and wait for
      // the rest. So after a third of the deadline, the protocol is tried without TLS too.
      over = await Promise.race([handshake, onceTrue(after(deadline / 3, done.signal).then(speaksPlainly))]);
    } catch (error) {
      return (await speaksPlainly()) ? noTls : `A TLS connection to ${place} can't be made (${phraseOf(error)}).`;
    }
    if (!over) return noTls;
    const distrust = certificateProblemOf(over, endpoint, reaching);
    if (distrust !== null || (await speaksProtocol(over))) return distrust;
    return `${place} closes TLS connections without a response: it may require a client certificate.`;
  };
  try {
    return await Promise.race([look(), timeOver(signal)]);
  } catch (error) {
    if (signal.aborted) return timeoutMessageOf(seen.stage, endpoint, deadline);
    return errorMessageOf(error, endpoint);
  } finally {
    done.abort();
    for (const socket of opened) socket.destroy();
  }
};

const after = (milliseconds: number, signal: AbortSignal): Promise<void> => sleep(milliseconds, undefined, { signal });

/** Resolves with null when `isSo` resolves with true, and otherwise never resolves. */
const onceTrue = (isSo: Promise<boolean>): Promise<null> =>
  new Promise((resolve) => {
    isSo.then(
      (so) => {
        if (so) resolve(null);
      },
      () => undefined,
    );
  });

export const formatEndpoint = ({ host, port }: Endpoint): string => `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;

const timeOver = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => {
      reject(new Error('The time is over.'));
    });
  });

const openSocket = (
  { host, port }: Endpoint,
  lookup: LookupFunction | undefined,
  seen: { stage: Stage },
): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connectTcp({ host, port, ...(lookup && { lookup }) });
    socket.on('lookup', (error: Error | null) => {
      if (!error && seen.stage === 'lookup') seen.stage = 'connect';
    });
    // After the connection is established, the caller handles errors.
    socket.on('error', reject);
    socket.on('connect', () => {
      resolve(socket);
    });
  });

/** Starts TLS on an existing socket. Accepts any certificate: the caller must check it. */
const startTls = (socket: Socket, host: string, options: object): Promise<TLSSocket> =>
  new Promise((resolve, reject) => {
    const named = isIP(host) === 0 ? { servername: host } : {};
    const over = connectTls({ socket, host, ...named, rejectUnauthorized: false, ...options });
    over.on('error', reject);
    over.on('secureConnect', () => {
      resolve(over);
    });
  });

const UNTRUSTED = /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT|UNABLE_TO_|CERT_UNTRUSTED|CERT_CHAIN|INVALID_CA)/;

/** Returns a sentence that says why a server's certificate is not trusted; null if it is trusted. */
const certificateProblemOf = (
  socket: TLSSocket,
  { host, port }: Endpoint,
  { variable, tls }: ServerProfile,
): string | null => {
  if (socket.authorized || tls?.anyCertificate) return null;
  const reason = String(socket.authorizationError);
  const { valid_to, valid_from, subjectaltname, subject, issuer } = socket.getPeerCertificate();
  const certificate = `The certificate of ${formatEndpoint({ host, port })}`;
  if (reason === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    if (tls?.anyName) return null;
    const names = subjectaltname ?? printable(subject.CN);
    return (
      `${certificate} is not for ${host} but for ${printable(names)}: ` +
      `use a name in ${variable} that the certificate contains, or give the server a certificate for ${host}.`
    );
  }
  if (reason === 'CERT_HAS_EXPIRED') return `${certificate}, or of who signed it, has expired (${valid_to}).`;
  if (reason === 'CERT_NOT_YET_VALID') return `${certificate} is not valid before ${valid_from}.`;
  if (!UNTRUSTED.test(reason)) return `${certificate} is not accepted (${reason}).`;
  const signer = `was signed by ${printable(issuer.CN)}`;
  return tls?.ca
    ? `${certificate} ${signer}, which is not among the authorities of tlsCAFile in ${variable}.`
    : `${certificate} ${signer}, which is not trusted here: set tlsCAFile in ${variable} to the file of that authority.`;
};

const timeoutMessageOf = (stage: Stage, endpoint: Endpoint, deadline: number): string => {
  const within = `within ${deadline / 1_000} s`;
  if (stage === 'lookup' && isIP(endpoint.host) === 0) return `The name ${endpoint.host} was not resolved ${within}.`;
  if (stage === 'answer') return `${formatEndpoint(endpoint)} accepts connections, but does not respond ${within}.`;
  return `${formatEndpoint(endpoint)} does not respond ${within}: it is down, or a firewall drops connections to it.`;
};

const errorMessageOf = (error: unknown, endpoint: Endpoint): string => {
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  if (syscall === 'getaddrinfo') return `The name ${endpoint.host} can't be resolved (${code}).`;
  if (code === 'ECONNREFUSED') return `No server listens on ${formatEndpoint(endpoint)}.`;
  return `A connection to ${formatEndpoint(endpoint)} can't be made (${phraseOf(error)}).`;
};

/**
 * Returns the reason of an error as a phrase. OpenSSL errors contain the reason in `reason`, other errors in `code` or
 * `message`.
 */
const phraseOf = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException & { reason?: string };
  const reason = (error as { reason?: unknown }).reason;
  return printable(typeof reason === 'string' ? reason : (code ?? message));
};

/** Replaces control characters, so that text from a certificate can't send commands to the operator's terminal. */
const printable = (text: unknown): string =>
  typeof text === 'string' && text !== '' ? text.replace(/\p{Cc}/gu, '\ufffd').slice(0, 200) : 'an unnamed authority';
