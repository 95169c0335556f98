import type { Sender } from '../../notifiers/notifier.ts';
import type { PageDocument } from '../../projections/pages/documents.ts';
import { verifiedSender } from '../../queries/organizations/email-domain.ts';
import type { Scope } from '../../queries/engine/scope.ts';

/** Whose name the e-mails of a page carry: a domain verified for it, or else the service's, with answers to the page. */
export const senderOf = async (
  scope: Pick<Scope, 'read' | 'organizationId' | 'keys'>,
  { id, name, notifications_from_email: replyTo }: PageDocument,
): Promise<Sender> => {
  const verified = await verifiedSender(scope, id);
  if (!verified) return { name, from: null, replyTo };
  const { from_email: address, ...dkim } = verified;
  return { name, from: { address, dkim }, replyTo: null };
};
