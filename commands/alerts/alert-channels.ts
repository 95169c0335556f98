import * as decide from '../../domain/alert-channel/alert-channel.ts';
import {
  channelField,
  channelKey,
  openTexts,
  sealTexts,
  type ChannelTypeName,
  type Configuration,
  type StoredConfiguration,
} from '../../domain/alert-channel/configuration.ts';
import { Invalid } from '../../domain/errors.ts';
import type { Fields } from '../../domain/fields.ts';
import type { Sealed } from '../../domain/sealed.ts';
import { readConfiguration, type Problems } from '../../notifiers/channels/configuration.ts';
import { channelTypeOf } from '../../notifiers/channels/index.ts';
import { readableText, type Keys } from '../../stores/keys/port.ts';
import type { CommandContext } from '../engine/context.ts';
import type { CommandDependencies } from '../dependencies.ts';

/** A channel as a caller sends it to be made. */
export interface ChannelInput {
  name: string;
  type: ChannelTypeName;
  configuration: Fields;
  enabled: boolean;
}

/** Makes a channel. @returns its id @throws Invalid */
export const createChannel =
  ({ handle, keys, receivers }: CommandDependencies) =>
  async ({ name, type, configuration, enabled }: ChannelInput, context: CommandContext): Promise<string> => {
    const { organizationId, newId } = context;
    const id = newId();
    await handle(
      id,
      decide.alertChannelDecider,
      async (channel) => {
        const read = usableConfiguration({ receivers })(type, configuration, null);
        const sealed = await sealConfiguration(keys, { id, organizationId, type }, read);
        return decide.createChannel(channel, {
          channel_id: id,
          organization_id: organizationId,
          channel: { name, type, configuration: sealed, enabled },
        });
      },
      context,
    );
    return id;
  };

/** Changes a channel; fields that are absent stay, a configuration is replaced whole. @throws NotFound, Invalid */
export const updateChannel =
  ({ handle, keys, receivers }: CommandDependencies) =>
  async (id: string, changes: Partial<ChannelInput>, context: CommandContext): Promise<void> => {
    const { organizationId } = context;
    const { name, type, configuration: given, enabled } = changes;
    await handle(
      id,
      decide.alertChannelDecider,
      async (channel) => {
        const active = decide.existing(channel);
        decide.requireType(active, type);
        if (given === undefined) return decide.updateChannel(channel, { ...withName(name), ...withEnabled(enabled) });
        const stored = active.fields.configuration;
        const opened = await openConfiguration(keys, organizationId, stored);
        const read = usableConfiguration({ receivers })(active.fields.type, given, opened);
        const whose = { id, organizationId, type: active.fields.type };
        const configuration = await sealConfiguration(keys, whose, read, stored);
        return decide.updateChannel(channel, { ...withName(name), configuration, ...withEnabled(enabled) });
      },
      context,
    );
  };

const withName = (name: string | undefined) => (name === undefined ? {} : { name });
const withEnabled = (enabled: boolean | undefined) => (enabled === undefined ? {} : { enabled });

/** Deletes a channel and forgets its texts. @throws NotFound */
export const deleteChannel =
  ({ handle, keys }: CommandDependencies) =>
  async (id: string, context: CommandContext): Promise<void> => {
    await handle(id, decide.alertChannelDecider, decide.deleteChannel, context);
    await keys.forget(channelKey(id));
  };

/** The group that a channel of Telegram writes to has moved; nothing if it is set to another one meanwhile. */
export const moveChannelChat =
  ({ handle }: Pick<CommandDependencies, 'handle'>) =>
  async (id: string, from: string, to: string, context: CommandContext): Promise<void> => {
    await handle(id, decide.alertChannelDecider, (channel) => decide.moveChat(channel, from, to), context);
  };

/**
 * Notes that somebody tests a channel, before its message is sent.
 *
 * @param id of the channel; null: it is not stored
 * @throws NotFound its stored configuration is to be tested, and is gone
 */
export const noteChannelTest =
  ({ handle }: Pick<CommandDependencies, 'handle'>) =>
  async (
    id: string | null,
    test: Pick<decide.ChannelTested, 'type' | 'configuration'>,
    context: CommandContext,
  ): Promise<void> => {
    const channel_id = id ?? context.newId();
    const data = { channel_id, organization_id: context.organizationId, ...test };
    await handle(channel_id, decide.alertChannelDecider, (channel) => decide.testChannel(channel, data), context);
  };

/**
 * A configuration that messages can be sent with.
 *
 * @param previous the stored one with its texts open, which masked texts stand for; null: there is none
 * @throws Invalid
 */
export const usableConfiguration =
  ({ receivers }: Pick<CommandDependencies, 'receivers'>) =>
  (typeName: ChannelTypeName, given: unknown, previous: Fields | null): Configuration => {
    const read = readConfiguration(typeName, given, previous);
    if ('problems' in read) throw new Invalid({ json: read.problems });
    const type = channelTypeOf(typeName);
    const problems: Problems = {};
    for (const { notifier, settings } of type?.receivers(read.configuration, null) ?? []) {
      for (const [field, sentences] of Object.entries(receivers.problems(notifier, settings))) {
        problems[`configuration.${type?.renamed[field] ?? field}`] = sentences;
      }
    }
    if (Object.keys(problems).length > 0) throw new Invalid({ json: problems });
    return read.configuration;
  };

/** A stored configuration with its texts open; those that can't be read any more are left out. */
const openConfiguration = (
  keys: Pick<Keys, 'open'>,
  organizationId: string,
  stored: StoredConfiguration,
): Promise<Fields> =>
  openTexts(stored, (text, place) => readableText(text, { organizationId, field: channelField(place) }, keys));

/** Seals the texts of a configuration; what has not changed keeps its sealed form, so that nothing seems to change. */
const sealConfiguration = async (
  keys: Keys,
  { id, organizationId, type }: { id: string; organizationId: string; type: ChannelTypeName },
  configuration: Configuration,
  previous: StoredConfiguration = {},
): Promise<StoredConfiguration> => {
  const known = new Map<string, Sealed>();
  await openTexts(previous, async (text, place) => {
    const field = channelField(place);
    known.set(`${field} ${(await readableText(text, { organizationId, field }, keys)) ?? ''}`, text);
  });
  return sealTexts(configuration, Object.keys(channelTypeOf(type)?.sealed ?? {}), (text, place) => {
    const field = channelField(place);
    return known.get(`${field} ${text}`) ?? keys.seal(channelKey(id), text, { organizationId, field });
  });
};
