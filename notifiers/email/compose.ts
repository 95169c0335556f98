import { createPrivateKey } from 'node:crypto';
import type { SendMailOptions } from 'nodemailer';
import { mailAddressOf, shownLine, shownName, type MailAddress, type Mailbox } from '../../domain/mail/address.ts';
import { bounceAddress } from '../../domain/mail/bounce-address.ts';
import { phraseOf } from '../../domain/mail/phrase.ts';
import type { Mac } from '../../domain/signed-token.ts';
import type { DkimSigner, MailParts, Message, Sender } from '../notifier.ts';
import { isLoopback } from './relay.ts';

/** The service, as e-mail shows it. */
export interface Identity {
  /** where mail comes from, and reports of failures go to */
  from: Mailbox;
  /** signs what follows `+` in that address */
  mac: Mac;
}

/** The name of a sender that has none. */
const NAMELESS = 'Uptrail';
/** Subjects longer than that are cut in lists of messages anyway, characters. */
const LONGEST_SUBJECT = 250;
/** What stands as it is in a header without quotation marks. */
const TOKEN = /^[A-Za-z0-9_-]{1,100}$/;

/** What the sender of a message signs; a signature names only those headers that are there. */
const SIGNED = [
  ...['From', 'Reply-To', 'Subject', 'Date', 'Message-ID', 'To', 'In-Reply-To', 'References', 'MIME-Version'],
  ...['Content-Type', 'Content-Transfer-Encoding', 'List-Id', 'List-Unsubscribe', 'List-Unsubscribe-Post'],
  ...['Auto-Submitted', 'Precedence'],
].join(':');

/**
 * A message as an e-mail to one address (RFC 5322). Its Message-ID is the same at each attempt.
 *
 * @param now milliseconds since 1970
 * @throws Error the key of its sender can't be used
 */
export const composeEmail = async (
  { id, subject, text, mail }: Message,
  to: MailAddress,
  { from, mac }: Identity,
  now: number,
): Promise<SendMailOptions> => {
  const { html, thread, sender, unsubscribeUrl, list }: MailParts = mail ?? PLAIN;
  const author = authorOf(sender, from);
  const answersTo = mailAddressOf(sender.replyTo ?? '');
  const reference = thread !== null && TOKEN.test(thread) ? `<thread.${thread}@${from.domain}>` : null;
  return {
    envelope: { from: await bounceAddress(id, from, mac), to: [to.address] },
    // Servers that can report failures in short do so, with the id of the delivery.
    dsn: { id, return: 'headers', notify: ['failure'] },
    from: { name: author.name, address: author.address },
    to: { name: '', address: to.address },
    ...(answersTo && { replyTo: { name: '', address: answersTo.address } }),
    subject: Array.from(shownLine(subject)).slice(0, LONGEST_SUBJECT).join(''),
    text,
    ...(html !== '' && { html }),
    messageId: `<${id}@${from.domain}>`,
    date: new Date(now),
    // The messages of a thread are answers to one that was never sent, so it doesn't matter which of them was the first.
    ...(reference !== null && { inReplyTo: reference, references: reference }),
    headers: {
      'Auto-Submitted': 'auto-generated',
      // Exchange answers what is automatic, unless it is told not to.
      'X-Auto-Response-Suppress': 'All',
      ...(unsubscribeUrl !== null && { Precedence: 'bulk' }),
      ...(unsubscribeUrl !== null && takesOneClick(unsubscribeUrl) && ONE_CLICK),
      ...(typeof list === 'string' && TOKEN.test(list) && { 'List-ID': listId(`${list}.${from.domain}`, author.name) }),
    },
    list: {
      ...(unsubscribeUrl !== null && { unsubscribe: unsubscribeUrl }),
    },
    ...(author.dkim && { dkim: signerOf(author.dkim) }),
    disableFileAccess: true,
    disableUrlAccess: true,
  };
};

/** RFC 2919. The library would encode a name as one word, of any length. */
const listId = (id: string, name: string) => ({ prepared: true, foldLines: true, value: `${phraseOf(name)} <${id}>` });

/** A message that was not made for e-mail. */
const PLAIN: MailParts = {
  html: '',
  thread: null,
  sender: { name: '', from: null, replyTo: null },
  unsubscribeUrl: null,
};

const ONE_CLICK = { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };

/** Whether mail programs may post to the link (RFC 8058, 3.1, asks for https); on this machine it is never secured. */
const takesOneClick = (text: string): boolean => {
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || isLoopback(hostname.replace(/^\[(.*)\]$/, '$1'));
};

interface Author {
  name: string;
  address: string;
  dkim: DkimSigner | null;
}

/** An address stands in a header only if its domain is the one that signs. */
const authorOf = ({ name: given, from }: Sender, own: Mailbox): Author => {
  const name = shownName(given) || own.name || NAMELESS;
  const other = from && mailAddressOf(from.address);
  return from && other && `.${other.domain}`.endsWith(`.${from.dkim.domain.toLowerCase()}`)
    ? { name, address: other.address, dkim: from.dkim }
    : { name, address: own.address, dkim: null };
};

/** @throws Error the key can't be used: the message would go out without a signature */
const signerOf = ({ domain, selector, privateKey }: DkimSigner): NonNullable<SendMailOptions['dkim']> => {
  createPrivateKey(privateKey);
  return { domainName: domain, keySelector: selector, privateKey, headerFieldNames: SIGNED };
};
