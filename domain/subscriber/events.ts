import { Type, type Static, type TSchema } from '@sinclair/typebox';
import { InstantSchema, type EventDefinitions, type EventsOf } from '../event.ts';
import { Sealed } from '../sealed.ts';

/** How a subscriber is reached (docs/reference/subscribers.md#fields). */
export const SUBSCRIBER_MODES = ['email', 'sms', 'webhook'] as const;
export type SubscriberMode = (typeof SUBSCRIBER_MODES)[number];

/** The API field with the address, by mode. */
export const ADDRESS_FIELDS = { email: 'email', sms: 'phone_number', webhook: 'endpoint' } as const satisfies Record<
  SubscriberMode,
  string
>;

const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** The filter of a subscription; null: everything on the page. */
const narrowing = { component_ids: orNull(Type.Array(Type.String())), incident_id: orNull(Type.String()) };
const Narrowing = Type.Object(narrowing);
export type Narrowing = Static<typeof Narrowing>;

/** The fields that editors can change. */
const Changeable = Type.Partial(
  Type.Object({ component_ids: narrowing.component_ids, deliver_notifications: Type.Boolean() }),
);

/** Identifies a subscription. An address that subscribes again after its removal gets the next number. */
const Which = {
  subscriber_id: Type.String(),
  page_id: Type.String(),
  number: Type.Integer({ minimum: 1 }),
};

/** A confirmation request to the address. */
const ConfirmationRequest = {
  /** whether this event triggers a confirmation message, or a challenge for a webhook */
  asks: Type.Boolean(),
  /** fingerprint of the address, the same on all pages, for the limit of confirmation messages per address */
  address_key: Type.String(),
};

/** The keys to delete after a removal: from this number up to the number of the subscription. */
const Forgotten = { keys_from: Type.Integer({ minimum: 1 }) };

/** Why a subscription was removed automatically. */
export const PURGE_REASONS = ['unconfirmed', 'quarantined', 'incident_ended', 'page_deleted'] as const;
export type PurgeReason = (typeof PURGE_REASONS)[number];

/** Events of a subscriber of a page. Personal data is sealed under `subscriber-{id}-{number}`. */
export const subscriberEvents = {
  SubscriberAdded: {
    version: 1,
    data: Type.Object({
      ...Which,
      mode: Type.Union(SUBSCRIBER_MODES.map((mode) => Type.Literal(mode))),
      /** an e-mail address, a number in E.164, a URL */
      address: Sealed,
      /** the contact address for a webhook */
      contact_email: orNull(Sealed),
      /** ISO 3166-1 alpha-2 */
      phone_country: orNull(Type.String()),
      /** for a webhook: the secret that signs its messages */
      secret: orNull(Sealed),
      /** fingerprint of the target that shares a rate limit with other receivers */
      target: Type.String(),
      ...narrowing,
      ...ConfirmationRequest,
      deliver_notifications: Type.Boolean(),
      /** whether it was added with a key */
      added_with_key: Type.Boolean(),
      skip_confirmation_notification: Type.Boolean(),
      /** whether it needs no confirmation */
      verified: Type.Boolean(),
      /** when it is removed unless it is confirmed; null: never */
      purge_at: orNull(InstantSchema),
      added_at: InstantSchema,
    }),
  },
  /** it subscribed again: before its confirmation, while in quarantine, or with another filter */
  SubscriberConfirmationRequested: {
    version: 1,
    data: Type.Object({
      ...Which,
      mode: Type.Union(SUBSCRIBER_MODES.map((mode) => Type.Literal(mode))),
      ...ConfirmationRequest,
      /** the filter of the subscription once it is confirmed */
      wanted: Narrowing,
      /** for a webhook: its new secret */
      secret: orNull(Sealed),
      added_with_key: Type.Boolean(),
      purge_at: orNull(InstantSchema),
      requested_at: InstantSchema,
    }),
  },
  SubscriberVerified: {
    version: 1,
    data: Type.Object({ ...Which, ...narrowing, verified_at: InstantSchema }),
  },
  SubscriberChanged: {
    version: 1,
    data: Type.Object({ ...Which, changes: Changeable, previous: Changeable, changed_at: InstantSchema }),
  },
  /** by the receiver; the address remains stored */
  SubscriberUnsubscribed: {
    version: 1,
    data: Type.Object({ ...Which, unsubscribed_at: InstantSchema }),
  },
  SubscriberDeleted: {
    version: 1,
    data: Type.Object({ ...Which, ...Forgotten, deleted_at: InstantSchema }),
  },
  SubscriberQuarantined: {
    version: 1,
    data: Type.Object({
      ...Which,
      /** a sentence without the address */
      reason: Type.String(),
      quarantined_at: InstantSchema,
      purge_at: InstantSchema,
    }),
  },
  /** released from quarantine */
  SubscriberReleased: {
    version: 1,
    data: Type.Object({ ...Which, released_at: InstantSchema }),
  },
  SubscriberPurged: {
    version: 1,
    data: Type.Object({
      ...Which,
      ...Forgotten,
      reason: Type.Union(PURGE_REASONS.map((reason) => Type.Literal(reason))),
      purged_at: InstantSchema,
    }),
  },
  SubscriberSecretRotated: {
    version: 1,
    data: Type.Object({
      ...Which,
      secret: Sealed,
      /** until when messages are also signed with the previous secret */
      former_until: InstantSchema,
      rotated_at: InstantSchema,
    }),
  },
  /** a webhook did not repeat its challenge */
  SubscriberChallengeFailed: {
    version: 1,
    data: Type.Object({
      ...Which,
      /** number of failed challenges, from 1 */
      attempt: Type.Integer({ minimum: 1 }),
      /** a sentence */
      reason: Type.String(),
      failed_at: InstantSchema,
    }),
  },
} as const satisfies EventDefinitions;

export type SubscriberEvent = EventsOf<typeof subscriberEvents>;
