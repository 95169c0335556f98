import { Type, type Static } from '@sinclair/typebox';
import { SUBSCRIBER_MODES } from '../../../domain/subscriber/events.ts';
import { choice, Id, InstantOut, namedSchema, nullable, partial } from '../../schema.ts';

/** Longer than any valid address. */
export const MAX_ADDRESS = 1_000;
export const MAX_URL = 2_048;
export const MAX_PHONE = 100;
/** Maximum number of components of a subscription. */
export const MAX_COMPONENTS = 1_000;

const orNull = { type: ['string', 'null'] as const };
const optionalText = (maxLength: number, description: string) =>
  Type.Optional(Type.Unsafe<string | null>({ ...orNull, maxLength, description }));

const componentIds = {
  ...nullable(Type.Array(Id, { maxItems: MAX_COMPONENTS })),
  description: 'Only notifications about these components, or those in these groups. Null or empty for all.',
};

export const SUBSCRIBER_STATUSES = ['pending', 'active', 'quarantined', 'unsubscribed'] as const;

export const NewSubscriber = Type.Object({
  mode: choice(SUBSCRIBER_MODES),
  email: optionalText(MAX_ADDRESS, 'Required for mode `email`. For mode `webhook`: a contact address.'),
  phone_number: optionalText(MAX_PHONE, 'Required for mode `sms`.'),
  phone_country: optionalText(MAX_PHONE, 'Required for mode `sms`: an ISO 3166-1 alpha-2 code.'),
  endpoint: optionalText(MAX_URL, 'Required for mode `webhook`.'),
  component_ids: Type.Optional(componentIds),
  incident_id: Type.Optional({
    ...nullable(Id),
    description: 'Only notifications about this incident, until a week after its end.',
  }),
  skip_confirmation_notification: Type.Optional(
    Type.Boolean({
      description: 'If true, e-mail and SMS subscriptions need no confirmation. Only with the key of an editor.',
    }),
  ),
  deliver_notifications: Type.Optional(
    Type.Boolean({ default: true, description: 'If false, nothing is sent. False needs the key of an editor.' }),
  ),
});
export type NewSubscriber = Static<typeof NewSubscriber>;

export const SubscriberChange = partial(
  Type.Object({
    component_ids: componentIds,
    deliver_notifications: Type.Boolean({
      description:
        'True also ends a quarantine, unless the whole subscriber is sent back unchanged, with `quarantined_at`.',
    }),
    quarantined_at: Type.Unknown({ description: 'Read-only; see `deliver_notifications`.' }),
  }),
);

const text = nullable(Type.String());
const fields = {
  id: Id,
  page_id: Id,
  mode: choice(SUBSCRIBER_MODES),
  email: nullable(Type.String({ description: 'Masked.', examples: ['i***@example.com'] })),
  phone_number: nullable(Type.String({ description: 'Masked.', examples: ['+7******1234'] })),
  display_phone_number: text,
  phone_country: text,
  endpoint: nullable(Type.String({ description: 'Editors and admins see the whole URL, others no path.' })),
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
      'When the subscriber is removed: seven days after the confirmation request or after the end of its incident, 90 ' +
      'days after the start of a quarantine.',
  }),
  quarantined_at: nullable(InstantOut),
  created_at: InstantOut,
  updated_at: InstantOut,
};

export const Subscriber = namedSchema('Subscriber', Type.Object(fields));
export type Subscriber = Static<typeof Subscriber>;

const secret = Type.String({
  description: 'The secret that signs messages to the webhook (Standard Webhooks). Shown once.',
  examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
});

/** A subscriber, and the secret of a webhook. The secret is present only in the response to its creation. */
export const SubscriberWithSecret = Type.Object({ ...fields, secret: Type.Optional(secret) });
export type SubscriberWithSecret = Static<typeof SubscriberWithSecret>;
