import { receiverIdOf } from '../../domain/alert-channel/receiver.ts';
import type { ChannelTextPlace, ChannelTypeName, Configuration } from '../../domain/alert-channel/configuration.ts';
import { MASK } from '../../domain/check/mask.ts';
import { isFields, type Fields } from '../../domain/fields.ts';
import type { ChannelReceiver, ChannelType, SealedField } from './channel-type.ts';
import { CHANNEL_TYPES, channelTypeOf } from './index.ts';

/** Sentences by field. */
export type Problems = Record<string, string[]>;

export type ReadConfiguration = { configuration: Configuration } | { problems: Problems };

/**
 * A configuration as a caller sends it, completed by defaults. A text that is sent masked stands for the one that is
 * stored; what notifiers ask for beyond its form is not judged here.
 *
 * @param previous the stored one with its texts open; null: there is none
 * @returns or what is wrong with it, by field: `configuration.url`
 */
export const readConfiguration = (
  typeName: ChannelTypeName,
  given: unknown,
  previous: Fields | null,
): ReadConfiguration => {
  const type = channelTypeOf(typeName);
  if (!type) return { problems: { type: [`This release does not know channels of the type ${typeName}.`] } };
  if (!isFields(given)) return { problems: { configuration: ['Must be an object.'] } };
  const problems: Problems = {};
  const configuration = type.read(given, previous, (field, sentence) => {
    problems[`configuration.${field}`] ??= [sentence];
  });
  return Object.keys(problems).length > 0 ? { problems } : { configuration };
};

/** A receiver of a channel, by the id that its deliveries name. */
export interface IdentifiedReceiver extends ChannelReceiver {
  /** `{channel_id}`, or `{channel_id}/{n}` for the nth of several, from 1 */
  id: string;
  /** what shares a limit ({@link ChannelType.limitedBy}) */
  target: string;
}

/**
 * Who gets the messages of a channel: nobody where its type is unknown, or sends none.
 *
 * @param opened its configuration with its texts open
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
    target: type.limitedBy(receiver.settings),
  }));
};

/** What messages of a notifier are made of. */
export const formOf = (notifier: string): ChannelType['form'] => channelTypeOf(notifier)?.form ?? 'text';

/** How a field is shown by the types that have it. */
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
 * An open text of a channel as a reader sees it: masked where its type is one that only another release knows.
 *
 * @param type null: any that has such a field; if these do not show it alike, it is masked
 * @param reveal the reader may change channels
 */
export const shownChannelText = (
  text: string,
  { field }: ChannelTextPlace,
  type: ChannelTypeName | null,
  reveal: boolean,
): string => {
  const [first = MASK, ...others] = fieldsOf(type, field).map((how) => how.shown(text, reveal));
  return others.every((other) => other === first) ? first : MASK;
};

/** Whether it is shown that a text can't be read any more. */
export const isRecognizable = ({ field }: ChannelTextPlace, type: ChannelTypeName | null): boolean => {
  const all = fieldsOf(type, field);
  return all.length > 0 && all.every(({ recognizable }) => recognizable);
};
