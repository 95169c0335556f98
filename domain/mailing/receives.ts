import type { PageFields } from '../page/fields.ts';
import type { Visibility } from '../page/visitors.ts';
import { hears } from '../subscriber/audience.ts';
import { SUBSCRIBER_MODES, type SubscriberMode } from '../subscriber/events.ts';
import type { Told } from './told.ts';

/** What decides whether a subscription gets a message. */
export interface Receiving {
  mode: SubscriberMode;
  /** it is confirmed, not in quarantine, and wants messages */
  receives: boolean;
  /** position in `main` of the event that confirmed it; null: none did */
  verified_position: number | null;
  added_with_key: boolean;
  /** only of what concerns these; null: of everything on the page */
  component_ids: readonly string[] | null;
  incident_id: string | null;
}

/** What is told, when, and on which page. */
export interface ToldOnPage {
  told: Told;
  /** position in `main` of the event that is told */
  position: number;
  page: PageFields & Visibility;
  /** the components that it is about, and their groups */
  components: ReadonlySet<string>;
}

const ALLOWED = {
  email: 'allow_email_subscribers',
  sms: 'allow_sms_subscribers',
  webhook: 'allow_webhook_subscribers',
} as const satisfies Record<SubscriberMode, keyof PageFields>;

/**
 * Whether a subscription gets what is told (decisions.md: Subscribers). It does from its confirmation on, as far as it
 * is not narrowed to something else. While a page does not allow a kind of subscription, there is nothing for those of
 * this kind; while it is not public, nothing for those that were made without a key.
 */
export const isTold = (subscription: Receiving, { told, position, page, components }: ToldOnPage): boolean => {
  const { mode, receives, verified_position, component_ids, incident_id } = subscription;
  if (!receives || verified_position === null || verified_position > position) return false;
  if (!page[ALLOWED[mode]]) return false;
  if (!page[incident_id === null ? 'allow_page_subscribers' : 'allow_incident_subscribers']) return false;
  if (!hears(page, subscription)) return false;
  if (told.component && mode !== 'webhook') return false;
  if (incident_id !== null && incident_id !== told.incident?.id) return false;
  return component_ids === null || component_ids.some((id) => components.has(id));
};

/** Conditions that subscriptions of a mode must meet to get what is told: {@link isTold} in a form that stores can count. */
export interface Audience {
  mode: SubscriberMode;
  /** null: subscriptions to the page; else those to this incident */
  incident_ids: readonly (string | null)[];
  /** subscriptions that are narrowed need one of these */
  component_ids: readonly string[];
  /** whether only those count that somebody with a key has added */
  added_with_key: boolean;
}

/** Who gets what is told, by mode; a mode that gets nothing is left out. All have to be confirmed and to want messages. */
export const audiencesOf = ({ told, page, components }: Omit<ToldOnPage, 'position'>): Audience[] => {
  const incident_ids = [
    ...(page.allow_page_subscribers ? [null] : []),
    ...(page.allow_incident_subscribers && told.incident ? [told.incident.id] : []),
  ];
  if (incident_ids.length === 0) return [];
  const added_with_key = !hears(page, { added_with_key: false });
  return SUBSCRIBER_MODES.filter((mode) => page[ALLOWED[mode]] && (!told.component || mode === 'webhook')).map(
    (mode) => ({ mode, incident_ids, component_ids: [...components], added_with_key }),
  );
};

/** Ids of the components that something is told about. */
export const componentsIn = ({ incident, component }: Told): string[] => [
  ...Object.keys(incident?.components ?? {}),
  ...(component ? [component.id] : []),
];
