import type { PageDocument } from '../../projections/pages/documents.ts';
import { pages } from '../../projections/pages/projection.ts';
import type { SubscriberDocument } from '../../projections/subscribers/documents.ts';
import { subscribers } from '../../projections/subscribers/projection.ts';
import { readMaskedAddress } from './recipients.ts';
import type { Scope } from '../engine/scope.ts';

/** A subscription as shown on the pages that links in messages lead to. */
export interface LinkedSubscription {
  subscriber: SubscriberDocument;
  page: PageDocument;
  /** masked */
  address: string;
}

/** The subscription of a link that was signed for its subscriber; null: it no longer exists. */
export const findLinkedSubscription = async (
  { read, organizationId, keys }: Pick<Scope, 'read' | 'organizationId' | 'keys'>,
  id: string,
): Promise<LinkedSubscription | null> => {
  const subscriber = await read(subscribers).subscribers.get(id);
  if (subscriber?.organization_id !== organizationId) return null;
  const page = await read(pages).pages.get(subscriber.page_id);
  if (page?.deleted_at !== null) return null;
  return { subscriber, page, address: await readMaskedAddress(subscriber, { organizationId, keys }) };
};
