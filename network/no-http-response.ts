import { isLocalFailure } from './failure-sentences.ts';
import type { FaultReason, HttpFault } from './http/fault.ts';
import { LocalFailure } from './local-failure.ts';

/** A connection was made, but no valid HTTP response arrived. The error message is a sentence for users. */
export class NoHttpResponse extends Error {
  constructor(sentence: string, options?: ErrorOptions) {
    super(sentence, options);
    this.name = 'NoHttpResponse';
  }
}

/** @param most maximum size of the body, in bytes */
export const responseTooLarge = (peer: string, most: number): NoHttpResponse =>
  new NoHttpResponse(`The answer of ${peer} is larger than ${most / 1_024} KiB.`);

/**
 * Explains why an exchange broke. Returns `NoHttpResponse` if the target or the network is the cause, and a
 * `LocalFailure` if this machine is the cause.
 *
 * @param when how far the exchange had come, for the sentence: `before it answered`
 */
export const brokenExchange = (
  error: NodeJS.ErrnoException,
  peer: string,
  when: string,
): NoHttpResponse | LocalFailure => {
  const { code = '' } = error;
  // Errors of the system and of OpenSSL have a code such as `EPROTO` or `ERR_SSL_…`. An error without such a code is a
  // bug in this program.
  if (isLocalFailure(code) || !/^(?:E[A-Z_]+|ERR_SSL_\w+)$/.test(code))
    return new LocalFailure(`The exchange with ${peer} failed because of a problem on this machine.`, { cause: error });
  return new NoHttpResponse(`The connection to ${peer} broke (${code}) ${when}.`, { cause: error });
};

/**
 * Explains why a response is invalid or incomplete.
 *
 * @param when how far the exchange had come, for the sentence: `before it answered`
 */
export const invalidResponse = ({ reason }: HttpFault, peer: string, when: string): NoHttpResponse =>
  new NoHttpResponse(sentenceOf(reason, peer, when));

const sentenceOf = (reason: FaultReason, peer: string, when: string): string => {
  switch (reason.kind) {
    case 'invalid':
      return `The answer of ${peer} is not valid HTTP: ${reason.words}.`;
    case 'foreign':
      return `The answer of ${peer} is not HTTP: the server speaks ${reason.protocol}.`;
    case 'headers too large':
      return `The headers of the answer of ${peer} are larger than 64 KiB.`;
    case 'upgrade':
      return `${peer} switched to another protocol (101), which the request did not ask for.`;
    case 'closed':
      return `${peer} closed the connection ${when}.`;
    case 'cut off':
      return `${peer} ended the TLS connection without announcing it, so the answer may be cut off.`;
  }
};
