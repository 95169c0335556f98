import { Type, type Static, type TSchema } from '@sinclair/typebox';
import { InstantSchema, type EventDefinitions, type EventsOf } from '../event.ts';
import { Sealed } from '../sealed.ts';

/** How a subscriber is reached (spec.md: Subscriber, mode). */
export const SUBSCRIBER_MODES = ['email', 'sms', 'webhook'] as const;
export type SubscriberMode = (typeof SUBSCRIBER_MODES)[number];

/** The field of the interface that shows an address. */
export const ADDRESS_FIELDS = { email: 'email', sms: 'phone_number', webhook: 'endpoint' } as const satisfies Record<
  SubscriberMode,
  string
>;

const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** What a subscription is about; null: everything on the page. */
const narrowing = { component_ids: orNull(Type.Array(Type.String())), incident_id: orNull(Type.String()) };
const Narrowing = Type.Object(narrowing);
export type Narrowing = Static<typeof Narrowing>;

/** What an editor can change. */
const Changeable = Type.Partial(
  Type.Object({ component_ids: narrowing.component_ids, deliver_notifications: Type.Boolean() }),
);

/** Which subscription of which page: an address that subscribes again after it was removed has the next number. */
const Which = {
  subscriber_id: Type.String(),
  page_id: Type.String(),
  number: Type.Integer({ minimum: 1 }),
};

/** A request to confirm, which goes to the address itself. */
const Asking = {
  /** whether a confirmation message is sent for this event, or a webhook is asked to prove itself */
  asks: Type.Boolean(),
  /** fingerprint of the address, whatever the page: by it messages to unconfirmed addresses are counted */
  address_key: Type.String(),
};

/** The keys of a removed subscription that are forgotten: from this number on, up to its own. */
const Forgotten = { keys_from: Type.Integer({ minimum: 1 }) };

/** Why a subscription was removed without anybody's request. */
export const PURGE_REASONS = ['unconfirmed', 'quarantined', 'incident_ended', 'page_deleted'] as const;
export type PurgeReason = (typeof PURGE_REASONS)[number];

/** Events of an address that subscribes to a page; all that tells the address is sealed under `subscriber-{id}-{number}`. */
export const subscriberEvents = {
  SubscriberAdded: {
    version: 1,
    data: Type.Object({
      ...Which,
      mode: Type.Union(SUBSCRIBER_MODES.map((mode) => Type.Literal(mode))),
      /** an e-mail address, a number in E.164, a URL */
      address: Sealed,
      /** whom to write to about a webhook */
      contact_email: orNull(Sealed),
      /** ISO 3166-1 alpha-2 */
      phone_country: orNull(Type.String()),
      /** of a webhook: what its messages are signed with */
      secret: orNull(Sealed),
      /** fingerprint of what shares a limit with others */
      target: Type.String(),
      ...narrowing,
      ...Asking,
      deliver_notifications: Type.Boolean(),
      /** somebody with a key added it */
      added_with_key: Type.Boolean(),
      skip_confirmation_notification: Type.Boolean(),
      /** it needs no confirmation */
      verified: Type.Boolean(),
      /** when it is removed unless it is confirmed; null: never */
      purge_at: orNull(InstantSchema),
      added_at: InstantSchema,
    }),
  },
  /** it subscribed again before it was confirmed, while in quarantine, or to something else */
  SubscriberConfirmationRequested: {
    version: 1,
    data: Type.Object({
      ...Which,
      mode: Type.Union(SUBSCRIBER_MODES.map((mode) => Type.Literal(mode))),
      ...Asking,
      /** what the subscription is about once it is confirmed */
      wanted: Narrowing,
      /** of a webhook: its new secret */
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
  /** by the receiver; the address stays known */
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
  /** from quarantine */
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
      /** until when messages are signed with the former secret, too */
      former_until: InstantSchema,
      rotated_at: InstantSchema,
    }),
  },
  /** a webhook did not prove that it wants messages */
  SubscriberChallengeFailed: {
    version: 1,
    data: Type.Object({
      ...Which,
      /** how many challenges have failed, from 1 */
      attempt: Type.Integer({ minimum: 1 }),
      /** a sentence */
      reason: Type.String(),
      failed_at: InstantSchema,
    }),
  },
} as const satisfies EventDefinitions;

export type SubscriberEvent = EventsOf<typeof subscriberEvents>;
