import { Type } from '@sinclair/typebox';
import type { Fields } from '../../../../domain/fields.ts';
import { CHANNEL_TYPE_NAMES, CHANNEL_TYPES } from '../../../../notifiers/channels/index.ts';
import { createPresenter } from '../../../presenter.ts';
import {
  choice,
  withDefaults,
  Id,
  InstantOut,
  ManagedBy,
  namedSchema,
  nullable,
  partial,
  Revision,
  text,
} from '../../../schema.ts';

/** The configuration of a channel in responses. Types with the same fields share a schema. */
const Configuration = Type.Unsafe<Fields>(
  Type.Union([...new Set(CHANNEL_TYPES.map(({ configuration }) => configuration))]),
);

/** A configuration in a request. Each channel type validates it in its own way (notifiers/channels/channel-type.ts). */
const AnyConfiguration = Type.Record(Type.String(), Type.Unknown(), {
  description: CHANNEL_TYPES.map(
    ({ name, configuration }) => `${name}: { ${Object.keys(configuration.properties).join(', ')} }`,
  ).join('; '),
});

const fields = {
  name: text(100, { min: 1 }),
  type: choice(CHANNEL_TYPE_NAMES),
  configuration: AnyConfiguration,
  enabled: Type.Boolean({ description: 'Whether the channel is notified of alerts.' }),
  managed_by: ManagedBy,
};

export const CHANNEL_DEFAULTS = { enabled: true };

export const NewAlertChannelBody = Type.Object({
  ...withDefaults(fields, CHANNEL_DEFAULTS),
  name: fields.name,
  type: fields.type,
  configuration: fields.configuration,
});

/** Clients are allowed to send `type`, but cannot change it. A configuration replaces the previous one as a whole. */
export const AlertChannelChangeBody = partial(Type.Object(fields));

/** A channel in responses, also inside the rules that use it (docs/reference/alert-channels.md#channel-fields). */
export const AlertChannelSchema = namedSchema(
  'AlertChannel',
  Type.Object({
    id: Id,
    name: fields.name,
    type: fields.type,
    configuration: Configuration,
    enabled: fields.enabled,
    last_used_at: nullable(InstantOut),
    managed_by: fields.managed_by,
    revision: Revision,
    created_at: InstantOut,
    updated_at: InstantOut,
  }),
);
export const presentAlertChannel = createPresenter(AlertChannelSchema);

export const ChannelTest = Type.Object({
  type: fields.type,
  configuration: fields.configuration,
  channel_id: Type.Optional(
    nullable({ ...Id, description: 'The stored channel that supplies the values which the test sends masked.' }),
  ),
});

export const ChannelTestOutcome = namedSchema(
  'AlertChannelTest',
  Type.Object({
    success: Type.Boolean(),
    status_code: nullable(Type.Integer()),
    response_time: nullable(Type.Integer({ description: 'In whole milliseconds.' })),
    error_message: nullable(Type.String()),
    tested_at: InstantOut,
  }),
);
