import type { DnsServer } from '../../domain/check/dns-server.ts';
import type { Message } from './message.ts';
import type { NoAnswerReason } from './no-answer.ts';

/** A server to ask. */
export interface Server extends DnsServer {
  /** whether the target policy applies; the system's own servers may always be asked */
  judged: boolean;
}

export type Transport = 'udp' | 'tcp' | 'tls' | 'https';

/** There is a complete answer to the question, whatever its RCODE. */
export interface Answered {
  answered: true;
  server: Server;
  /** `127.0.0.1:53` */
  peer: string;
  /** how the answer came; `tcp` where the one over UDP was truncated */
  transport: Transport;
  message: Message;
  /** milliseconds, with fractions, from sending the question to its answer; connecting to a `tls` or `https` server excluded */
  time: number;
  /** why servers that were asked before gave no answer */
  failures: Failure[];
}

/** No server gave an answer. */
export interface Unanswered {
  answered: false;
  /** one for each server, in their order */
  failures: Failure[];
}

/** Why a server gave no answer. */
export interface Failure {
  server: Server;
  /**
   * `timeout`: it was silent; `lookup`, `connect`, `tls`: it could not be reached; `protocol`: its message was not an answer;
   * `target`: the policy refuses it
   */
  reason: NoAnswerReason;
  /** "No answer from 127.0.0.1:53 over UDP." */
  sentence: string;
}
