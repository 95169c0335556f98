import type { Sealed } from '../../../domain/sealed.ts';
import type { SubscriberMode } from '../../../domain/subscriber/events.ts';
import type { SubscriberDocument } from '../../../projections/subscribers/documents.ts';
import { openText } from '../../../stores/keys/port.ts';
import { maskAddress } from '../../../queries/pages/recipients.ts';
import type { Scope } from '../../../queries/engine/scope.ts';
import { createPurgeTimes, type PurgeTimes } from '../../../queries/pages/subscribers.ts';
import type { Subscriber } from './schema.ts';

/** A decrypted address. */
export interface OpenedAddress {
  mode: SubscriberMode;
  text: string;
  contact_email: string | null;
  phone_country: string | null;
}

type AddressFields = Pick<Subscriber, 'email' | 'phone_number' | 'display_phone_number' | 'phone_country' | 'endpoint'>;

/**
 * Returns the fields that show an address (docs/reference/subscribers.md#masking).
 *
 * @param reveals whether the caller is allowed to see the whole URL of a webhook
 */
export const presentAddress = (
  { mode, text, contact_email, phone_country }: OpenedAddress,
  reveals: boolean,
): AddressFields => {
  const email = mode === 'email' ? text : contact_email;
  const number = mode === 'sms' ? maskAddress(mode, text) : null;
  return {
    email: email === null ? null : maskAddress('email', email),
    phone_number: number,
    display_phone_number: number,
    phone_country,
    endpoint: mode !== 'webhook' ? null : reveals ? text : maskAddress(mode, text),
  };
};

/** Fields that clients expect but this service does not use. */
const NOTHING = { obfuscated_channel_name: null, workspace_name: null, page_access_user_id: null };

/** Decrypts the address of a subscriber. */
export const openAddress = async (
  { keys }: Pick<Scope, 'keys'>,
  { organization_id: organizationId, mode, address, contact_email, phone_country }: SubscriberDocument,
): Promise<OpenedAddress> => {
  const open = async (sealed: Sealed | null, field: string): Promise<string | null> =>
    sealed && openText(sealed, { organizationId, field }, keys);
  const [text, contact] = await Promise.all([
    openText(address, { organizationId, field: 'address' }, keys),
    open(contact_email, 'contact_email'),
  ]);
  return { mode, text, contact_email: contact, phone_country };
};

/**
 * Converts a subscriber to its form in responses.
 *
 * @param reveals whether the caller is allowed to see the whole URL of a webhook
 * @param purgeAt computes `purge_at`; pass the same function for a whole list, so that each incident is read once
 */
export const presentSubscriber = async (
  { keys, read }: Pick<Scope, 'keys' | 'read'>,
  document: SubscriberDocument,
  reveals: boolean,
  purgeAt: PurgeTimes = createPurgeTimes({ read }),
): Promise<Subscriber> => {
  const { mode, status, component_ids } = document;
  const [address, purge_at] = await Promise.all([openAddress({ keys }, document), purgeAt(document)]);
  const isThere = status !== 'unsubscribed';
  return {
    id: document.id,
    page_id: document.page_id,
    mode,
    ...presentAddress(address, reveals),
    ...NOTHING,
    component_ids: component_ids && [...component_ids],
    incident_id: document.incident_id,
    deliver_notifications: isThere && document.deliver_notifications,
    display_at: document.verified_at,
    has_pending_verification: status === 'pending',
    is_verified: isThere && document.verified_at !== null,
    skip_confirmation_notification: document.skip_confirmation_notification,
    purge_at,
    quarantined_at: document.quarantined_at,
    created_at: document.created_at,
    updated_at: document.updated_at,
  };
};

/**
 * Creates the response of a new subscription. Visitors get this response even if the address had subscribed before, so
 * that they cannot find out who is subscribed.
 */
export const presentNewSubscription = (
  requested: Pick<Subscriber, 'id' | 'page_id' | 'component_ids' | 'incident_id' | 'created_at' | 'purge_at'>,
  address: OpenedAddress,
): Subscriber => ({
  id: requested.id,
  page_id: requested.page_id,
  mode: address.mode,
  ...presentAddress(address, false),
  ...NOTHING,
  component_ids: requested.component_ids,
  incident_id: requested.incident_id,
  deliver_notifications: true,
  display_at: null,
  has_pending_verification: true,
  is_verified: false,
  skip_confirmation_notification: false,
  purge_at: requested.purge_at,
  quarantined_at: null,
  created_at: requested.created_at,
  updated_at: requested.created_at,
});
