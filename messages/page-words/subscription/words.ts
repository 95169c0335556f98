import type { SubscriberMode } from '../../../domain/subscriber/events.ts';

/** Form fields that can be invalid. */
export type SubscriptionField =
  'mode' | 'email' | 'phone_country' | 'phone_number' | 'endpoint' | 'contact_email' | 'component_ids';

/** Texts of the pages on which visitors subscribe and change their subscription. */
export interface SubscriptionWords {
  title: string;
  intro: (page: string) => string;
  /** shown instead of a form */
  notTaken: string;
  incidentsOnly: string;
  how: string;
  modes: Readonly<Record<SubscriberMode, string>>;
  email: string;
  country: string;
  chooseCountry: string;
  phone: string;
  endpoint: string;
  endpointHint: string;
  contact: string;
  contactHint: string;
  about: string;
  all: string;
  allHint: string;
  some: string;
  someHint: string;
  incident: string;
  maintenance: string;
  submit: string;
  /** shown below the button */
  note: string;
  problem: string;
  problems: Readonly<Record<SubscriptionField, string>>;
  /** shown if the incident ended long ago or does not exist */
  incidentOver: string;
  /** shown if the page does not accept this kind of subscription */
  refused: string;
  tooMany: (minutes: number) => string;
  /** shown if the webhook is already subscribed */
  taken: string;
  /** what to do next */
  done: Readonly<Record<'email' | 'sms', { title: string; text: string; hint: string }>> & {
    webhook: { title: string; text: (endpoint: string) => string; secret: string; secretHint: string };
  };
  other: string;
  otherText: string;
  /** the page on which subscribers manage their own subscription */
  manage: {
    title: string;
    /** shown before the address */
    address: string;
    receives: string;
    receivesHint: string;
    save: string;
    saved: string;
    pending: string;
    quarantined: string;
    /** shown before the name of an incident */
    oneIncident: string;
    unsubscribeText: string;
    unsubscribe: string;
    /** text of a link to the page for managing the subscription */
    link: string;
  };
}
