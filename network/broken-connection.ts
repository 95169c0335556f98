import { isLocalFailure } from './failure-sentences.ts';
import { LocalFailure } from './local-failure.ts';
import { brokenTlsSentence } from './tls-sentences.ts';

/** Error codes of connections that the peer, or a device on the network path, closed. */
const RESET: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED']);

/** Why an established connection broke, and whether the connection or its TLS layer failed. */
export interface BrokenConnection {
  reason: 'protocol' | 'tls';
  sentence: string;
}

/**
 * Explains why an established connection broke. Returns a `BrokenConnection` if the target or the network is the cause,
 * and a `LocalFailure` if this machine is the cause.
 *
 * @param when how far the exchange had come, for the sentence: `before it answered`
 */
export const explainBrokenConnection = (
  error: NodeJS.ErrnoException,
  peer: string,
  when: string,
): BrokenConnection | LocalFailure => {
  const { code = '' } = error;
  if (RESET.has(code)) return { reason: 'protocol', sentence: `${peer} reset the connection ${when}.` };
  if (code.startsWith('ERR_SSL_')) return { reason: 'tls', sentence: brokenTlsSentence(error, peer) };
  // System errors have a code such as `EPROTO`. An error without such a code is a bug in this program.
  if (isLocalFailure(code) || !/^E[A-Z]+$/.test(code))
    return new LocalFailure(`The connection to ${peer} broke because of a problem on the runner.`, { cause: error });
  return { reason: 'protocol', sentence: `The connection to ${peer} broke (${code}) ${when}.` };
};
