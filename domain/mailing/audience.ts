import type { PageFields } from '../page/fields.ts';
import type { Visibility } from '../page/access.ts';
import { passesFilter } from '../subscriber/notification-filter.ts';
import { SUBSCRIBER_MODES, type SubscriberMode } from '../subscriber/events.ts';
import type { IncidentNotification } from './notifying-events.ts';

/** The parts of a subscription that decide whether it gets a message. */
export interface SubscriptionFilter {
  mode: SubscriberMode;
  /** whether it is confirmed, not in quarantine, and has messages enabled */
  receives: boolean;
  /** position in `main` of the event that confirmed it; null if not confirmed */
  verified_position: number | null;
  added_with_key: boolean;
  /** only messages about these components; null: all of the page */
  component_ids: readonly string[] | null;
  incident_id: string | null;
}

/** A notification with its page. */
export interface PageNotification {
  told: IncidentNotification;
  /** position in `main` of the event */
  position: number;
  page: PageFields & Visibility;
  /** the components that it concerns, and their groups */
  components: ReadonlySet<string>;
}

const ALLOWED = {
  email: 'allow_email_subscribers',
  sms: 'allow_sms_subscribers',
  webhook: 'allow_webhook_subscribers',
} as const satisfies Record<SubscriberMode, keyof PageFields>;

/**
 * Whether a subscription gets a notification (docs/reference/subscribers.md#recipients). It must be confirmed before the event, and its
 * component or incident filter must match. While a page does not allow a kind of subscription, those of this kind get
 * nothing. While a page is not public, subscriptions that were added without a key get nothing.
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

/** The conditions of {@link isNotified} for subscriptions of a mode, in a form with which stores can count subscriptions. */
export interface Audience {
  mode: SubscriberMode;
  /** null: subscriptions to the page; otherwise to this incident */
  incident_ids: readonly (string | null)[];
  /** subscriptions with a component filter must have one of these */
  component_ids: readonly string[];
  /** whether only subscriptions that were added with a key count */
  added_with_key: boolean;
}

/** The audience of a notification by mode, without modes that get nothing. Subscriptions must also be confirmed and enabled. */
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

/** Ids of the components that a notification concerns. */
export const componentsIn = ({ incident, component }: IncidentNotification): string[] => [
  ...Object.keys(incident?.components ?? {}),
  ...(component ? [component.id] : []),
];
