import type { SubscriberMode } from '../../domain/subscriber/events.ts';
import type { Sealed } from '../../domain/sealed.ts';
import type { Instant } from '../../domain/time.ts';

/** A subscription of a page; deleted and purged ones are removed. */
export interface SubscriberDocument {
  id: string;
  organization_id: string;
  page_id: string;
  /** counts the subscriptions of the address, from 1; its key is `subscriber-{id}-{number}` */
  number: number;
  mode: SubscriberMode;
  status: 'pending' | 'active' | 'quarantined' | 'unsubscribed';
  /** an e-mail address, a number in E.164, or a URL; encrypted for the field `address` */
  address: Sealed;
  /** a webhook's, encrypted for the field `contact_email` */
  contact_email: Sealed | null;
  phone_country: string | null;
  /** a webhook's, encrypted for the field `secret` */
  secret: Sealed | null;
  /** the secret before the last rotation; until this time, messages are signed with it too */
  former_secret: { secret: Sealed; until: Instant } | null;
  component_ids: readonly string[] | null;
  incident_id: string | null;
  deliver_notifications: boolean;
  added_with_key: boolean;
  skip_confirmation_notification: boolean;
  /** it is confirmed, not in quarantine, and wants messages */
  receives: boolean;
  /** position in `main` of the event that first confirmed this subscription; null before */
  verified_position: number | null;
  verified_at: Instant | null;
  /** when a confirmation was last requested, whether or not a message was sent; null: never */
  requested_at: Instant | null;
  /** the last request is not confirmed; an active subscription has then requested a change */
  awaits_confirmation: boolean;
  /** number of failed challenges of a webhook since */
  failed_challenges: number;
  purge_at: Instant | null;
  quarantined_at: Instant | null;
  /** fingerprint of the target that shares a rate limit */
  target: string;
  /** since when the address has been known: none of its subscriptions was deleted or purged since */
  known_since: Instant;
  created_at: Instant;
  updated_at: Instant;
  /** position of the last event that changed it */
  changed_position: number;
  /** its place in the list, by creation */
  place: string;
  /** whether lists show it: the subscriber has not unsubscribed */
  listed: boolean;
  /** it has `component_ids` */
  narrowed: boolean;
}

/** A deleted page whose subscribers are to be removed. */
export interface DeletedPageDocument {
  /** the page's */
  id: string;
  organization_id: string;
  /** position of its deletion, or of the last subscription added after the deletion */
  changed_position: number;
}

/** When confirmations were last requested from an address, for any page: newest last. */
export interface ConfirmationRequestsDocument {
  /** fingerprint of the address */
  id: string;
  asked: readonly Instant[];
}

/** The number of confirmations requested by SMS on a UTC day. */
export interface SmsConfirmationCountDocument {
  /** `sms/2026-11-22` */
  id: string;
  count: number;
}
