import { mailboxOf, type Mailbox } from '../../domain/mail/address.ts';
import { LONGEST_BOUNCE_LOCAL } from '../../domain/mail/bounce-address.ts';

/**
 * Where e-mail comes from: an address that every server takes as a sender, with room for what is put after its local
 * part.
 *
 * @throws Error continues after the name of the variable
 */
export const mailFromOf = (text: string): Mailbox => {
  const mailbox = mailboxOf(text);
  if (!mailbox || !/^[\x21-\x7e]+$/.test(mailbox.local)) {
    throw new Error(`must be an e-mail address such as Acme Status <status@example.org>, not "${text}".`);
  }
  if (mailbox.local.length > LONGEST_BOUNCE_LOCAL) {
    throw new Error(`must have at most ${LONGEST_BOUNCE_LOCAL.toString()} characters before the @.`);
  }
  return mailbox;
};
