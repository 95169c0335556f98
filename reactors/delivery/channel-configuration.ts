import type { Configuration } from '../../domain/alert-channel/configuration.ts';
import { readConfiguration } from '../../notifiers/channels/configuration.ts';
import type { AlertChannelDocument } from '../../projections/alert-channels/projection.ts';
import { decryptChannel as openedTexts } from '../../queries/alerts/alert-channels.ts';
import type { Keys } from '../../stores/keys/port.ts';

/**
 * Returns the decrypted configuration of a channel. Null if its key was deleted, or if this release does not know its
 * type.
 */
export const decryptConfiguration = async (
  channel: AlertChannelDocument,
  keys: Pick<Keys, 'open'>,
): Promise<Configuration | null> => {
  const { opened } = await openedTexts({ keys }, channel);
  const read = readConfiguration(channel.type, opened, null);
  return 'problems' in read ? null : read.configuration;
};
