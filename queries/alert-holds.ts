import type { StoredConfigurationOf } from '../domain/alert-channel/configuration.ts';
import type { Instant } from '../domain/time.ts';
import type { AlertChannelDocument } from '../projections/alert-channels/projection.ts';
import { alertChannels } from '../projections/alert-channels/projection.ts';
import { alertHolds, type AlertHold, type AlertHoldsDocument } from '../projections/alert-holds/projection.ts';
import { components } from '../projections/components/projection.ts';
import type { Read } from '../projections/readers.ts';

type ShownOn = StoredConfigurationOf['statuspage'];

const isShown = (channel: AlertChannelDocument, organizationId: string): boolean =>
  channel.organization_id === organizationId && channel.type === 'statuspage' && channel.enabled;

/** The channels among these that show alerts on pages, of the organization and enabled. */
const shownChannels = async (
  read: Read,
  organizationId: string,
  channelIds: readonly string[],
): Promise<AlertChannelDocument[]> => {
  const found = channelIds.length === 0 ? [] : await read(alertChannels).alert_channels.getMany(channelIds);
  return found.filter((channel) => isShown(channel, organizationId));
};

const configured = ({ configuration }: AlertChannelDocument): ShownOn => configuration as ShownOn;

/** What the channels among these that show alerts on pages are set to. */
export const shownOn = async (
  read: Read,
  organizationId: string,
  channelIds: readonly string[],
): Promise<readonly ShownOn[]> => (await shownChannels(read, organizationId, channelIds)).map(configured);

/** What became of showing an alert on a page, like a message of another channel. */
export interface HoldNotification {
  channel_id: string;
  channel_name: string;
  notification_type: 'alert_fired' | 'alert_resolved';
  status: 'pending' | 'sent' | 'failed';
  /** a sentence; null unless it failed */
  error_message: string | null;
  created_at: Instant;
  sent_at: Instant | null;
}

/** What became of showing an alert on the pages of its channels, and of taking it off them. */
export const holdNotifications = async (
  read: Read,
  { id, organization_id }: { id: string; organization_id: string },
): Promise<HoldNotification[]> => {
  const alert = await read(alertHolds).alert_holds.get(id);
  if (alert?.organization_id !== organization_id) return [];
  const channels = await shownChannels(read, organization_id, alert.channel_ids);
  const there = new Set((await read(components).components.getMany(channels.map(componentOf))).map((one) => one.id));
  return channels.flatMap((channel) => ofChannel(channel, alert, there.has(componentOf(channel))));
};

const componentOf = (channel: AlertChannelDocument): string => configured(channel).component_id;

const GONE = 'The component of the status page is gone.';
const TOO_SHORT = 'The alert was resolved before it could be shown.';

const ofChannel = (channel: AlertChannelDocument, alert: AlertHoldsDocument, isThere: boolean): HoldNotification[] => {
  const { fired_at, resolved_at, holds } = alert;
  const hold = holds.find(({ component_id }) => component_id === componentOf(channel));
  const { id: channel_id, name: channel_name } = channel;
  const held = { channel_id, channel_name, notification_type: 'alert_fired', created_at: fired_at } as const;
  const fired: HoldNotification = { ...held, ...outcome(hold?.held_at, whyNotHeld(alert, isThere)) };
  if (!hold || resolved_at === null) return [fired];
  const released = { channel_id, channel_name, notification_type: 'alert_resolved', created_at: resolved_at } as const;
  return [fired, { ...released, ...outcome(releasedAt(hold, resolved_at, isThere), null) }];
};

/** What is gone shows nothing any more. */
const releasedAt = ({ released_at }: AlertHold, resolvedAt: Instant, isThere: boolean): Instant | null =>
  released_at ?? (isThere ? null : resolvedAt);

const whyNotHeld = ({ resolved_at }: AlertHoldsDocument, isThere: boolean): string | null => {
  if (!isThere) return GONE;
  return resolved_at === null ? null : TOO_SHORT;
};

const outcome = (
  at: Instant | null | undefined,
  failure: string | null,
): Pick<HoldNotification, 'status' | 'error_message' | 'sent_at'> => {
  if (at) return { status: 'sent', error_message: null, sent_at: at };
  return { status: failure === null ? 'pending' : 'failed', error_message: failure, sent_at: null };
};
