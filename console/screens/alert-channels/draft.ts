import { CHANNEL_TYPES, type ChannelField } from '../../api/channel-types.ts';
import type { Schemas } from '../../api/openapi.d.ts';
import type { RequestOf } from '../../api/request.ts';
import type { Pair } from '../../parts/form/pairs-field.tsx';

export type Channel = Schemas['AlertChannel'];
export type ChannelType = Channel['type'];
/** Every field that some type has. */
export type FieldName = (typeof CHANNEL_TYPES)[keyof typeof CHANNEL_TYPES][number]['name'];

/** The types in the order in which they are offered. */
export const TYPES = Object.keys(CHANNEL_TYPES) as ChannelType[];

/** The fields of a type. */
export const fieldsOf = (type: ChannelType): readonly (ChannelField & { name: FieldName })[] => CHANNEL_TYPES[type];

/** What a field holds: a text, a list or names with values; null: nothing. */
export type FieldValue = string | readonly string[] | readonly Pair[] | null;

/** What is typed into the form of a channel; what fields of other types hold stays while one tries them. */
export interface ChannelValues extends Readonly<Record<FieldName, FieldValue>> {
  name: string;
  type: ChannelType;
  enabled: boolean;
}

const usualOf = ({ kind, usual, options, isRequired }: ChannelField): FieldValue => {
  if (kind === 'list' || kind === 'pairs') return [];
  return usual ?? (kind === 'choice' && isRequired ? (options.at(-1) ?? '') : '');
};

/** What a new channel begins with. */
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
  // A secret is shown masked; as long as it stays so, the stored one stays.
  return (shown ?? usualOf(field)) as FieldValue;
};

/** What is typed into the form of a channel that there is. */
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
  // What is required is sent as it is, so that the API says what it must be.
  return text === '' && !field.isRequired ? null : text;
};

/** The configuration that is saved or tested. */
export const configurationOf = (values: ChannelValues): Record<string, unknown> =>
  Object.fromEntries(fieldsOf(values.type).map((field) => [field.name, sentOf(field, values[field.name])]));

/** The body that saves a channel. */
export const bodyOf = (values: ChannelValues): RequestOf<'POST /v1/alerts/channels'>['body'] => ({
  name: values.name.trim(),
  type: values.type,
  enabled: values.enabled,
  configuration: configurationOf(values),
});

/** Where a channel leads, in a line, as far as the reader may see it. */
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
