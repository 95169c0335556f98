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
  // One line per type.
  email,
  webhook,
  telegram,
  max,
  slack,
  ntfy,
  statuspage,
];

/** Their names, for schemas. */
export const CHANNEL_TYPE_NAMES: readonly string[] = CHANNEL_TYPES.map(({ name }) => name);

const byName = new Map(CHANNEL_TYPES.map((type) => [type.name, type]));

/** A type by its name; null: this release does not know it, though another release running beside it may. */
export const channelTypeOf = (name: string): ChannelType | null => byName.get(name) ?? null;
