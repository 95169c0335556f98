import type { PageDocument } from '../../projections/pages/documents.ts';
import { pages } from '../../projections/pages/projection.ts';
import type { SubscriberDocument } from '../../projections/subscribers/documents.ts';
import { subscribers } from '../../projections/subscribers/projection.ts';
import { readMaskedAddress } from './recipients.ts';
import type { Scope } from '../engine/scope.ts';

/** A subscription as shown on the pages to which links in messages lead. */
export interface LinkedSubscription {
  subscriber: SubscriberDocument;
  page: PageDocument;
  /** masked */
  address: string;
}

/** Finds the subscription of a signed link. Returns null if the subscription does not exist any more. */
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
