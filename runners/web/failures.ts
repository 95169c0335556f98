import { ProbeFailure } from '../probe/failure.ts';

const noAnswer = (sentence: string, options?: ErrorOptions): ProbeFailure =>
  new ProbeFailure('down', 'protocol', sentence, options);

/** @param words why, after "it": `the size of a chunk is not a number` */
export const invalidHttp = (words: string): ProbeFailure => noAnswer(`The response is not valid HTTP: ${words}.`);

export const headOverflow = (): ProbeFailure => noAnswer('The response headers are larger than 64 KiB.');

/** Other protocols' first bytes; none of them is shown. */
const OTHERS: readonly [begins: RegExp, protocol: string][] = [
  [/^SSH-/, 'SSH'],
  [/^220[ -]/, 'a protocol such as SMTP or FTP'],
  [/^\* (?:OK|PREAUTH|BYE)\b/, 'IMAP'],
  [/^(?:\+OK|-ERR)\b/, 'a protocol such as POP3 or Redis'],
  [/^RFB \d/, 'VNC'],
  [/^PRI \* HTTP\/2/, 'HTTP/2, which was not agreed on'],
  // A SETTINGS frame (RFC 9113, 4.1 and 6.5).
  [/^\0[^]{2}\x04[^]\0{4}/, 'HTTP/2, which was not agreed on'],
  // A record of a handshake or an alert (RFC 8446, 5.1).
  [/^[\x15\x16]\x03/, 'TLS, so its URL should begin with https'],
];

/** @param bytes the first ones of what is not an HTTP answer */
export const otherProtocol = (bytes: Buffer): ProbeFailure => {
  const text = bytes.subarray(0, 32).toString('latin1');
  const known = OTHERS.find(([begins]) => begins.test(text));
  return known
    ? noAnswer(`The response is not HTTP: the server speaks ${known[1]}.`)
    : invalidHttp('it does not begin with a status line');
};

export const unaskedUpgrade = (peer: string): ProbeFailure =>
  noAnswer(`${peer} switched to another protocol (101), which nobody asked for.`);

const CLOSED = {
  nothing: 'without an answer',
  interim: 'after an interim answer, without the final one',
  head: 'within the headers of its answer',
  body: 'before the response was complete',
};

/** @param within what had come when it closed */
export const closedFailure = (peer: string, within: keyof typeof CLOSED): ProbeFailure =>
  noAnswer(`${peer} closed the connection ${CLOSED[within]}.`);

/** Only the end of the connection says that the body is complete, and anybody could have caused that. */
export const cutOffFailure = (peer: string): ProbeFailure =>
  noAnswer(`${peer} ended the TLS connection without announcing it, so the response may be cut off.`);
