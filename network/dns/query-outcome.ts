import type { DnsServer } from '../../domain/check/dns-server.ts';
import type { DnsMessage } from './message.ts';
import type { NoAnswerReason } from './no-answer.ts';

/** A name server to query. */
export interface NameServer extends DnsServer {
  /** whether the target policy applies; the system's own name servers are always allowed */
  isPolicyApplied: boolean;
}

export type Transport = 'udp' | 'tcp' | 'tls' | 'https';

/** A server sent a complete response, whatever its RCODE. */
export interface AnsweredQuery {
  answered: true;
  server: NameServer;
  /** `127.0.0.1:53` */
  peer: string;
  /** the transport of the response; `tcp` if the UDP response was truncated */
  transport: Transport;
  message: DnsMessage;
  /**
   * milliseconds, with fractions, from sending the query to its response; excludes connecting to a `tls` or `https`
   * server
   */
  time: number;
  /** failures of the servers that were queried before */
  failures: NameServerFailure[];
}

/** No server sent a usable response. */
export interface UnansweredQuery {
  answered: false;
  /** one per server, in the servers' order */
  failures: NameServerFailure[];
}

/** Why a server sent no usable response. */
export interface NameServerFailure {
  server: NameServer;
  /**
   * `timeout`: no response; `lookup`, `connect`, `tls`: unreachable; `protocol`: its message was not a valid response;
   * `target`: the policy refuses it
   */
  reason: NoAnswerReason;
  /** "No answer from 127.0.0.1:53 over UDP." */
  sentence: string;
}
