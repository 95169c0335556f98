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
import { OwnTrouble } from './own-trouble.ts';
import { watchClosing } from './closing.ts';
import { isOwnTrouble } from './failures.ts';
import { certificateSentence, handshakeSentence, isOwnTlsTrouble } from './tls-sentences.ts';

/**
 * A secure connection could not be made, or its certificate is not accepted; the message is a sentence, and the cause, if
 * there is one, has OpenSSL's or the system's `code`.
 */
export class TlsFailed extends Error {
  constructor(sentence: string, options?: ErrorOptions) {
    super(sentence, options);
    this.name = 'TlsFailed';
  }
}

interface Trust {
  /** certificates (PEM) that are trusted besides those that Node.js trusts */
  trust: readonly string[];
  /** the only certificates (PEM) that are trusted */
  ca?: string;
}

// Reading the root certificates takes milliseconds, so a context serves many runs. It holds no sessions.
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
  /** the name that the certificate must be for; an IP address is not sent to the server */
  host: string;
  /** `127.0.0.1:443`, for sentences */
  peer: string;
  /** milliseconds since 1970, to tell which certificate of a chain has expired */
  now: number;
  alpn: readonly string[];
  /** ends the handshake; the promise rejects with its reason */
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
      // The certificate is checked later, where the sentence can name what is wrong with it.
      rejectUnauthorized: false,
    });
    judgeByNames(tls, host);
    return tls;
  } catch (error) {
    socket.destroy();
    throw error;
  }
};

/** The server's certificates whose names Node.js has asked for. */
const asked = new WeakMap<TLSSocket, X509Certificate>();

/** The server's own certificate; undefined if it showed none. */
export const certificateOf = (tls: TLSSocket): X509Certificate | undefined => {
  // A connection can be asked only once: Node.js takes the certificate off the chain.
  const certificate = asked.get(tls) ?? tls.getPeerX509Certificate();
  if (certificate) asked.set(tls, certificate);
  return certificate;
};

/**
 * To check whether the certificate is for the host, Node.js builds an object of the whole chain, which takes up to a
 * sixth of a handshake's CPU time. The names in the server's own certificate are enough for that.
 */
const judgeByNames = (tls: TLSSocket, host: string): void => {
  const names = (): Partial<PeerCertificate> => {
    const certificate = certificateOf(tls);
    const subjectaltname = certificate?.subjectAltName;
    // Where there are such names, the subject does not count (RFC 6125, 6.4.4).
    if (subjectaltname !== undefined && (isIP(host) === 0 ? WITH_HOSTS : PLAIN).test(subjectaltname))
      return { subjectaltname };
    return certificate?.toLegacyObject() ?? {};
  };
  tls.getPeerCertificate = names as TLSSocket['getPeerCertificate'];
  tls.once('secureConnect', () => {
    Reflect.deleteProperty(tls, 'getPeerCertificate');
  });
};

/** Lists of names; Node.js quotes those that could be misread. */
const PLAIN = /^[^"]*$/;
const WITH_HOSTS = /^(?:[^"]*, )?DNS:[^"]*$/;

/**
 * Secures a connected socket. If this fails, the socket is destroyed.
 *
 * @throws TlsFailed, OwnTrouble
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
    // Stays for good: see connect.ts.
    tls.on('error', (error: NodeJS.ErrnoException) => {
      fail(
        isOwnTrouble(error.code ?? '') || isOwnTlsTrouble(error)
          ? new OwnTrouble('The TLS handshake failed for a reason of the runner.', { cause: error })
          : new TlsFailed(handshakeSentence(error, options.peer), { cause: error }),
      );
    });
    tls.once('close', () => {
      // Every connection is closed in the end.
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
