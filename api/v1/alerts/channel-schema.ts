import { Type } from '@sinclair/typebox';
import { CHANNEL_METHODS, CHANNEL_TYPES } from '../../../domain/alert-channel/configuration.ts';
import { MOST_RECIPIENTS } from '../../../domain/alert-channel/recipients.ts';
import { MASK } from '../../../domain/check/mask.ts';
import type { Fields } from '../../../domain/fields.ts';
import { COMPONENT_STATUSES } from '../../../domain/page/component-status.ts';
import { presenting } from '../../present.ts';
import { choice, defaulting, Id, InstantOut, named, nullable, partial, text } from '../../schema.ts';

const masked = `${MASK} in answers; sent back like that, it stays`;
const bot = { bot_token: Type.String({ description: masked }), chat_id: Type.String() };

/** The configuration of a channel in answers, by its type. */
const Configuration = Type.Unsafe<Fields>(
  Type.Union([
    Type.Object(
      {
        recipients: Type.Array(Type.String({ examples: ['i***@example.com'] }), {
          maxItems: MOST_RECIPIENTS,
          description: 'masked for viewers; masked ones that are sent back stay',
        }),
      },
      { description: 'email: each recipient gets messages of its own' },
    ),
    Type.Object(
      {
        url: Type.String({
          description:
            'may have places where there is a `body_template`; viewers see `https://hooks.example.com/***`, which stays if it is sent back',
        }),
        method: choice(CHANNEL_METHODS),
        headers: Type.Record(Type.String(), Type.String(), { description: `${MASK} to viewers` }),
        body_template: nullable(
          Type.String({
            description: `the body with places such as {{alert.title}}; null: { event, alert, rule, check, result, organization }; ${MASK} to viewers`,
          }),
        ),
        secret: nullable(Type.String({ description: `whsec_…, which signs requests (Standard Webhooks); ${masked}` })),
      },
      { description: 'webhook' },
    ),
    Type.Object(bot, { description: 'telegram, max' }),
    Type.Object(
      { page_id: Id, component_id: Id, component_status: choice(COMPONENT_STATUSES) },
      { description: 'statuspage: the component has this status while the alert is active' },
    ),
  ]),
);

/** A configuration in a request: what it must have follows from the type (domain/alert-channel/input.ts). */
const AnyConfiguration = Type.Record(Type.String(), Type.Unknown(), {
  description:
    'email: { recipients }; webhook: { url, method, headers, body_template, secret }; telegram and max: { bot_token, chat_id }; statuspage: { page_id, component_id, component_status }',
});

const fields = {
  name: text(100, { min: 1 }),
  type: choice(CHANNEL_TYPES),
  configuration: AnyConfiguration,
  enabled: Type.Boolean({ description: 'whether it is told of alerts' }),
};

export const CHANNEL_DEFAULTS = { enabled: true };

export const NewChannel = Type.Object({
  ...defaulting(fields, CHANNEL_DEFAULTS),
  name: fields.name,
  type: fields.type,
  configuration: fields.configuration,
});

/** `type` may be sent, but never changes; a configuration replaces the one before it whole. */
export const ChannelChange = partial(Type.Object(fields));

/** A channel as it is read, by itself and in the rules that name it (decisions.md: Alerts). */
export const Channel = named(
  'AlertChannel',
  Type.Object({
    id: Id,
    name: fields.name,
    type: fields.type,
    configuration: Configuration,
    enabled: fields.enabled,
    last_used_at: nullable(InstantOut),
    created_at: InstantOut,
    updated_at: InstantOut,
  }),
);
export const presentChannel = presenting(Channel);

export const ChannelTest = Type.Object({
  type: fields.type,
  configuration: fields.configuration,
  channel_id: Type.Optional(
    nullable({ ...Id, description: 'the channel whose stored texts stand behind those that are sent masked' }),
  ),
});

export const ChannelTestOutcome = named(
  'AlertChannelTest',
  Type.Object({
    success: Type.Boolean(),
    status_code: nullable(Type.Integer()),
    response_time: nullable(Type.Integer({ description: 'whole milliseconds' })),
    error_message: nullable(Type.String()),
    tested_at: InstantOut,
  }),
);
