import type { IncomingHttpHeaders } from 'node:http';

/** Why the bytes that a server sent are not a complete HTTP response. */
export type FaultReason =
  /** the response is invalid; `words` continues a sentence: `the size of a chunk is not a number` */
  | { kind: 'invalid'; words: string }
  /** the server speaks another protocol, such as `SSH` */
  | { kind: 'foreign'; protocol: string }
  /** the header section is larger than 64 KiB */
  | { kind: 'headers too large' }
  /** the server responded with status 101, although the request did not ask for an upgrade */
  | { kind: 'upgrade' }
  /** the connection was closed too early; `within` names the part of the response that had begun */
  | { kind: 'closed'; within: 'nothing' | 'interim' | 'head' | 'body' }
  /**
   * the end of the connection marks the end of the body, but the TLS connection ended without close_notify (RFC 8446,
   * 6.1)
   */
  | { kind: 'cut off' };

/** The error that the parser of HTTP responses throws. Callers turn the reason into a sentence. */
export class HttpFault extends Error {
  readonly reason: FaultReason;

  constructor(reason: FaultReason) {
    super(reason.kind === 'invalid' ? reason.words : reason.kind);
    this.name = 'HttpFault';
    this.reason = reason;
  }
}

/**
 * Creates the error for an invalid response.
 *
 * @param words part of a sentence that states the fault: `the size of a chunk is not a number`
 */
export const invalidHttp = (words: string): HttpFault => new HttpFault({ kind: 'invalid', words });

/** The status is readable, but another part of the head is invalid or contradicts itself. */
export class HeadFault extends HttpFault {
  readonly head: { status: number; headers: IncomingHttpHeaders };

  constructor(words: string, head: HeadFault['head']) {
    super({ kind: 'invalid', words });
    this.head = head;
  }
}

/** The first bytes of responses in other protocols. */
const OTHERS: readonly [begins: RegExp, protocol: string][] = [
  [/^SSH-/, 'SSH'],
  [/^220[ -]/, 'a protocol such as SMTP or FTP'],
  [/^\* (?:OK|PREAUTH|BYE)\b/, 'IMAP'],
  [/^(?:\+OK|-ERR)\b/, 'a protocol such as POP3 or Redis'],
  [/^RFB \d/, 'VNC'],
  [/^PRI \* HTTP\/2/, 'HTTP/2, which was not agreed on'],
  // A SETTINGS frame of HTTP/2 (RFC 9113, 4.1 and 6.5).
  [/^\0[^]{2}\x04[^]\0{4}/, 'HTTP/2, which was not agreed on'],
  // A TLS record with a handshake message or an alert (RFC 8446, 5.1).
  [/^[\x15\x16]\x03/, 'TLS, so its URL should begin with https'],
];

/**
 * Creates the error for a response that does not begin like HTTP.
 *
 * @param bytes the first bytes of the response
 */
export const otherProtocol = (bytes: Buffer): HttpFault => {
  const text = bytes.subarray(0, 32).toString('latin1');
  const known = OTHERS.find(([begins]) => begins.test(text));
  return known
    ? new HttpFault({ kind: 'foreign', protocol: known[1] })
    : invalidHttp('it does not begin with a status line');
};
