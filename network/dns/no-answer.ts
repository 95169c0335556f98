import { explainConnectFailure } from '../not-connected.ts';

/** Why a query got no usable response. */
export type NoAnswerReason = 'timeout' | 'lookup' | 'connect' | 'tls' | 'protocol' | 'target';

/** A server sent no response, or an unreadable one. The error message is a sentence for users. */
export class NoDnsAnswer extends Error {
  readonly reason: NoAnswerReason;

  constructor(reason: NoAnswerReason, sentence: string, options?: ErrorOptions) {
    super(sentence, options);
    this.name = 'NoDnsAnswer';
    this.reason = reason;
  }
}

/** The requested name is not a domain name. The error message is a sentence for users. */
export class NotADomainName extends Error {
  constructor(name: string) {
    super(`${name} is not a domain name.`);
    this.name = 'NotADomainName';
  }
}

/**
 * Converts an error of an attempt into a statement about the server. Returns undefined if the error says nothing about
 * the server, for example because this machine lacks a resource.
 */
export const noAnswerOf = (error: unknown): NoDnsAnswer | undefined => {
  if (error instanceof NoDnsAnswer) return error;
  const why = explainConnectFailure(error);
  return why && new NoDnsAnswer(why.reason, why.sentence, { cause: error });
};
