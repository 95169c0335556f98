import type { Sender } from '../../notifiers/notifier.ts';
import type { PageDocument } from '../../projections/pages/documents.ts';
import { verifiedSender } from '../../queries/organizations/email-domain.ts';
import type { Scope } from '../../queries/engine/scope.ts';

/**
 * Returns the sender of a page's e-mails: an address of the page's verified domain. If the page has no verified domain,
 * returns the address of the service, with replies to the address of the page.
 */
export const senderOf = async (
  scope: Pick<Scope, 'read' | 'organizationId' | 'keys'>,
  { id, name, notifications_from_email: replyTo }: PageDocument,
): Promise<Sender> => {
  const verified = await verifiedSender(scope, id);
  if (!verified) return { name, from: null, replyTo };
  const { from_email: address, ...dkim } = verified;
  return { name, from: { address, dkim }, replyTo: null };
};
