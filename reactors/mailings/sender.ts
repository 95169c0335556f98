import type { Sender } from '../../notifiers/notifier.ts';
import type { PageDocument } from '../../projections/pages/documents.ts';

/** Whose name the e-mails of a page carry. */
export const senderOf = ({ name, notifications_from_email }: PageDocument): Sender => ({
  name,
  from: null,
  replyTo: notifications_from_email,
});
