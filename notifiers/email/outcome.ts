import type { NodemailerError } from 'nodemailer';
import { parseRefusal, refusalSubject, type Refusal, type RefusalSubject } from '../../domain/mail/refusal.ts';
import { instantOf, type Instant } from '../../domain/time.ts';
import { explainConnectFailure } from '../../network/not-connected.ts';
import { LocalFailure } from '../../network/local-failure.ts';
import type { SendOutcome } from '../notifier.ts';
import { failedAttempt, unavailableAttempt } from '../send-outcomes.ts';
import { RelayTimeout, type RelayStage } from './transport.ts';

/**
 * Milliseconds to wait before the next attempt after a failed login, because many mail servers lock an account after
 * repeated failures.
 */
const AFTER_LOGIN_MS = 300_000;

/** Formats the codes of a refusal: `550 5.1.1`. Omits the server's text, because it may contain names of people. */
const codesOf = ({ code, enhanced }: Refusal): string =>
  [code?.toString(), enhanced].filter((part) => part !== null && part !== undefined).join(' ');

const SENTENCES: Readonly<Record<RefusalSubject, string>> = {
  recipient: 'there is no such mailbox',
  mailbox_full: 'the mailbox is full',
  too_large: 'the message is too large',
  refused: 'it refuses the message',
};

/**
 * Derives the outcome of a message that the relay did not accept. The outcome is `unavailable` if neither the message
 * nor its recipient caused the failure: the relay can't be reached, sends no greeting, refuses the login, ends the
 * session (421), or refuses the sender address of the service.
 *
 * @param peer name of the relay in sentences: `mail.example.org:587`
 * @param now milliseconds since 1970
 * @throws Error the error does not concern the relay
 */
export const outcomeOfFailure = (error: unknown, stage: RelayStage, peer: string, now: number): SendOutcome => {
  if (error instanceof RelayTimeout) return timedOut(error, peer);
  const failure = explainConnectFailure(error);
  if (failure) return unavailable(failure.reason, failure.sentence);
  if (error instanceof LocalFailure || !isMailError(error)) throw error;

  const { code, command = '' } = error;
  const refusal = parseRefusal(error.response ?? '');
  if (code === 'EAUTH' || code === 'ENOAUTH' || refusal?.code === 530) return notLetIn(refusal, peer, now);
  if (stage === 'session' || isAboutSession(command, refusal)) return noSession(error, refusal, peer);
  if (!refusal) return unanswered(error, peer);
  if (refusal.code === 421) return unavailable('closing', `${peer} ended the session (${codesOf(refusal)}).`, refusal);
  if (refusal.code === 503 || String(refusal.code).startsWith('4')) {
    return failed('deferred', `${peer} answered ${codesOf(refusal)}: it may accept the message later.`, refusal, false);
  }
  if (command === 'MAIL FROM' && !isAboutMessage(refusal)) {
    return unavailable('sender', `${peer} does not accept MAIL_FROM as a sender (${codesOf(refusal)}).`, refusal);
  }
  const reason = refusalSubject(refusal, command === 'RCPT TO' ? 'recipient' : 'message');
  return failed(reason, `${peer} answered ${codesOf(refusal)}: ${SENTENCES[reason]}.`, refusal, true);
};

const isMailError = (error: unknown): error is NodemailerError =>
  error instanceof Error && typeof (error as NodemailerError).code === 'string';

/**
 * Returns whether a failure concerns the session rather than the message. The failure can concern the session even
 * during a transaction: a reused session may turn out to have ended, and opening the next session may fail.
 */
const isAboutSession = (command: string, refusal: Refusal | null): boolean =>
  /^(?:EHLO|HELO|STARTTLS|AUTH)\b/.test(command) || (command === 'CONN' && refusal !== null && refusal.code !== 421);

const notLetIn = (refusal: Refusal | null, peer: string, now: number): SendOutcome => {
  const said = refusal ? ` (${codesOf(refusal)})` : '';
  if (String(refusal?.code).startsWith('4'))
    return unavailable('auth', `${peer} accepts no logins at present${said}.`, refusal);
  const sentence = `${peer} refused the login${said}: check the password in SMTP_URL.`;
  return unavailable('auth', sentence, refusal, instantOf(now + AFTER_LOGIN_MS));
};

/**
 * Returns whether a response to MAIL FROM concerns the message: its size, or a recipient address with other characters
 * than ASCII.
 */
const isAboutMessage = ({ code, enhanced }: Refusal): boolean =>
  code === 552 || code === 555 || (enhanced !== null && /^5\.(?:3\.4|2\.3|6\.)/.test(enhanced));

const timedOut = ({ stage, limit }: RelayTimeout, peer: string): SendOutcome => {
  const seconds = (limit / 1_000).toString();
  return stage === 'session'
    ? unavailable('timeout', `There was no session with ${peer} within ${seconds} s.`)
    : failed('timeout', `${peer} did not confirm within ${seconds} s that it accepts the message.`, null, false);
};

const noSession = (error: NodemailerError, refusal: Refusal | null, peer: string): SendOutcome => {
  if (refusal) return unavailable('greeting', `${peer} refused the session (${codesOf(refusal)}).`, refusal);
  const { code, command, message } = error;
  const { originalCode = '' } = error as { originalCode?: string };
  // Codes of OpenSSL and Node's codes for TLS contain underscores; codes of the system don't.
  if (code === 'ETLS' || command === 'STARTTLS' || originalCode.includes('_') || originalCode === 'EPROTO') {
    return unavailable('tls', `TLS with ${peer} failed: ${tlsReason(message)}.`);
  }
  if (code === 'EPROTOCOL') return unavailable('protocol', `${peer} does not speak SMTP as it should.`);
  return unavailable('connect', `${peer} closed the connection before a message could be sent.`);
};

/** Returns the error text of OpenSSL or Node.js as one line. */
const tlsReason = (message: string): string =>
  message
    .replace(/^Error initiating TLS - /, '')
    .replace(/\s+/g, ' ')
    .replace(/\.$/, '')
    .slice(0, 200);

/** Error codes of a broken connection, or of invalid data on a connection. */
const BROKEN: ReadonlySet<string | undefined> = new Set([
  ...['ECONNECTION', 'ESOCKET', 'ETIMEDOUT', 'ETLS'],
  ...['EPROTOCOL', 'EENVELOPE', 'EMESSAGE'],
]);

const unanswered = (error: NodemailerError, peer: string): SendOutcome => {
  if (!BROKEN.has(error.code)) throw error;
  return failed('connection', `${peer} closed the connection before it accepted the message.`, null, false);
};

const unavailable = (
  reason: string,
  error_message: string,
  refusal: Refusal | null = null,
  notBefore: Instant | null = null,
): SendOutcome => unavailableAttempt(reason, error_message, { notBefore, response_code: refusal?.code ?? null });

const failed = (reason: string, error_message: string, refusal: Refusal | null, permanent: boolean): SendOutcome =>
  failedAttempt(reason, error_message, { permanent, response_code: refusal?.code ?? null });
