import { CHANNEL_TYPES, type ChannelField } from '../../api/channel-types.ts';
import type { Schemas } from '../../api/openapi.d.ts';
import type { RequestOf } from '../../api/request.ts';
import type { Pair } from '../../parts/form/pairs-field.tsx';

export type Channel = Schemas['AlertChannel'];
export type ChannelType = Channel['type'];
/** The configuration fields of all channel types. */
export type FieldName = (typeof CHANNEL_TYPES)[keyof typeof CHANNEL_TYPES][number]['name'];

/** The channel types in display order. */
export const TYPES = Object.keys(CHANNEL_TYPES) as ChannelType[];

/** Returns the fields of a channel type. */
export const fieldsOf = (type: ChannelType): readonly (ChannelField & { name: FieldName })[] => CHANNEL_TYPES[type];

/** The value of a field: a text, a list or pairs; null: empty. */
export type FieldValue = string | readonly string[] | readonly Pair[] | null;

/**
 * The values of the channel form. They include the fields of all channel types, so that the user can switch types
 * without losing input.
 */
export interface ChannelValues extends Readonly<Record<FieldName, FieldValue>> {
  name: string;
  type: ChannelType;
  enabled: boolean;
}

const usualOf = ({ kind, usual, options, isRequired }: ChannelField): FieldValue => {
  if (kind === 'list' || kind === 'pairs') return [];
  return usual ?? (kind === 'choice' && isRequired ? (options.at(-1) ?? '') : '');
};

/** Returns the initial values of a new channel. */
export const newChannel = (type: ChannelType): ChannelValues => {
  const fields = Object.values(CHANNEL_TYPES).flat();
  const usual = Object.fromEntries(fields.map((field) => [field.name, usualOf(field)])) as Record<
    FieldName,
    FieldValue
  >;
  return { ...usual, name: '', type, enabled: true };
};

const typedOf = (field: ChannelField, shown: unknown): FieldValue => {
  if (field.kind === 'pairs') {
    return Object.entries((shown ?? {}) as Record<string, string>).map(([name, value]) => ({ name, value }));
  }
  // The API returns a mask instead of a secret. Sending the mask back leaves the stored secret unchanged.
  return (shown ?? usualOf(field)) as FieldValue;
};

/** Returns the form values of an existing channel. */
export const valuesOfChannel = ({ name, type, enabled, configuration }: Channel): ChannelValues => {
  const shown = configuration as Readonly<Record<string, unknown>>;
  const typed = fieldsOf(type).map((field) => [field.name, typedOf(field, shown[field.name])] as const);
  return { ...newChannel(type), ...Object.fromEntries(typed), name, type, enabled };
};

const sentOf = (field: ChannelField, value: FieldValue): unknown => {
  if (field.kind === 'pairs') {
    const pairs = (value as readonly Pair[]).filter((pair) => pair.name.trim() !== '' || pair.value !== '');
    return Object.fromEntries(pairs.map((pair) => [pair.name.trim(), pair.value]));
  }
  if (field.kind === 'list') return value;
  const text = (value as string | null) ?? '';
  // Required values are sent even if empty, so that the API returns its error message.
  return text === '' && !field.isRequired ? null : text;
};

/** Returns the configuration to save or test. */
export const configurationOf = (values: ChannelValues): Record<string, unknown> =>
  Object.fromEntries(fieldsOf(values.type).map((field) => [field.name, sentOf(field, values[field.name])]));

/** Returns the request body for saving a channel. */
export const bodyOf = (values: ChannelValues): RequestOf<'POST /v1/alerts/channels'>['body'] => ({
  name: values.name.trim(),
  type: values.type,
  enabled: values.enabled,
  configuration: configurationOf(values),
});

/** Returns the destination of a channel in one line. Parts that the user is not allowed to see are masked. */
export const targetOf = ({ type, configuration }: Pick<Channel, 'type' | 'configuration'>): string => {
  const shown = configuration as Record<string, unknown>;
  const text = (name: FieldName): string => (typeof shown[name] === 'string' ? shown[name] : '');
  switch (type) {
    case 'email':
      return (shown['recipients'] as readonly string[]).join(', ');
    case 'webhook':
      return `${text('method')} ${text('url')}`;
    case 'telegram':
    case 'max':
      return text('chat_id');
    case 'slack':
      return text('webhook_url');
    case 'ntfy':
      return `${text('server_url')}/${text('topic')}`;
    default:
      return '';
  }
};
