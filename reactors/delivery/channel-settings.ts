import { readConfiguration } from '../../domain/alert-channel/input.ts';
import { notifierSettings, type ChannelSettings as Composed } from '../../domain/alert-channel/settings.ts';
import type { Configuration } from '../../domain/alert-channel/configuration.ts';
import { chatTarget } from '../../notifiers/bot.ts';
import { MAIL_RELAY } from '../../notifiers/email/index.ts';
import { webhookTarget } from '../../notifiers/webhook/index.ts';
import type { AlertChannelDocument } from '../../projections/alert-channels/projection.ts';
import { opened as openedTexts } from '../../queries/alerts/alert-channels.ts';
import type { Keys } from '../../stores/keys/port.ts';

/** One receiver of a channel's messages. */
export interface ChannelSettings extends Composed {
  /**
   * What shares a limit, as the notifier names it (notifiers/notifier.ts: limitedBy). It tells addresses and tokens:
   * in a delivery stands `keys.fingerprint('delivery target', target)`.
   */
  target: string;
}

/**
 * Who gets the messages of a channel: one for each recipient of an e-mail channel, in their order, none for a status
 * page, one otherwise.
 */
export const settingsOf = (
  channel: Pick<AlertChannelDocument, 'id' | 'type'>,
  opened: Configuration,
): ChannelSettings[] =>
  notifierSettings(channel, opened).map((composed) => ({ ...composed, target: targetOf(composed) }));

const targetOf = ({ notifier, settings }: Composed): string => {
  switch (notifier) {
    case 'email':
      return MAIL_RELAY;
    case 'webhook':
      return webhookTarget(settings);
    default:
      return chatTarget(settings);
  }
};

/** The configuration of a channel with its texts open; null: it can't be read any more, as its key was deleted. */
export const openedChannel = async (
  channel: AlertChannelDocument,
  keys: Pick<Keys, 'open'>,
): Promise<Configuration | null> => {
  const { opened } = await openedTexts({ keys }, channel);
  const read = readConfiguration(channel.type, opened, null);
  return 'problems' in read ? null : read.configuration;
};
