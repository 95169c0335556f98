import { isIPv6 } from 'node:net';
import { readLine, MAX_LINES, type StartTlsDialogue } from './dialogue.ts';

/**
 * Reads a reply of an SMTP or FTP server (RFC 5321, 4.2.1; RFC 959, 4.2), and joins it into one line: `250 OK`. The
 * final line of a reply starts with the code of the first line, followed by a space or nothing. Other lines may start
 * with digits too.
 */
const reply = async (talk: StartTlsDialogue): Promise<string> => {
  const first = await readLine(talk);
  if (!/^\d{3}([ -]|$)/.test(first)) throw talk.stranger(first);
  const code = first.slice(0, 3);
  const isLast = (text: string): boolean => text.startsWith(code) && (text.length === 3 || text[3] === ' ');
  const texts = [first.slice(4)];
  for (let last = first; !isLast(last);) {
    if (texts.length >= MAX_LINES) throw talk.stranger(first);
    last = await readLine(talk);
    texts.push(isLast(last) || last.startsWith(`${code}-`) ? last.slice(4) : last);
  }
  const whole = [code, ...texts.map((text) => text.trim()).filter((text) => text !== '')].join(' ');
  if (code === '421') throw talk.busy(whole);
  return whole;
};

/** Sends a line. @returns the reply */
const ask = (talk: StartTlsDialogue, command: string): Promise<string> => {
  talk.wire.send(Buffer.from(`${command}\r\n`));
  return reply(talk);
};

/**
 * Returns the name by which a client without a domain name identifies itself in EHLO: its own address as a literal (RFC
 * 5321, 4.1.3 and 4.1.4). An invented name would not do, because servers may look it up and refuse unknown names.
 */
export const addressLiteral = (address: string): string => {
  const bare = address.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '');
  return isIPv6(bare) ? `[IPv6:${bare}]` : `[${bare}]`;
};

/** Requests TLS from an SMTP server (RFC 3207). */
export const smtp = async (talk: StartTlsDialogue): Promise<void> => {
  const greeting = await reply(talk);
  if (!greeting.startsWith('220')) throw talk.busy(greeting);
  const hello = `EHLO ${addressLiteral(talk.wire.from)}`;
  const extensions = await ask(talk, hello);
  if (!extensions.startsWith('250')) throw talk.refusedFirst(hello, extensions);
  const answer = await ask(talk, 'STARTTLS');
  if (!answer.startsWith('220')) throw talk.refused(answer);
};

/** Requests TLS from an FTP server (RFC 4217). */
export const ftp = async (talk: StartTlsDialogue): Promise<void> => {
  const greeting = await reply(talk);
  if (!greeting.startsWith('220')) throw talk.busy(greeting);
  const answer = await ask(talk, 'AUTH TLS');
  if (!answer.startsWith('234')) throw talk.refused(answer);
};

/** Requests TLS from an IMAP server (RFC 2595; RFC 9051, 6.2.1). */
export const imap = async (talk: StartTlsDialogue): Promise<void> => {
  const greeting = await readLine(talk);
  if (/^\* BYE/i.test(greeting)) throw talk.busy(greeting);
  if (!/^\* (OK|PREAUTH)/i.test(greeting)) throw talk.stranger(greeting);
  talk.wire.send(Buffer.from('u1 STARTTLS\r\n'));
  for (let lines = 0; lines < MAX_LINES; lines++) {
    const answer = await readLine(talk);
    if (/^u1 OK/i.test(answer)) return;
    // BYE means that the server ends the connection (RFC 9051, 7.1.5).
    if (/^\* BYE/i.test(answer)) throw talk.busy(answer);
    if (!answer.startsWith('* ')) throw talk.refused(answer);
  }
  throw talk.stranger(greeting);
};

/** Requests TLS from a POP3 server (RFC 2595). */
export const pop3 = async (talk: StartTlsDialogue): Promise<void> => {
  const greeting = await readLine(talk);
  if (/^-ERR/i.test(greeting)) throw talk.busy(greeting);
  if (!/^\+OK/i.test(greeting)) throw talk.stranger(greeting);
  talk.wire.send(Buffer.from('STLS\r\n'));
  const answer = await readLine(talk);
  if (!/^\+OK/i.test(answer)) throw talk.refused(answer);
};
