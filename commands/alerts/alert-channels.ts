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
import { markOf, type ManagedObject } from '../../domain/managed/managed-by.ts';
import type { Sealed } from '../../domain/sealed.ts';
import { readConfiguration, type ConfigurationErrors } from '../../notifiers/channels/configuration.ts';
import { channelTypeOf } from '../../notifiers/channels/index.ts';
import { readableText, type Keys } from '../../stores/keys/port.ts';
import type { CommandContext } from '../engine/context.ts';
import type { CommandDependencies } from '../dependencies.ts';

/** The body of a request that creates a channel. */
export interface ChannelInput extends ManagedObject {
  name: string;
  type: ChannelTypeName;
  configuration: Fields;
  enabled: boolean;
}

/** Creates a channel. @returns its id @throws Invalid */
export const createChannel =
  ({ handle, keys, receivers }: CommandDependencies) =>
  async (input: ChannelInput, context: CommandContext): Promise<string> => {
    const { name, type, configuration, enabled } = input;
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
          channel: { name, type, configuration: sealed, enabled, ...markOf(input) },
        });
      },
      context,
    );
    return id;
  };

/**
 * Changes a channel. Absent fields keep their value. A configuration is replaced as a whole.
 *
 * @throws NotFound, Invalid
 */
export const updateChannel =
  ({ handle, keys, receivers }: CommandDependencies) =>
  async (id: string, changes: Partial<ChannelInput>, context: CommandContext): Promise<void> => {
    const { organizationId } = context;
    const { name, type, configuration: given, enabled } = changes;
    const others = { ...withName(name), ...withEnabled(enabled), ...markOf(changes) };
    await handle(
      id,
      decide.alertChannelDecider,
      async (channel) => {
        const active = decide.existing(channel);
        decide.requireType(active, type);
        if (given === undefined) return decide.updateChannel(channel, others);
        const stored = active.fields.configuration;
        const opened = await openConfiguration(keys, organizationId, stored);
        const read = usableConfiguration({ receivers })(active.fields.type, given, opened);
        const owner = { id, organizationId, type: active.fields.type };
        const configuration = await sealConfiguration(keys, owner, read, stored);
        return decide.updateChannel(channel, { ...others, configuration });
      },
      context,
    );
  };

const withName = (name: string | undefined) => (name === undefined ? {} : { name });
const withEnabled = (enabled: boolean | undefined) => (enabled === undefined ? {} : { enabled });

/** Deletes a channel and the key of its sealed texts. @throws NotFound */
export const deleteChannel =
  ({ handle, keys }: CommandDependencies) =>
  async (id: string, context: CommandContext): Promise<void> => {
    await handle(id, decide.alertChannelDecider, decide.deleteChannel, context);
    await keys.forget(channelKey(id));
  };

/**
 * Records that a Telegram group has a new chat id. Does nothing if the channel does not use the chat `from` any more.
 */
export const migrateChannelChat =
  ({ handle }: Pick<CommandDependencies, 'handle'>) =>
  async (id: string, from: string, to: string, context: CommandContext): Promise<void> => {
    await handle(id, decide.alertChannelDecider, (channel) => decide.migrateChat(channel, from, to), context);
  };

/**
 * Records that a user tests a channel, before the test message is sent.
 *
 * @param id id of the channel, or null if the channel is not stored
 * @throws NotFound if the test uses the stored configuration, but the channel was deleted
 */
export const recordChannelTest =
  ({ handle }: Pick<CommandDependencies, 'handle'>) =>
  async (
    id: string | null,
    test: Pick<decide.AlertChannelTest, 'type' | 'configuration'>,
    context: CommandContext,
  ): Promise<void> => {
    const channel_id = id ?? context.newId();
    const data = { channel_id, organization_id: context.organizationId, ...test };
    await handle(channel_id, decide.alertChannelDecider, (channel) => decide.testChannel(channel, data), context);
  };

/**
 * Validates a configuration, and replaces its masked texts, so that messages can be sent with it.
 *
 * @param previous the decrypted stored configuration, which has the texts that were masked; null if there is none
 * @throws Invalid
 */
export const usableConfiguration =
  ({ receivers }: Pick<CommandDependencies, 'receivers'>) =>
  (typeName: ChannelTypeName, given: unknown, previous: Fields | null): Configuration => {
    const read = readConfiguration(typeName, given, previous);
    if ('problems' in read) throw new Invalid({ json: read.problems });
    const type = channelTypeOf(typeName);
    const problems: ConfigurationErrors = {};
    for (const { notifier, settings } of type?.receivers(read.configuration, null) ?? []) {
      for (const [field, sentences] of Object.entries(receivers.problems(notifier, settings))) {
        problems[`configuration.${type?.renamedFields[field] ?? field}`] = sentences;
      }
    }
    if (Object.keys(problems).length > 0) throw new Invalid({ json: problems });
    return read.configuration;
  };

/** Decrypts a stored configuration. Omits texts that can no longer be decrypted. */
const openConfiguration = (
  keys: Pick<Keys, 'open'>,
  organizationId: string,
  stored: StoredConfiguration,
): Promise<Fields> =>
  openTexts(stored, (text, place) => readableText(text, { organizationId, field: channelField(place) }, keys));

/** Seals the texts of a configuration. Unchanged texts keep their sealed form, so they do not appear as changes. */
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
