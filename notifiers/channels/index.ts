import { email } from '../email/channel.ts';
import { max } from '../max/channel.ts';
import { ntfy } from '../ntfy/channel.ts';
import { slack } from '../slack/channel.ts';
import { statuspage } from '../statuspage/channel.ts';
import { telegram } from '../telegram/channel.ts';
import { webhook } from '../webhook/channel.ts';
import type { ChannelType } from './channel-type.ts';

/** All types of alert channels, in the order of the documentation. */
export const CHANNEL_TYPES: readonly ChannelType[] = [
  // Each type has a line of its own.
  email,
  webhook,
  telegram,
  max,
  slack,
  ntfy,
  statuspage,
];

/** The names of all channel types, for schemas. */
export const CHANNEL_TYPE_NAMES: readonly string[] = CHANNEL_TYPES.map(({ name }) => name);

const byName = new Map(CHANNEL_TYPES.map((type) => [type.name, type]));

/**
 * Returns a channel type by its name. Returns null if this release does not know the type; during an upgrade, another
 * release that runs in parallel may know it.
 */
export const channelTypeOf = (name: string): ChannelType | null => byName.get(name) ?? null;
