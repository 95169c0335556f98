import { STATUS_PAGE, type SharedStatusComponent } from '../../domain/alert-channel/configuration.ts';
import type { Instant } from '../../domain/time.ts';
import type { AlertChannelDocument } from '../../projections/alert-channels/projection.ts';
import { alertChannels } from '../../projections/alert-channels/projection.ts';
import { alertHolds, type AlertHold, type AlertHoldsDocument } from '../../projections/alert-holds/projection.ts';
import type { AlertDocument } from '../../projections/alerts/documents.ts';
import type { ComponentDocument } from '../../projections/components/documents.ts';
import { components } from '../../projections/components/projection.ts';
import type { Read } from '../../projections/readers.ts';
import { findExistingPageIds } from '../pages/pages.ts';
import type { ReadScope } from '../engine/scope.ts';

/** Returns those of the organization's channels that show alerts on pages, including disabled ones. */
const shownChannels = async (
  read: Read,
  organizationId: string,
  channelIds: readonly string[],
): Promise<AlertChannelDocument[]> => {
  const found =
    channelIds.length === 0 ? [] : await read(alertChannels).alert_channels.getMany([...new Set(channelIds)]);
  return found.filter((channel) => channel.organization_id === organizationId && channel.type === STATUS_PAGE);
};

const configured = ({ configuration }: AlertChannelDocument): SharedStatusComponent =>
  configuration as unknown as SharedStatusComponent;

const componentOf = (channel: AlertChannelDocument): string => configured(channel).component_id;

/** Returns the settings of those enabled channels that show alerts on pages. */
export const findShowingComponents = async (
  read: Read,
  organizationId: string,
  channelIds: readonly string[],
): Promise<readonly SharedStatusComponent[]> =>
  (await shownChannels(read, organizationId, channelIds)).filter(({ enabled }) => enabled).map(configured);

/** The outcome of showing an alert on a page, in the form of a notification. */
export interface HoldNotification {
  channel_id: string;
  channel_name: string;
  notification_type: 'alert_fired' | 'alert_resolved';
  status: 'pending' | 'sent' | 'failed';
  /** Reason of the failure, as a sentence. Null if there was no failure. */
  error_message: string | null;
  created_at: Instant;
  sent_at: Instant | null;
}

/** The fields of an alert that determine where it is shown. */
type ShownAlert = Pick<AlertDocument, 'id' | 'channel_ids' | 'unannounced'>;

/** Lists the outcomes of showing alerts on the pages of their channels, and of releasing the components. */
export const listHoldNotifications = async (
  scope: Pick<ReadScope, 'read' | 'organizationId'>,
  alerts: readonly ShownAlert[],
): Promise<(alert: ShownAlert) => HoldNotification[]> => {
  const named = alerts.flatMap(({ channel_ids }) => channel_ids);
  const channels = await shownChannels(scope.read, scope.organizationId, named);
  if (channels.length === 0) return () => [];
  const holding = await scope.read(alertHolds).alert_holds.getMany(alerts.map(({ id }) => id));
  const places = [...channels.map(configured), ...holding.flatMap(({ holds }) => holds)];
  const [shown, pages] = await Promise.all([
    scope.read(components).components.getMany([...new Set(places.map(({ component_id }) => component_id))]),
    findExistingPageIds(
      scope,
      places.map(({ page_id }) => page_id),
    ),
  ]);
  const byAlert = new Map(holding.map((alert) => [alert.id, alert]));
  const byId = new Map(shown.filter(({ page_id }) => pages.has(page_id)).map((component) => [component.id, component]));
  return ({ id, unannounced }) => {
    const alert = byAlert.get(id);
    if (!alert) return [];
    return (
      holdsByChannel(
        alert,
        channels.filter((channel) => alert.channel_ids.includes(channel.id)),
      )
        // A muted alert is not shown on pages.
        .filter(([, hold]) => hold || !unannounced)
        .flatMap(([channel, hold]) =>
          ofChannel(channel, alert, hold, byId.get(hold?.component_id ?? componentOf(channel))),
        )
    );
  };
};

/**
 * Assigns the holds of an alert to channels. If a channel was changed after the alert fired, the alert might hold a
 * component that no channel names any more. Such a hold is assigned to a changed channel.
 */
const holdsByChannel = (
  { holds, fired_at }: AlertHoldsDocument,
  channels: readonly AlertChannelDocument[],
): (readonly [AlertChannelDocument, AlertHold | undefined])[] => {
  const named = new Set(channels.map(componentOf));
  const left = holds.filter(({ component_id }) => !named.has(component_id));
  return channels.map((channel) => {
    const hold = holds.find(({ component_id }) => component_id === componentOf(channel));
    return [channel, hold ?? (channel.updated_at > fired_at ? left.shift() : undefined)];
  });
};

const COMPONENT_MISSING = 'The component of the status page no longer exists.';
const RESOLVED_BEFORE = 'The alert was resolved before it could be shown.';

const ofChannel = (
  channel: AlertChannelDocument,
  alert: AlertHoldsDocument,
  hold: AlertHold | undefined,
  component: ComponentDocument | undefined,
): HoldNotification[] => {
  const { fired_at, resolved_at } = alert;
  if (!hold && !channel.enabled) return [];
  const { id: channel_id, name: channel_name } = channel;
  const shownEntry = { channel_id, channel_name, notification_type: 'alert_fired', created_at: fired_at } as const;
  const fired: HoldNotification = { ...shownEntry, ...outcome(hold?.held_at, whyNotHeld(alert, component)) };
  if (!hold || resolved_at === null) return [fired];
  const released = { channel_id, channel_name, notification_type: 'alert_resolved', created_at: resolved_at } as const;
  return [fired, { ...released, ...outcome(releasedAt(hold, alert.id, resolved_at, component), null) }];
};

/** Returns when a hold ended. A hold also ends when the component is deleted, or when a user sets its status. */
const releasedAt = (
  { released_at }: AlertHold,
  alertId: string,
  resolvedAt: Instant,
  component: ComponentDocument | undefined,
): Instant | null => {
  const isHeld = component?.holds.some(({ holder }) => holder === alertId) ?? false;
  return released_at ?? (isHeld ? null : resolvedAt);
};

const whyNotHeld = ({ resolved_at }: AlertHoldsDocument, component: ComponentDocument | undefined): string | null => {
  if (!component) return COMPONENT_MISSING;
  return resolved_at === null ? null : RESOLVED_BEFORE;
};

const outcome = (
  at: Instant | null | undefined,
  failure: string | null,
): Pick<HoldNotification, 'status' | 'error_message' | 'sent_at'> => {
  if (at) return { status: 'sent', error_message: null, sent_at: at };
  return { status: failure === null ? 'pending' : 'failed', error_message: failure, sent_at: null };
};
