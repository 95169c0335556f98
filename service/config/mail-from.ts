import { mailboxOf, type Mailbox } from '../../domain/mail/address.ts';
import { MAX_BOUNCE_LOCAL_LENGTH } from '../../domain/mail/bounce-address.ts';

/**
 * Parses the sender of e-mail. The address must be one that every server accepts, and its local part must leave room
 * for the suffix of bounce addresses.
 *
 * @throws Error the message continues a sentence that begins with the name of the variable
 */
export const mailFromOf = (text: string): Mailbox => {
  const mailbox = mailboxOf(text);
  if (!mailbox || !/^[\x21-\x7e]+$/.test(mailbox.local)) {
    throw new Error(`must be an e-mail address such as Acme Status <status@example.org>, not "${text}".`);
  }
  if (mailbox.local.length > MAX_BOUNCE_LOCAL_LENGTH) {
    throw new Error(`must have at most ${MAX_BOUNCE_LOCAL_LENGTH} characters before the @.`);
  }
  return mailbox;
};
