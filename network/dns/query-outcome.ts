import type { DnsServer } from '../../domain/check/dns-server.ts';
import type { Message } from './message.ts';
import type { NoAnswerReason } from './no-answer.ts';

/** A name server to query. */
export interface Server extends DnsServer {
  /** whether the target policy applies; the system's own name servers are always allowed */
  judged: boolean;
}

export type Transport = 'udp' | 'tcp' | 'tls' | 'https';

/** A server sent a complete response, whatever its RCODE. */
export interface Answered {
  answered: true;
  server: Server;
  /** `127.0.0.1:53` */
  peer: string;
  /** the transport of the response; `tcp` if the UDP response was truncated */
  transport: Transport;
  message: Message;
  /**
   * milliseconds, with fractions, from sending the query to its response; excludes connecting to a `tls` or `https`
   * server
   */
  time: number;
  /** failures of the servers that were queried before */
  failures: Failure[];
}

/** No server sent a usable response. */
export interface Unanswered {
  answered: false;
  /** one per server, in the servers' order */
  failures: Failure[];
}

/** Why a server sent no usable response. */
export interface Failure {
  server: Server;
  /**
   * `timeout`: no response; `lookup`, `connect`, `tls`: unreachable; `protocol`: its message was not a valid response;
   * `target`: the policy refuses it
   */
  reason: NoAnswerReason;
  /** "No answer from 127.0.0.1:53 over UDP." */
  sentence: string;
}
