import { receiverIdOf } from '../../domain/alert-channel/receiver.ts';
import type { ChannelTextPlace, ChannelTypeName, Configuration } from '../../domain/alert-channel/configuration.ts';
import { MASKED_TEXT } from '../../domain/masking.ts';
import { isFields, type Fields } from '../../domain/fields.ts';
import type { ChannelReceiver, ChannelType, SealedField } from './channel-type.ts';
import { CHANNEL_TYPES, channelTypeOf } from './index.ts';

/** Error messages by field. */
export type ConfigurationErrors = Record<string, string[]>;

export type ReadConfiguration = { configuration: Configuration } | { problems: ConfigurationErrors };

/**
 * Parses a configuration from a request and adds defaults. A masked text means the stored text. Does not run the
 * notifiers' further checks.
 *
 * @param previous the stored configuration, decrypted; null: none
 * @returns or error messages by field: `configuration.url`
 */
export const readConfiguration = (
  typeName: ChannelTypeName,
  given: unknown,
  previous: Fields | null,
): ReadConfiguration => {
  const type = channelTypeOf(typeName);
  if (!type) return { problems: { type: [`This release does not know channels of the type ${typeName}.`] } };
  if (!isFields(given)) return { problems: { configuration: ['Must be an object.'] } };
  const problems: ConfigurationErrors = {};
  const configuration = type.read(given, previous, (field, sentence) => {
    problems[`configuration.${field}`] ??= [sentence];
  });
  return Object.keys(problems).length > 0 ? { problems } : { configuration };
};

/** A receiver with the id that its deliveries use. */
export interface IdentifiedReceiver extends ChannelReceiver {
  /** `{channel_id}`, or `{channel_id}/{n}` for the nth of several, from 1 */
  id: string;
  /** the target of the rate limit ({@link ChannelType.rateLimitTarget}) */
  target: string;
}

/**
 * The receivers of a channel; empty if its type is unknown or sends no messages.
 *
 * @param opened its configuration, decrypted
 */
export const receiversOf = (
  channel: { id: string; type: ChannelTypeName },
  opened: Configuration,
): IdentifiedReceiver[] => {
  const type = channelTypeOf(channel.type);
  if (!type) return [];
  return type.receivers(opened, channel.id).map((receiver, index) => ({
    ...receiver,
    id: receiverIdOf(channel.id, type.isNumbered ? index : null),
    target: type.rateLimitTarget(receiver.settings),
  }));
};

/** The content of a notifier's messages. */
export const messageFormOf = (notifier: string): ChannelType['messageForm'] =>
  channelTypeOf(notifier)?.messageForm ?? 'text';

/** For each field name, how the types that have it show it. */
const BY_FIELD = new Map<string, SealedField[]>();
for (const { sealed } of CHANNEL_TYPES) {
  for (const [field, how] of Object.entries(sealed)) BY_FIELD.set(field, [...(BY_FIELD.get(field) ?? []), how]);
}

const fieldsOf = (type: ChannelTypeName | null, field: string): readonly SealedField[] => {
  if (type === null) return BY_FIELD.get(field) ?? [];
  const own = channelTypeOf(type)?.sealed[field];
  return own ? [own] : [];
};

/**
 * Formats a channel's decrypted text for a reader. Masks it if only another release knows the type.
 *
 * @param type null: any type that has the field; if those differ, the text is masked
 * @param reveal whether the reader may change channels
 */
export const shownChannelText = (
  text: string,
  { field }: ChannelTextPlace,
  type: ChannelTypeName | null,
  reveal: boolean,
): string => {
  const [first = MASKED_TEXT, ...others] = fieldsOf(type, field).map((how) => how.format(text, reveal));
  return others.every((other) => other === first) ? first : MASKED_TEXT;
};

/** Whether the API shows that a text can't be decrypted any more. */
export const isRecognizable = ({ field }: ChannelTextPlace, type: ChannelTypeName | null): boolean => {
  const all = fieldsOf(type, field);
  return all.length > 0 && all.every(({ recognizable }) => recognizable);
};
