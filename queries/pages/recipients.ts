import { maskedAddress } from '../../domain/subscriber/masking.ts';
import type { SubscriberMode } from '../../domain/subscriber/events.ts';
import type { SubscriberDocument } from '../../projections/subscribers/documents.ts';
import { FORGOTTEN, openText, UNREADABLE } from '../../stores/keys/port.ts';
import type { Scope } from '../engine/scope.ts';

/**
 * Masks a decrypted address for users. If the address could not be decrypted, returns the placeholder in `text`
 * unchanged, for example `[forgotten]`.
 */
export const maskAddress = (mode: SubscriberMode, text: string): string =>
  text === FORGOTTEN || text === UNREADABLE ? text : maskedAddress(mode, text);

/** Decrypts and masks a subscriber's address for users. */
export const readMaskedAddress = async (
  { mode, address: sealed }: Pick<SubscriberDocument, 'mode' | 'address'>,
  { organizationId, keys }: Pick<Scope, 'organizationId' | 'keys'>,
): Promise<string> => maskAddress(mode, await openText(sealed, { organizationId, field: 'address' }, keys));
