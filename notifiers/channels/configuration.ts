import { receiverIdOf } from '../../domain/alert-channel/receiver.ts';
import type { ChannelTextField, ChannelTypeName, Configuration } from '../../domain/alert-channel/configuration.ts';
import { MASKED_TEXT } from '../../domain/masking.ts';
import { isFields, type Fields } from '../../domain/fields.ts';
import type { ChannelReceiver, ChannelType, SealedField } from './channel-type.ts';
import { CHANNEL_TYPES, channelTypeOf } from './index.ts';

/** Error messages by field. */
export type ConfigurationErrors = Record<string, string[]>;

export type ReadConfiguration = { configuration: Configuration } | { problems: ConfigurationErrors };

/**
 * Parses a configuration from a request and adds defaults. A masked text stands for the stored text. Does not perform
 * the validation of the notifiers.
 *
 * @param previous the stored configuration, decrypted; null: nothing is stored
 * @returns the configuration, or error messages by field (`configuration.url`)
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

/** A receiver of a channel, with the id that its deliveries use. */
export interface IdentifiedReceiver extends ChannelReceiver {
  /** `{channel_id}`; for types with several receivers `{channel_id}/{n}`, where n counts from 1 */
  id: string;
  /** the rate-limit target ({@link ChannelType.rateLimitTarget}) */
  target: string;
}

/**
 * Returns the receivers of a channel. The list is empty if the type of the channel is unknown or sends no messages.
 *
 * @param opened the configuration of the channel, decrypted
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

/** Returns the form of a notifier's messages. */
export const messageFormOf = (notifier: string): ChannelType['messageForm'] =>
  channelTypeOf(notifier)?.messageForm ?? 'text';

/** The sealed fields of all channel types, by field name. */
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
 * Formats a channel's decrypted text for a reader. Masks the text if this release does not know the channel type.
 *
 * @param type null if the type of the channel is unknown; the text is then masked unless all channel types with this
 * field show the text in the same way
 * @param reveal whether the reader is allowed to change channels
 */
export const shownChannelText = (
  text: string,
  { field }: ChannelTextField,
  type: ChannelTypeName | null,
  reveal: boolean,
): string => {
  const [first = MASKED_TEXT, ...others] = fieldsOf(type, field).map((how) => how.format(text, reveal));
  return others.every((other) => other === first) ? first : MASKED_TEXT;
};

/**
 * Returns whether the API shows `[forgotten]` for a text that can no longer be decrypted ({@link
 * SealedField.recognizable}).
 */
export const isRecognizable = ({ field }: ChannelTextField, type: ChannelTypeName | null): boolean => {
  const all = fieldsOf(type, field);
  return all.length > 0 && all.every(({ recognizable }) => recognizable);
};
