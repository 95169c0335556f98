import { Type, type Static, type TSchema } from '@sinclair/typebox';
import { InstantSchema, type EventDefinitions, type EventsOf } from '../event.ts';
import { Sealed } from '../sealed.ts';

/** How a subscriber is reached (docs/reference/subscribers.md#fields). */
export const SUBSCRIBER_MODES = ['email', 'sms', 'webhook'] as const;
export type SubscriberMode = (typeof SUBSCRIBER_MODES)[number];

/** The name of the API field that contains the address, by mode. */
export const ADDRESS_FIELDS = { email: 'email', sms: 'phone_number', webhook: 'endpoint' } as const satisfies Record<
  SubscriberMode,
  string
>;

const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** The filter of a subscription. If both fields are null, the subscriber gets messages about everything on the page. */
const narrowing = { component_ids: orNull(Type.Array(Type.String())), incident_id: orNull(Type.String()) };
const Narrowing = Type.Object(narrowing);
export type Narrowing = Static<typeof Narrowing>;

/** The fields of a subscription that editors can change. */
const Changeable = Type.Partial(
  Type.Object({ component_ids: narrowing.component_ids, deliver_notifications: Type.Boolean() }),
);

/** Identifies a subscription. If an address subscribes again after it was removed, `number` increases by one. */
const Which = {
  subscriber_id: Type.String(),
  page_id: Type.String(),
  number: Type.Integer({ minimum: 1 }),
};

/** Data about a confirmation request to the address. */
const ConfirmationRequest = {
  /** whether this event causes a confirmation message or, for a webhook, a challenge */
  asks: Type.Boolean(),
  /**
   * fingerprint of the address; the same on all pages, so that the limit of confirmation messages applies over all
   * pages
   */
  address_key: Type.String(),
};

/**
 * The keys that must be deleted after the removal of a subscription: those with the numbers from `keys_from` to the
 * number of the subscription.
 */
const Forgotten = { keys_from: Type.Integer({ minimum: 1 }) };

/** The reasons for which a subscription is removed automatically. */
export const PURGE_REASONS = ['unconfirmed', 'quarantined', 'incident_ended', 'page_deleted'] as const;
export type PurgeReason = (typeof PURGE_REASONS)[number];

/** Events of a subscriber of a page. Personal data is sealed under the key `subscriber-{id}-{number}`. */
export const subscriberEvents = {
  SubscriberAdded: {
    version: 1,
    data: Type.Object({
      ...Which,
      mode: Type.Union(SUBSCRIBER_MODES.map((mode) => Type.Literal(mode))),
      /** an e-mail address, a phone number in E.164 format, or a URL */
      address: Sealed,
      /** the e-mail address of a contact person for a webhook; null for other modes */
      contact_email: orNull(Sealed),
      /** country code (ISO 3166-1 alpha-2) */
      phone_country: orNull(Type.String()),
      /** the secret that signs messages to a webhook; null for other modes */
      secret: orNull(Sealed),
      /** fingerprint of the target; receivers with the same target share a rate limit */
      target: Type.String(),
      ...narrowing,
      ...ConfirmationRequest,
      deliver_notifications: Type.Boolean(),
      /** whether the subscription was added with an API key */
      added_with_key: Type.Boolean(),
      skip_confirmation_notification: Type.Boolean(),
      /** whether the subscription needs no confirmation */
      verified: Type.Boolean(),
      /** when the subscription is removed if it has not been confirmed by then; null: never */
      purge_at: orNull(InstantSchema),
      added_at: InstantSchema,
    }),
  },
  /**
   * The address subscribed again: before it confirmed the subscription, during a quarantine, or with another filter.
   */
  SubscriberConfirmationRequested: {
    version: 1,
    data: Type.Object({
      ...Which,
      mode: Type.Union(SUBSCRIBER_MODES.map((mode) => Type.Literal(mode))),
      ...ConfirmationRequest,
      /** the filter of the subscription after the confirmation */
      wanted: Narrowing,
      /** the new secret of a webhook; null for other modes */
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
  /** The receiver ended the subscription. The address remains stored. */
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
      /** a sentence that does not contain the address */
      reason: Type.String(),
      quarantined_at: InstantSchema,
      purge_at: InstantSchema,
    }),
  },
  /** The subscription was released from quarantine. */
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
      /** time until which messages are also signed with the previous secret */
      former_until: InstantSchema,
      rotated_at: InstantSchema,
    }),
  },
  /** A webhook did not repeat its challenge. */
  SubscriberChallengeFailed: {
    version: 1,
    data: Type.Object({
      ...Which,
      /** number of challenges that have failed so far, including this one */
      attempt: Type.Integer({ minimum: 1 }),
      /** a sentence */
      reason: Type.String(),
      failed_at: InstantSchema,
    }),
  },
} as const satisfies EventDefinitions;

export type SubscriberEvent = EventsOf<typeof subscriberEvents>;
