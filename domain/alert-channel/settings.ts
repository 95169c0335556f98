import type { ChannelType, Configuration, ConfigurationOf } from './configuration.ts';

/** What a message of a channel is sent with: the notifier, and its settings (notifiers/notifier.ts). */
export interface ChannelSettings {
  notifier: string;
  settings: Readonly<Record<string, unknown>>;
}

/**
 * A channel as notifiers are set up for it: one for each recipient of an e-mail channel, in their order, none for a
 * status page, which is written to here.
 *
 * @param id of the channel; null: it is not stored yet
 * @param opened its configuration with its texts open
 */
export const notifierSettings = (
  { id, type }: { id: string | null; type: ChannelType },
  opened: Configuration,
): ChannelSettings[] => {
  switch (type) {
    case 'email':
      return (opened as ConfigurationOf['email']).recipients.map((address) => ({
        notifier: type,
        settings: { address },
      }));
    case 'webhook': {
      const { url, method, headers, body_template: template, secret } = opened as ConfigurationOf['webhook'];
      return [{ notifier: type, settings: { url, method, headers, template, ...(secret !== null && { secret }) } }];
    }
    case 'telegram':
    case 'max': {
      const { bot_token, chat_id } = opened as ConfigurationOf['telegram'];
      return [{ notifier: type, settings: { bot_token, chat_id, ...(id !== null && { channel_id: id }) } }];
    }
    case 'statuspage':
      return [];
  }
};
