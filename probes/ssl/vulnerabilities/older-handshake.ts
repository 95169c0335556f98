import { constants } from 'node:crypto';
import { connect, createSecureContext, type SecureContext, type TLSSocket } from 'node:tls';
import { isLocalFailure } from '../../../network/failure-sentences.ts';
import { LocalFailure } from '../../../network/local-failure.ts';
import { handshakeSentence, isLocalTlsFailure } from '../../../network/tls-sentences.ts';
import { PATIENCE_MS as GREETING_PATIENCE_MS } from '../wire/hello.ts';
import { newestOlder, PATIENCE_MS, type TestedServer } from './tested-server.ts';

/** The results of a full handshake with TLS 1.2 or older, and of attempts to renegotiate. */
export interface OlderHandshake {
  /** the session ticket (RFC 5077); null if the server sent none */
  ticket: Buffer | null;
  /** number of successful renegotiations, at most {@link ATTEMPTS} */
  renegotiated: number;
}

/** The handshake failed. The message is a sentence. */
export class NoHandshake extends Error {
  /** false if the server sent nothing, or closed the connection */
  readonly wasAnswered: boolean;

  constructor(sentence: string, { wasAnswered = true }: { wasAnswered?: boolean } = {}) {
    super(sentence);
    this.name = 'NoHandshake';
    this.wasAnswered = wasAnswered;
  }
}

/** Number of attempts to renegotiate. Servers with a limit permit fewer: Node.js permits three in ten minutes. */
export const ATTEMPTS = 5;

let context: SecureContext | null = null;

/** Returns a context without root certificates: ../examine-certificate.ts evaluates the certificate. */
const contextForOlder = (): SecureContext =>
  (context ??= createSecureContext({
    ca: [],
    ciphers: 'ALL:eNULL:@SECLEVEL=0',
    minVersion: 'TLSv1',
    maxVersion: 'TLSv1.2',
    // Permits renegotiation even with servers that do not support RFC 5746.
    secureOptions: constants.SSL_OP_LEGACY_SERVER_CONNECT | constants.SSL_OP_ALLOW_UNSAFE_LEGACY_RENEGOTIATION,
  }));

/**
 * Performs a handshake, and renegotiates as often as the server permits, but at most {@link ATTEMPTS} times.
 *
 * @throws NoHandshake, LocalFailure; errors of a dialer; the signal's reason
 */
export const olderHandshake = async (subject: TestedServer): Promise<OlderHandshake> => {
  const { dialer, facts } = subject;
  const { serverName } = dialer.target;
  if (newestOlder(facts, (name) => name !== 'ssl_3_0' && facts.protocols[name].suites.length > 0) === null)
    throw new NoHandshake('The server does not speak TLS 1.0, 1.1 or 1.2.');
  const wire = await dialer.dial();
  const { peer } = wire;
  const socket = wire.release();
  try {
    const tls = connect({
      socket,
      ...(serverName !== null && { servername: serverName }),
      secureContext: contextForOlder(),
      minDHSize: 1,
      rejectUnauthorized: false,
    });
    try {
      return await talk(tls, peer, subject);
    } finally {
      tls.destroy();
    }
  } finally {
    socket.destroy();
  }
};

const talk = (tls: TLSSocket, peer: string, { clock, signal }: TestedServer): Promise<OlderHandshake> =>
  new Promise((resolve, reject) => {
    let found: OlderHandshake | null = null;
    let settled = false;

    const settle = (tell: () => void): void => {
      if (settled) return;
      settled = true;
      signal.removeEventListener('abort', onAbort);
      cancelTimer();
      tell();
    };
    /**
     * Settles after an error: if the error occurs during a renegotiation, resolves with the results so far; otherwise
     * rejects.
     */
    const end = (error: Error): void => {
      settle(() => {
        if (found) resolve(found);
        else reject(error);
      });
    };
    const onAbort = (): void => {
      settle(() => {
        reject(signal.reason as Error);
      });
    };
    const onSilence = (): void => {
      end(new NoHandshake(`${peer} did not finish a TLS handshake.`, { wasAnswered: false }));
    };
    let cancelTimer = clock.after(GREETING_PATIENCE_MS, onSilence);
    const waitAgain = (): void => {
      cancelTimer();
      cancelTimer = clock.after(PATIENCE_MS, onSilence);
    };

    // This listener is never removed, because a later error without a listener would end the process.
    tls.on('error', (error: NodeJS.ErrnoException) => {
      end(
        isLocalFailure(error.code ?? '') || isLocalTlsFailure(error)
          ? new LocalFailure('The TLS handshake failed because of a problem on the runner.', { cause: error })
          : new NoHandshake(handshakeSentence(error, peer), { wasAnswered: error.code !== 'ECONNRESET' }),
      );
    });
    tls.once('close', () => {
      end(new NoHandshake(`${peer} closed the connection during the TLS handshake.`, { wasAnswered: false }));
    });
    // Discards application data that the server sends between the handshakes.
    tls.resume();
    const renegotiate = (known: OlderHandshake): void => {
      if (settled) return;
      found = known;
      if (known.renegotiated === ATTEMPTS) {
        settle(() => {
          resolve(known);
        });
        return;
      }
      waitAgain();
      tls.renegotiate({ rejectUnauthorized: false }, (error) => {
        if (error) end(error);
        else renegotiate({ ...known, renegotiated: known.renegotiated + 1 });
      });
    };
    tls.once('secureConnect', () => {
      renegotiate({ ticket: tls.getTLSTicket() ?? null, renegotiated: 0 });
    });
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort);
  });
