import { migratedChat } from '../../domain/alert-channel/alert-channel.ts';
import type { AlertChannelFields } from '../../domain/alert-channel/events.ts';
import type { RecordedEventOf } from '../../domain/event-types.ts';
import { revisionOf } from '../../domain/revision.ts';
import type { Instant } from '../../domain/time.ts';
import { collection, defineProjection, type Model } from '../engine/fold/define.ts';

/** A channel. Texts of its configuration are encrypted under `alert_channel-{id}`. */
export interface AlertChannelDocument extends AlertChannelFields {
  id: string;
  organization_id: string;
  /** see domain/revision.ts */
  revision: number;
  created_at: Instant;
  updated_at: Instant;
  /** Position of the newest event that changed the channel. */
  changed_position: number;
}

const change = (
  event: RecordedEventOf<'AlertChannelUpdated' | 'AlertChannelChatMoved'>,
  channels: Model<AlertChannelDocument>,
  changed: (channel: AlertChannelDocument) => Partial<AlertChannelDocument>,
): void => {
  const { data, metadata, position } = event;
  const channel = channels.get(data.channel_id);
  if (!channel) return;
  channels.put({
    ...channel,
    ...changed(channel),
    revision: revisionOf(event),
    updated_at: metadata.recorded_at,
    changed_position: Number(position),
  });
};

/** The channels through which users and programs are notified of alerts. */
export const alertChannels = defineProjection({
  name: 'alert_channels',
  version: 2,
  log: 'main',
  collections: {
    alert_channels: collection<AlertChannelDocument>({ indexes: [{ organization_id: 1, created_at: -1 }] }),
  },
  documents: (event) => ({ alert_channels: [event.data.channel_id] }),
  on: {
    AlertChannelCreated: (event, { alert_channels }) => {
      const { data, metadata, position } = event;
      alert_channels.put({
        id: data.channel_id,
        organization_id: data.organization_id,
        ...data.channel,
        revision: revisionOf(event),
        created_at: metadata.recorded_at,
        updated_at: metadata.recorded_at,
        changed_position: Number(position),
      });
    },
    AlertChannelUpdated: (event, { alert_channels }) => {
      change(event, alert_channels, () => event.data.changes);
    },
    AlertChannelChatMoved: (event, { alert_channels }) => {
      change(event, alert_channels, (channel) => migratedChat(channel, event.data));
    },
    AlertChannelDeleted: ({ data }, { alert_channels }) => {
      alert_channels.delete(data.channel_id);
    },
  },
});
