import { maskedAddress } from '../domain/subscriber/masked.ts';
import type { SubscriberDocument } from '../projections/subscribers/documents.ts';
import { FORGOTTEN, openText, UNREADABLE } from '../stores/keys/port.ts';
import type { Scope } from './scope.ts';

/** A subscriber's address as people are shown it: masked, or why it can't be read any more. */
export const maskedRecipient = async (
  { mode, address: sealed }: Pick<SubscriberDocument, 'mode' | 'address'>,
  { organizationId, keys }: Pick<Scope, 'organizationId' | 'keys'>,
): Promise<string> => {
  const address = await openText(sealed, { organizationId, field: 'address' }, keys);
  return address === FORGOTTEN || address === UNREADABLE ? address : maskedAddress(mode, address);
};
