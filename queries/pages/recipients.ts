import { maskedAddress } from '../../domain/subscriber/masking.ts';
import type { SubscriberMode } from '../../domain/subscriber/events.ts';
import type { SubscriberDocument } from '../../projections/subscribers/documents.ts';
import { FORGOTTEN, openText, UNREADABLE } from '../../stores/keys/port.ts';
import type { Scope } from '../engine/scope.ts';

/** A decrypted address as shown to users: masked, or the reason why it cannot be read. */
export const maskAddress = (mode: SubscriberMode, text: string): string =>
  text === FORGOTTEN || text === UNREADABLE ? text : maskedAddress(mode, text);

/** A subscriber's address as shown to users. */
export const readMaskedAddress = async (
  { mode, address: sealed }: Pick<SubscriberDocument, 'mode' | 'address'>,
  { organizationId, keys }: Pick<Scope, 'organizationId' | 'keys'>,
): Promise<string> => maskAddress(mode, await openText(sealed, { organizationId, field: 'address' }, keys));
