import { OwnTrouble } from '../../network/own-trouble.ts';
import { ProbeFailure } from './failure.ts';
import { isOwnTrouble } from '../../network/failures.ts';
import { brokenTlsSentence } from '../../network/tls-sentences.ts';

/** Error codes of connections that the peer, or somebody in between, ended. */
const RESET: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED']);

/**
 * What an error of an established connection says: about the target, or about the runner.
 *
 * @param when `before it answered`
 */
export const brokenConnection = (
  error: NodeJS.ErrnoException,
  peer: string,
  when: string,
): ProbeFailure | OwnTrouble => {
  const { code = '' } = error;
  const protocol = (sentence: string): ProbeFailure => new ProbeFailure('down', 'protocol', sentence, { cause: error });
  if (RESET.has(code)) return protocol(`${peer} reset the connection ${when}.`);
  if (code.startsWith('ERR_SSL_'))
    return new ProbeFailure('down', 'tls', brokenTlsSentence(error, peer), { cause: error });
  // A code of the system; anything else is a bug in the program.
  if (isOwnTrouble(code) || !/^E[A-Z]+$/.test(code))
    return new OwnTrouble(`The connection to ${peer} broke for a reason of the runner.`, { cause: error });
  return protocol(`The connection to ${peer} broke (${code}) ${when}.`);
};
