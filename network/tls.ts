import type { X509Certificate } from 'node:crypto';
import { isIP, type Socket } from 'node:net';
import {
  connect,
  createSecureContext,
  rootCertificates,
  type PeerCertificate,
  type SecureContext,
  type TLSSocket,
} from 'node:tls';
import { LRUCache } from 'lru-cache';
import { LocalFailure } from './local-failure.ts';
import { watchClosing } from './tls-closing.ts';
import { isLocalFailure } from './failure-sentences.ts';
import { certificateSentence, handshakeSentence, isLocalTlsFailure } from './tls-sentences.ts';

/**
 * The TLS handshake failed, or the certificate was not accepted. The error message is a sentence for users. The cause,
 * if present, has a `code` of OpenSSL or of the system.
 */
export class TlsFailed extends Error {
  constructor(sentence: string, options?: ErrorOptions) {
    super(sentence, options);
    this.name = 'TlsFailed';
  }
}

interface Trust {
  /** certificates (PEM) that are trusted in addition to those that Node.js trusts */
  trust: readonly string[];
  /** PEM text with the only trusted certificates; replaces `trust` and those of Node.js */
  ca?: string;
}

// Reading the root certificates takes milliseconds, so connections share a context. The context stores no TLS sessions.
const contexts = new LRUCache<string, SecureContext>({ max: 100 });

const contextFor = ({ trust, ca }: Trust): SecureContext => {
  const key = ca ?? trust.join('\n');
  const known = contexts.get(key);
  if (known) return known;
  const all = trust.length === 0 ? {} : { ca: [...rootCertificates, ...trust] };
  const context = createSecureContext(ca === undefined ? all : { ca });
  contexts.set(key, context);
  return context;
};

export interface TlsOptions extends Trust {
  /** the name that the certificate must match; sent as SNI unless it is an IP address */
  host: string;
  /** `127.0.0.1:443`, for sentences */
  peer: string;
  /** milliseconds since 1970; used to find the expired certificate of a chain */
  now: number;
  alpn: readonly string[];
  /** aborts the handshake, which rejects with the signal's reason */
  signal: AbortSignal;
}

const securing = (socket: Socket, options: TlsOptions): TLSSocket => {
  const { host, alpn } = options;
  try {
    const tls = connect({
      socket,
      host,
      ...(isIP(host) === 0 && { servername: host }),
      secureContext: contextFor(options),
      ...(alpn.length > 0 && { ALPNProtocols: [...alpn] }),
      // Invalid certificates are accepted here, and refused in `secure` with a sentence that explains the fault.
      rejectUnauthorized: false,
    });
    judgeByNames(tls, host);
    return tls;
  } catch (error) {
    socket.destroy();
    throw error;
  }
};

/** The server certificates that were already read from their connections. */
const asked = new WeakMap<TLSSocket, X509Certificate>();

/** Returns the server's own certificate; undefined if the server sent none. */
export const certificateOf = (tls: TLSSocket): X509Certificate | undefined => {
  // Node.js returns the certificate only at the first call, so the result is cached.
  const certificate = asked.get(tls) ?? tls.getPeerX509Certificate();
  if (certificate) asked.set(tls, certificate);
  return certificate;
};

/**
 * Lets Node.js check the host name against the server's own certificate only. By default, Node.js builds an object of
 * the whole chain for this check, which takes up to a sixth of the CPU time of a handshake.
 */
const judgeByNames = (tls: TLSSocket, host: string): void => {
  const names = (): Partial<PeerCertificate> => {
    const certificate = certificateOf(tls);
    const subjectaltname = certificate?.subjectAltName;
    // If the certificate has alternative names of the right kind, its subject is ignored (RFC 6125, 6.4.4), so these
    // names are enough.
    if (subjectaltname !== undefined && (isIP(host) === 0 ? WITH_HOSTS : PLAIN).test(subjectaltname))
      return { subjectaltname };
    return certificate?.toLegacyObject() ?? {};
  };
  tls.getPeerCertificate = names as TLSSocket['getPeerCertificate'];
  tls.once('secureConnect', () => {
    Reflect.deleteProperty(tls, 'getPeerCertificate');
  });
};

/** Match lists of names without quotes. Node.js quotes ambiguous names, which need the full parser. */
const PLAIN = /^[^"]*$/;
const WITH_HOSTS = /^(?:[^"]*, )?DNS:[^"]*$/;

/**
 * Performs the TLS handshake on a connected socket and verifies the certificate. Destroys the socket on failure.
 *
 * @throws TlsFailed, LocalFailure
 */
export const secure = (socket: Socket, options: TlsOptions): Promise<TLSSocket> =>
  new Promise((resolve, reject) => {
    const tls = securing(socket, options);
    watchClosing(tls, socket);
    let settled = false;
    const settle = (): void => {
      settled = true;
      options.signal.removeEventListener('abort', onAbort);
    };
    const fail = (error: Error): void => {
      if (settled) return;
      settle();
      tls.destroy();
      socket.destroy();
      reject(error);
    };
    const onAbort = (): void => {
      fail(options.signal.reason as Error);
    };
    // This listener stays on the socket, because an error without any listener would end the process.
    tls.on('error', (error: NodeJS.ErrnoException) => {
      fail(
        isLocalFailure(error.code ?? '') || isLocalTlsFailure(error)
          ? new LocalFailure('The TLS handshake failed because of a problem on the runner.', { cause: error })
          : new TlsFailed(handshakeSentence(error, options.peer), { cause: error }),
      );
    });
    tls.once('close', () => {
      // Connections also close after the handshake has succeeded or failed.
      if (settled) return;
      fail(new TlsFailed(`${options.peer} closed the connection during the TLS handshake.`));
    });
    tls.once('secureConnect', () => {
      if (settled) return;
      if (!tls.authorized) {
        const code = String(tls.authorizationError);
        const shown = asked.get(tls)?.toLegacyObject() ?? tls.getPeerCertificate(true);
        fail(new TlsFailed(certificateSentence(code, shown, options), { cause: { code } }));
        return;
      }
      settle();
      resolve(tls);
    });
    if (options.signal.aborted) onAbort();
    else options.signal.addEventListener('abort', onAbort);
  });
