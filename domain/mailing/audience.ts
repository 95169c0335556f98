import type { PageFields } from '../page/fields.ts';
import type { Visibility } from '../page/access.ts';
import { passesFilter } from '../subscriber/notification-filter.ts';
import { SUBSCRIBER_MODES, type SubscriberMode } from '../subscriber/events.ts';
import type { IncidentNotification } from './notifying-events.ts';

/** The parts of a subscription that decide whether it gets a notification. */
export interface SubscriptionFilter {
  mode: SubscriberMode;
  /** whether the subscription is confirmed, not in quarantine, and has messages enabled */
  receives: boolean;
  /** position in `main` of the event that confirmed the subscription; null if it is not confirmed */
  verified_position: number | null;
  added_with_key: boolean;
  /** ids of the components whose messages the subscriber gets; null: all components of the page */
  component_ids: readonly string[] | null;
  incident_id: string | null;
}

/** A notification and the page that it is about. */
export interface PageNotification {
  told: IncidentNotification;
  /** position in `main` of the event that caused the notification */
  position: number;
  page: PageFields & Visibility;
  /** ids of the components that the notification concerns, and of their groups */
  components: ReadonlySet<string>;
}

const ALLOWED = {
  email: 'allow_email_subscribers',
  sms: 'allow_sms_subscribers',
  webhook: 'allow_webhook_subscribers',
} as const satisfies Record<SubscriberMode, keyof PageFields>;

/**
 * Whether a subscription gets a notification (docs/reference/subscribers.md#recipients). The subscription must have
 * been confirmed before the event, and its component or incident filter must match. While a page does not allow a kind
 * of subscription, subscriptions of this kind get nothing. While a page is not public, subscriptions that were added
 * without an API key get nothing.
 */
export const isNotified = (
  subscription: SubscriptionFilter,
  { told, position, page, components }: PageNotification,
): boolean => {
  const { mode, receives, verified_position, component_ids, incident_id } = subscription;
  if (!receives || verified_position === null || verified_position > position) return false;
  if (!page[ALLOWED[mode]]) return false;
  if (!page[incident_id === null ? 'allow_page_subscribers' : 'allow_incident_subscribers']) return false;
  if (!passesFilter(page, subscription)) return false;
  if (told.component && mode !== 'webhook') return false;
  if (incident_id !== null && incident_id !== told.incident?.id) return false;
  return component_ids === null || component_ids.some((id) => components.has(id));
};

/**
 * The conditions of {@link isNotified} for subscriptions of one mode, as filters with which a store can count
 * subscriptions.
 */
export interface Audience {
  mode: SubscriberMode;
  /**
   * ids of the incidents to which the counted subscriptions belong; null in this list stands for subscriptions to the
   * whole page
   */
  incident_ids: readonly (string | null)[];
  /** if a subscription has a component filter, the filter must contain one of these ids */
  component_ids: readonly string[];
  /** whether only subscriptions that were added with an API key count */
  added_with_key: boolean;
}

/**
 * Returns the audience of a notification for each mode. Modes whose subscriptions get nothing are left out. The
 * recipients are those subscriptions of an audience that are confirmed and have messages enabled.
 */
export const audiencesOf = ({ told, page, components }: Omit<PageNotification, 'position'>): Audience[] => {
  const incident_ids = [
    ...(page.allow_page_subscribers ? [null] : []),
    ...(page.allow_incident_subscribers && told.incident ? [told.incident.id] : []),
  ];
  if (incident_ids.length === 0) return [];
  const added_with_key = !passesFilter(page, { added_with_key: false });
  return SUBSCRIBER_MODES.filter((mode) => page[ALLOWED[mode]] && (!told.component || mode === 'webhook')).map(
    (mode) => ({ mode, incident_ids, component_ids: [...components], added_with_key }),
  );
};

/** Returns the ids of the components that a notification concerns. */
export const componentsIn = ({ incident, component }: IncidentNotification): string[] => [
  ...Object.keys(incident?.components ?? {}),
  ...(component ? [component.id] : []),
];
