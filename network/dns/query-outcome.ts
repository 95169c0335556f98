import type { DnsServer } from '../../domain/check/dns-server.ts';
import type { DnsMessage } from './message.ts';
import type { NoAnswerReason } from './no-answer.ts';

/** A name server to query. */
export interface NameServer extends DnsServer {
  /** whether the target policy applies; it does not apply to the name servers of this machine */
  isPolicyApplied: boolean;
}

export type Transport = 'udp' | 'tcp' | 'tls' | 'https';

/** A server sent a complete response. Its RCODE may report an error. */
export interface AnsweredQuery {
  answered: true;
  server: NameServer;
  /** `127.0.0.1:53` */
  peer: string;
  /** the transport that carried the response; `tcp` if the response over UDP was truncated */
  transport: Transport;
  message: DnsMessage;
  /**
   * milliseconds, with fractions, from sending the query to receiving the response; excludes connecting to a `tls` or
   * `https` server
   */
  time: number;
  /** failures of the other servers that were queried before this one responded */
  failures: NameServerFailure[];
}

/** No server sent a usable response. */
export interface UnansweredQuery {
  answered: false;
  /** one per server, in the order of the servers */
  failures: NameServerFailure[];
}

/** Why a server sent no usable response. */
export interface NameServerFailure {
  server: NameServer;
  /**
   * `timeout`: the server sent no response; `lookup`, `connect`, `tls`: the server is unreachable; `protocol`: the
   * server sent an invalid response; `target`: the policy refuses the server
   */
  reason: NoAnswerReason;
  /** "No answer from 127.0.0.1:53 over UDP." */
  sentence: string;
}
