import { mailboxOf, type Mailbox } from '../../domain/mail/address.ts';
import { MAX_BOUNCE_LOCAL_LENGTH } from '../../domain/mail/bounce-address.ts';

/**
 * Parses the sender of e-mail: an address that every server accepts, with room for a suffix of its local part.
 *
 * @throws Error its message continues after the name of the variable
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
