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

/** The identity of the service as a sender of e-mail. */
export interface MailIdentity {
  /** the sender address of e-mail; bounces are sent to the same address with an added tag */
  from: Mailbox;
  /** signs the tag, which follows a `+` in the address for bounces */
  mac: Mac;
}

/** The display name if neither the sender nor the service has one. */
const NAMELESS = 'Uptrail';
/** Maximum length of a subject, in characters. Mail programs shorten longer subjects in their lists anyway. */
const LONGEST_SUBJECT = 250;
/** Matches a text that needs no quotation marks in a header. */
const TOKEN = /^[A-Za-z0-9_-]{1,100}$/;

/** Header fields that a DKIM signature covers. Fields that a message does not have are ignored. */
const SIGNED = [
  ...['From', 'Reply-To', 'Subject', 'Date', 'Message-ID', 'To', 'In-Reply-To', 'References', 'MIME-Version'],
  ...['Content-Type', 'Content-Transfer-Encoding', 'List-Id', 'List-Unsubscribe', 'List-Unsubscribe-Post'],
  ...['Auto-Submitted', 'Precedence'],
].join(':');

/**
 * Composes an e-mail to one address (RFC 5322). All attempts of a delivery have the same Message-ID.
 *
 * @param now milliseconds since 1970
 * @throws Error the DKIM key of the sender is invalid
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
    // Asks the relay for failure reports that contain the id of the delivery and only the headers of the message.
    dsn: { id, return: 'headers', notify: ['failure'] },
    from: { name: author.name, address: author.address },
    to: { name: '', address: to.address },
    ...(answersTo && { replyTo: { name: '', address: answersTo.address } }),
    subject: Array.from(withVisibleCharacters(subject)).slice(0, LONGEST_SUBJECT).join(''),
    text,
    ...(html !== '' && { html }),
    messageId: `<${id}@${from.domain}>`,
    date: new Date(now),
    // All messages of a thread refer to the same artificial Message-ID. So no message has to know which message was the
    // first.
    ...(reference !== null && { inReplyTo: reference, references: reference }),
    headers: {
      'Auto-Submitted': 'auto-generated',
      // Prevents Exchange from sending automatic replies.
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

/**
 * Formats the List-ID header (RFC 2919). The value is passed as `prepared`, because the library would encode the name
 * as a single encoded word, whose length is limited.
 */
const listId = (id: string, name: string) => ({ prepared: true, foldLines: true, value: `${phraseOf(name)} <${id}>` });

/** Default mail parts, for messages that were not composed for e-mail. */
const PLAIN: MailParts = {
  html: '',
  thread: null,
  sender: { name: '', from: null, replyTo: null },
  unsubscribeUrl: null,
};

const ONE_CLICK = { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };

/**
 * Returns whether mail programs can send a one-click POST to the link. RFC 8058, 3.1 requires https; links to this
 * machine are an exception, because they have no TLS.
 */
const takesOneClick = (text: string): boolean => {
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || isLoopback(hostname.replace(/^\[(.*)\]$/, '$1'));
};

interface Author {
  name: string;
  address: string;
  dkim: DkimSigner | null;
}

/**
 * Returns the author of a message. A customer's address is only used if the DKIM signature is for the domain of the
 * address or for a parent domain.
 */
const authorOf = ({ name: given, from }: Sender, own: Mailbox): Author => {
  const name = displayedName(given) || own.name || NAMELESS;
  const other = from && mailAddressOf(from.address);
  return from && other && `.${other.domain}`.endsWith(`.${from.dkim.domain.toLowerCase()}`)
    ? { name, address: other.address, dkim: from.dkim }
    : { name, address: own.address, dkim: null };
};

/** @throws Error the key is invalid; without this check, the message would be sent unsigned */
const signerOf = ({ domain, selector, privateKey }: DkimSigner): NonNullable<SendMailOptions['dkim']> => {
  createPrivateKey(privateKey);
  return { domainName: domain, keySelector: selector, privateKey, headerFieldNames: SIGNED };
};
