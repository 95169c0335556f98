import { changedFields } from '../changes.ts';
import type { EventOf } from '../event-types.ts';
import { unreachable, type Decider } from '../decider.ts';
import { Invalid } from '../errors.ts';
import { lifecycleOf } from '../existence.ts';
import type { ChannelTypeName } from './configuration.ts';
import type { AlertChannelEvent, AlertChannelFields } from './events.ts';

export type AlertChannel =
  | { status: 'absent' }
  | { status: 'active'; id: string; fields: AlertChannelFields }
  | { status: 'deleted'; id: string };

export const { existing, requireAbsent, onExisting } = lifecycleOf<AlertChannel>('alert channel');

/** The data of a new channel; the texts of its configuration are sealed. */
export interface NewChannel {
  channel_id: string;
  organization_id: string;
  channel: AlertChannelFields;
}

/** @throws Conflict */
export const createChannel = (channel: AlertChannel, data: NewChannel): AlertChannelEvent => {
  requireAbsent(channel);
  return { type: 'AlertChannelCreated', data };
};

/** Refuses a change of the channel's type, because a configuration fits only its own type. @throws Invalid */
export const requireType = ({ fields }: { fields: AlertChannelFields }, type: ChannelTypeName | undefined): void => {
  if (type === undefined || type === fields.type) return;
  throw Invalid.field('type', "A channel's type can't be changed.");
};

/** Returns an event with the fields of `wanted` that differ from the current fields. @throws NotFound */
export const updateChannel = (
  channel: AlertChannel,
  wanted: Partial<Omit<AlertChannelFields, 'type'>>,
): AlertChannelEvent[] => {
  const { id, fields } = existing(channel);
  const changed = changedFields<Omit<AlertChannelFields, 'type'>>(fields, wanted);
  return changed ? [{ type: 'AlertChannelUpdated', data: { channel_id: id, ...changed } }] : [];
};

/** @throws NotFound */
export const deleteChannel = (channel: AlertChannel): AlertChannelEvent => ({
  type: 'AlertChannelDeleted',
  data: { channel_id: existing(channel).id },
});

/**
 * Records that a Telegram group has moved to another chat id. Returns no event if the channel was deleted, or if it no
 * longer sends to the chat `from`.
 *
 * @param from the previous chat id
 * @param to the new chat id
 */
export const migrateChat = (channel: AlertChannel, from: string, to: string): AlertChannelEvent[] => {
  if (channel.status !== 'active' || channel.fields.configuration['chat_id'] !== from || from === to) return [];
  return [{ type: 'AlertChannelChatMoved', data: { channel_id: channel.id, chat_id: to, previous_chat_id: from } }];
};

/** The data of a request to test a channel. The tested channel need not be stored. */
export type AlertChannelTest = EventOf<'AlertChannelTested'>['data'];

/** @throws NotFound the stored configuration was to be tested, but the channel has been deleted */
export const testChannel = (channel: AlertChannel, data: AlertChannelTest): AlertChannelEvent => {
  if (data.configuration === 'stored') existing(channel);
  return { type: 'AlertChannelTested', data };
};

const evolve = (channel: AlertChannel, event: AlertChannelEvent): AlertChannel => {
  switch (event.type) {
    case 'AlertChannelCreated':
      return { status: 'active', id: event.data.channel_id, fields: event.data.channel };
    case 'AlertChannelUpdated':
      return onExisting(channel, (active) => withFields(active, event.data.changes));
    case 'AlertChannelChatMoved':
      return onExisting(channel, (active) => withFields(active, migratedChat(active.fields, event.data)));
    case 'AlertChannelDeleted':
      return { status: 'deleted', id: event.data.channel_id };
    case 'AlertChannelTested':
      return channel;
    default:
      return unreachable(event);
  }
};

type Active = Extract<AlertChannel, { status: 'active' }>;

const withFields = (active: Active, changes: Partial<AlertChannelFields>): Active => ({
  ...active,
  fields: { ...active.fields, ...changes },
});

/** Returns the configuration with the new chat id. */
export const migratedChat = (
  { configuration }: Pick<AlertChannelFields, 'configuration'>,
  { chat_id }: { chat_id: string },
): Pick<AlertChannelFields, 'configuration'> => ({
  configuration: 'chat_id' in configuration ? { ...configuration, chat_id } : configuration,
});

export const alertChannelDecider: Decider<AlertChannel, AlertChannelEvent> = {
  category: 'alert_channel',
  initialState: { status: 'absent' },
  evolve,
};
