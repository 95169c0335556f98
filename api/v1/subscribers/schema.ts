import { Type, type Static } from '@sinclair/typebox';
import { SUBSCRIBER_MODES } from '../../../domain/subscriber/events.ts';
import { choice, Id, InstantOut, named, nullable, partial } from '../../schema.ts';

/** Longer than any text that the rules of addresses let pass. */
export const MAX_ADDRESS = 1_000;
export const MAX_URL = 2_048;
export const MAX_PHONE = 100;
/** A page that has more components is not narrowed by naming them. */
export const MAX_COMPONENTS = 1_000;

const orNull = { type: ['string', 'null'] as const };
const optionalText = (maxLength: number, description: string) =>
  Type.Optional(Type.Unsafe<string | null>({ ...orNull, maxLength, description }));

const componentIds = {
  ...nullable(Type.Array(Id, { maxItems: MAX_COMPONENTS })),
  description: 'only what happens to these components, or to those of these groups; null, or none: to any',
};

export const STATUSES = ['pending', 'active', 'quarantined', 'unsubscribed'] as const;

export const NewSubscriber = Type.Object({
  mode: choice(SUBSCRIBER_MODES),
  email: optionalText(MAX_ADDRESS, 'mode email: required; mode webhook: whom to write to about it'),
  phone_number: optionalText(MAX_PHONE, 'mode sms: required'),
  phone_country: optionalText(MAX_PHONE, 'mode sms: required, ISO 3166-1 alpha-2'),
  endpoint: optionalText(MAX_URL, 'mode webhook: required'),
  component_ids: Type.Optional(componentIds),
  incident_id: Type.Optional({ ...nullable(Id), description: 'only this incident, until a week after its end' }),
  skip_confirmation_notification: Type.Optional(
    Type.Boolean({ description: 'e-mail and SMS count unconfirmed; only with the key of an editor' }),
  ),
  deliver_notifications: Type.Optional(
    Type.Boolean({ default: true, description: 'false: nothing is sent; only with the key of an editor' }),
  ),
});
export type NewSubscriber = Static<typeof NewSubscriber>;

export const SubscriberChange = partial(
  Type.Object({
    component_ids: componentIds,
    deliver_notifications: Type.Boolean({
      description:
        'true also ends a quarantine, unless the whole subscriber is sent back as it is, with `quarantined_at`',
    }),
    quarantined_at: Type.Unknown({ description: 'read only; see `deliver_notifications`' }),
  }),
);

const text = nullable(Type.String());
const fields = {
  id: Id,
  page_id: Id,
  mode: choice(SUBSCRIBER_MODES),
  email: nullable(Type.String({ description: 'masked', examples: ['i***@example.com'] })),
  phone_number: nullable(Type.String({ description: 'masked', examples: ['+7******1234'] })),
  display_phone_number: text,
  phone_country: text,
  endpoint: nullable(Type.String({ description: 'with its path only for editors' })),
  obfuscated_channel_name: text,
  workspace_name: text,
  page_access_user_id: text,
  component_ids: nullable(Type.Array(Id)),
  incident_id: nullable(Id),
  deliver_notifications: Type.Boolean(),
  display_at: nullable(InstantOut),
  has_pending_verification: Type.Boolean(),
  is_verified: Type.Boolean(),
  skip_confirmation_notification: Type.Boolean(),
  purge_at: nullable({
    ...InstantOut,
    description:
      'when it is removed: seven days after it was asked to confirm, or after the end of its incident; 90 days after it went into quarantine',
  }),
  quarantined_at: nullable(InstantOut),
  created_at: InstantOut,
  updated_at: InstantOut,
};

export const Subscriber = named('Subscriber', Type.Object(fields));
export type Subscriber = Static<typeof Subscriber>;

const secret = Type.String({
  description: 'what messages to a webhook are signed with (Standard Webhooks); shown once',
  examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
});

/** A subscriber with what is shown once: the new secret of a webhook. */
export const SubscriberWithSecret = Type.Object({ ...fields, secret: Type.Optional(secret) });
export type SubscriberWithSecret = Static<typeof SubscriberWithSecret>;
