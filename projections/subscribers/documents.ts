import type { SubscriberMode } from '../../domain/subscriber/events.ts';
import type { Sealed } from '../../domain/sealed.ts';
import type { Instant } from '../../domain/time.ts';

/** A subscription to a page. Deleted and purged subscriptions are removed. */
export interface SubscriberDocument {
  id: string;
  organization_id: string;
  page_id: string;
  /** Number of the subscription among those of the address, starting at 1. Its key is `subscriber-{id}-{number}`. */
  number: number;
  mode: SubscriberMode;
  status: 'pending' | 'active' | 'quarantined' | 'unsubscribed';
  /** An e-mail address, a number in E.164, or a URL. Encrypted for the field `address`. */
  address: Sealed;
  /** E-mail address of a webhook's owner. Encrypted for the field `contact_email`. */
  contact_email: Sealed | null;
  phone_country: string | null;
  /** Secret of a webhook. Encrypted for the field `secret`. */
  secret: Sealed | null;
  /** The secret before the most recent rotation. Until the time `until`, messages are also signed with this secret. */
  former_secret: { secret: Sealed; until: Instant } | null;
  component_ids: readonly string[] | null;
  incident_id: string | null;
  deliver_notifications: boolean;
  added_with_key: boolean;
  skip_confirmation_notification: boolean;
  /** Whether the subscription is confirmed, is not in quarantine, and wants messages. */
  receives: boolean;
  /** Position in `main` of the event that first confirmed this subscription. Null before that. */
  verified_position: number | null;
  verified_at: Instant | null;
  /** Most recent time at which a confirmation was requested, even if no message was sent. Null for never. */
  requested_at: Instant | null;
  /** Whether the most recent request is not confirmed. In an active subscription, this is a request for a change. */
  awaits_confirmation: boolean;
  /** Number of failed challenges of a webhook since `requested_at`. */
  failed_challenges: number;
  purge_at: Instant | null;
  quarantined_at: Instant | null;
  /** Fingerprint of the target. Subscriptions with the same target share a rate limit. */
  target: string;
  /** Time since which the address has been known without interruption by a deletion or purge. */
  known_since: Instant;
  created_at: Instant;
  updated_at: Instant;
  /** Position of the newest event that changed the subscription. */
  changed_position: number;
  /** Sort key of the list, which is ordered by creation. */
  place: string;
  /** Whether lists show the subscription, because the subscriber has not unsubscribed. */
  listed: boolean;
  /** Whether the subscription has `component_ids`. */
  narrowed: boolean;
}

/** A deleted page whose subscribers are to be removed. */
export interface DeletedPageDocument {
  /** Id of the page. */
  id: string;
  organization_id: string;
  /** Position of the deletion, or of the newest subscription that was added after the deletion. */
  changed_position: number;
}

/** The times at which confirmations were requested from an address, for all pages, newest last. */
export interface ConfirmationRequestsDocument {
  /** fingerprint of the address */
  id: string;
  asked: readonly Instant[];
}

/** The number of confirmations requested by SMS on a UTC day. */
export interface SmsConfirmationCountDocument {
  /** Id such as `sms/2026-11-22`. */
  id: string;
  count: number;
}
