import type { Sender } from '../../notifiers/notifier.ts';
import type { PageDocument } from '../../projections/pages/documents.ts';
import { verifiedSender } from '../../queries/organizations/email-domain.ts';
import type { Scope } from '../../queries/engine/scope.ts';

/** The sender of a page's e-mails: its verified domain, or else the service's address with replies to the page. */
export const senderOf = async (
  scope: Pick<Scope, 'read' | 'organizationId' | 'keys'>,
  { id, name, notifications_from_email: replyTo }: PageDocument,
): Promise<Sender> => {
  const verified = await verifiedSender(scope, id);
  if (!verified) return { name, from: null, replyTo };
  const { from_email: address, ...dkim } = verified;
  return { name, from: { address, dkim }, replyTo: null };
};
