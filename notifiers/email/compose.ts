import { createPrivateKey } from 'node:crypto';
import type { SendMailOptions } from 'nodemailer';
import {
  mailAddressOf,
  withVisibleCharacters,
  displayedName,
  type MailAddress,
  type Mailbox,
} from '../../domain/mail/address.ts';
import { bounceAddress } from '../../domain/mail/bounce-address.ts';
import { phraseOf } from '../../domain/mail/phrase.ts';
import type { Mac } from '../../domain/signed-token.ts';
import type { DkimSigner, MailParts, NotificationMessage, Sender } from '../notifier.ts';
import { isLoopback } from './relay.ts';

/** The sending service, as e-mail shows it. */
export interface MailIdentity {
  /** the sender of mail, which also receives bounces */
  from: Mailbox;
  /** signs the part after `+` in that address */
  mac: Mac;
}

/** The display name for senders without one. */
const NAMELESS = 'Uptrail';
/** Maximum length of a subject, characters; mail programs cut longer ones in lists anyway. */
const LONGEST_SUBJECT = 250;
/** Text that needs no quotation marks in a header. */
const TOKEN = /^[A-Za-z0-9_-]{1,100}$/;

/** Header fields that a DKIM signature covers; those absent from the message are left out. */
const SIGNED = [
  ...['From', 'Reply-To', 'Subject', 'Date', 'Message-ID', 'To', 'In-Reply-To', 'References', 'MIME-Version'],
  ...['Content-Type', 'Content-Transfer-Encoding', 'List-Id', 'List-Unsubscribe', 'List-Unsubscribe-Post'],
  ...['Auto-Submitted', 'Precedence'],
].join(':');

/**
 * Composes an e-mail to one address (RFC 5322). Its Message-ID is the same at each attempt.
 *
 * @param now milliseconds since 1970
 * @throws Error the sender's key is invalid
 */
export const composeEmail = async (
  { id, subject, text, mail }: NotificationMessage,
  to: MailAddress,
  { from, mac }: MailIdentity,
  now: number,
): Promise<SendMailOptions> => {
  const { html, thread, sender, unsubscribeUrl, list }: MailParts = mail ?? PLAIN;
  const author = authorOf(sender, from);
  const answersTo = mailAddressOf(sender.replyTo ?? '');
  const reference = thread !== null && TOKEN.test(thread) ? `<thread.${thread}@${from.domain}>` : null;
  return {
    envelope: { from: await bounceAddress(id, from, mac), to: [to.address] },
    // Requests short failure reports with the id of the delivery.
    dsn: { id, return: 'headers', notify: ['failure'] },
    from: { name: author.name, address: author.address },
    to: { name: '', address: to.address },
    ...(answersTo && { replyTo: { name: '', address: answersTo.address } }),
    subject: Array.from(withVisibleCharacters(subject)).slice(0, LONGEST_SUBJECT).join(''),
    text,
    ...(html !== '' && { html }),
    messageId: `<${id}@${from.domain}>`,
    date: new Date(now),
    // All messages of a thread reply to a message that was never sent, so none has to know which was first.
    ...(reference !== null && { inReplyTo: reference, references: reference }),
    headers: {
      'Auto-Submitted': 'auto-generated',
      // Prevents automatic replies from Exchange.
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

/** RFC 2919. Preset, because the library would encode the name as one word of any length. */
const listId = (id: string, name: string) => ({ prepared: true, foldLines: true, value: `${phraseOf(name)} <${id}>` });

/** Mail parts of a message that was not made for e-mail. */
const PLAIN: MailParts = {
  html: '',
  thread: null,
  sender: { name: '', from: null, replyTo: null },
  unsubscribeUrl: null,
};

const ONE_CLICK = { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };

/** Whether mail programs may post to the link (RFC 8058, 3.1, requires https); links to this machine have no TLS. */
const takesOneClick = (text: string): boolean => {
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || isLoopback(hostname.replace(/^\[(.*)\]$/, '$1'));
};

interface Author {
  name: string;
  address: string;
  dkim: DkimSigner | null;
}

/** Uses a customer's address as sender only if its domain signs the message. */
const authorOf = ({ name: given, from }: Sender, own: Mailbox): Author => {
  const name = displayedName(given) || own.name || NAMELESS;
  const other = from && mailAddressOf(from.address);
  return from && other && `.${other.domain}`.endsWith(`.${from.dkim.domain.toLowerCase()}`)
    ? { name, address: other.address, dkim: from.dkim }
    : { name, address: own.address, dkim: null };
};

/** @throws Error the key is invalid: the message would go out unsigned */
const signerOf = ({ domain, selector, privateKey }: DkimSigner): NonNullable<SendMailOptions['dkim']> => {
  createPrivateKey(privateKey);
  return { domainName: domain, keySelector: selector, privateKey, headerFieldNames: SIGNED };
};
