import { constants } from 'node:crypto';
import { isIP, type Socket } from 'node:net';
import {
  connect,
  createSecureContext,
  type ConnectionOptions,
  type SecureContext,
  type TLSSocket,
  type TLSSocketOptions,
} from 'node:tls';
import { domainToASCII } from 'node:url';
import type { Clock } from '../../network/clock.ts';
import { isLocalFailure } from '../../network/failure-sentences.ts';
import { LocalFailure } from '../../network/local-failure.ts';
import { TlsFailed } from '../../network/tls.ts';
import { handshakeSentence, isLocalTlsFailure } from '../../network/tls-sentences.ts';

/** The results of one full handshake. */
export interface Handshake {
  /** `TLSv1.3` */
  version: string;
  /** the IANA name: `TLS_AES_256_GCM_SHA384` */
  cipher: string;
  /** certificates in DER, in the order in which they were sent, the server's own first */
  chain: Buffer[];
  /** the stapled OCSP response in DER (RFC 6066, 8); null if the server sent none */
  staple: Buffer | null;
  /** the session ticket (RFC 5077); null if there is none, and in TLS 1.3, where tickets are sent later */
  ticket: Buffer | null;
  /** the session in the format of Node.js, for resumption; null in TLS 1.3 */
  session: Buffer | null;
  /** time from the first byte of the ClientHello to the end of the handshake, in whole milliseconds */
  response_time: number;
}

export interface HandshakeOptions {
  /** the name to send as SNI, or an address, which is not sent */
  serverName: string;
  /** `127.0.0.1:443`, for sentences */
  peer: string;
  /** the newest version to offer; default: TLS 1.3 */
  maxVersion?: 'TLSv1.2' | 'TLSv1.3';
  clock: Pick<Clock, 'monotonic'>;
  /** aborts the handshake, which then rejects with the signal's reason */
  signal: AbortSignal;
}

/**
 * Every cipher that OpenSSL supports, the strongest first, so that servers with old software can be checked too.
 * Excludes only suites without certificates.
 */
const CIPHERS = 'ALL:eNULL:!aNULL:!PSK:!SRP:@SECLEVEL=0';

const contexts = new Map<string, SecureContext>();

/** Returns a context without root certificates: examine-certificate.ts evaluates the certificate. */
const contextFor = (maxVersion: NonNullable<HandshakeOptions['maxVersion']>): SecureContext => {
  const known = contexts.get(maxVersion);
  if (known) return known;
  const context = createSecureContext({
    ca: [],
    ciphers: CIPHERS,
    minVersion: 'TLSv1',
    maxVersion,
    // Permits servers without RFC 5746.
    secureOptions: constants.SSL_OP_LEGACY_SERVER_CONNECT,
  });
  contexts.set(maxVersion, context);
  return context;
};

/**
 * Performs one full handshake on a connected socket and closes the connection. Accepts every certificate.
 *
 * @throws TlsFailed, LocalFailure
 */
export const handshake = (socket: Socket, options: HandshakeOptions): Promise<Handshake> =>
  new Promise((resolve, reject) => {
    const { peer, clock, signal } = options;
    const began = clock.monotonic();
    const tls = securing(socket, options);
    let staple: Buffer | null = null;
    let settled = false;

    const settle = (tell: () => void): void => {
      if (settled) return;
      settled = true;
      signal.removeEventListener('abort', onAbort);
      tls.destroy();
      socket.destroy();
      tell();
    };
    const fail = (error: Error): void => {
      settle(() => {
        reject(error);
      });
    };
    const onAbort = (): void => {
      fail(signal.reason as Error);
    };

    // This listener is never removed, because a later error without a listener would end the process.
    tls.on('error', (error: NodeJS.ErrnoException) => {
      fail(failureOf(error, peer));
    });
    tls.once('close', () => {
      fail(new TlsFailed(`${peer} closed the connection during the TLS handshake.`));
    });
    tls.once('OCSPResponse', (response: Buffer | null) => {
      staple = response && response.length > 0 ? response : null;
    });
    tls.once('secureConnect', () => {
      if (settled) return;
      const response_time = Math.round(clock.monotonic() - began);
      const found: Handshake = {
        version: tls.getProtocol() ?? 'unknown',
        cipher: tls.getCipher().standardName,
        chain: chainOf(tls),
        staple,
        ticket: tls.getTLSTicket() ?? null,
        session: tls.getProtocol() === 'TLSv1.3' ? null : (tls.getSession() ?? null),
        response_time,
      };
      settle(() => {
        resolve(found);
      });
    });
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort);
  });

const securing = (socket: Socket, { serverName, maxVersion = 'TLSv1.3' }: HandshakeOptions): TLSSocket => {
  try {
    const name = isIP(serverName) === 0 ? domainToASCII(serverName).replace(/\.$/, '') : '';
    const asked: ConnectionOptions & Pick<TLSSocketOptions, 'requestOCSP'> = {
      socket,
      ...(name !== '' && { servername: name }),
      secureContext: contextFor(maxVersion),
      requestOCSP: true,
      minDHSize: 1,
      rejectUnauthorized: false,
    };
    return connect(asked);
  } catch (error) {
    socket.destroy();
    throw error;
  }
};

/**
 * Returns the certificates in the order in which they were sent. (`getPeerCertificate` would lose this order.) Call
 * this function only one time per connection: up to Node.js 24, the call removes the first certificate from OpenSSL's
 * own list.
 */
const chainOf = (tls: TLSSocket): Buffer[] => {
  const chain: Buffer[] = [];
  let certificate = tls.getPeerX509Certificate();
  while (certificate) {
    chain.push(certificate.raw);
    certificate = certificate.issuerCertificate;
  }
  return chain;
};

const failureOf = (error: NodeJS.ErrnoException, peer: string): Error => {
  if (isLocalFailure(error.code ?? '') || isLocalTlsFailure(error))
    return new LocalFailure('The TLS handshake failed because of a problem on the runner.', { cause: error });
  const sentence = /unsupported protocol|protocol version|version too low/.test(error.message)
    ? `${peer} does not offer TLS 1.0 or newer.`
    : handshakeSentence(error, peer);
  return new TlsFailed(sentence, { cause: error });
};
