import type { SubscriberMode } from '../../../domain/subscriber/events.ts';

/** Fields of the form that can be wrong. */
export type SubscriptionField =
  'mode' | 'email' | 'phone_country' | 'phone_number' | 'endpoint' | 'contact_email' | 'component_ids';

/** The words of the pages on which visitors subscribe and change their subscription. */
export interface SubscriptionWords {
  title: string;
  intro: (page: string) => string;
  /** in place of a form */
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
  /** below the button */
  note: string;
  problem: string;
  problems: Readonly<Record<SubscriptionField, string>>;
  /** an incident that ended long ago, or that is not there */
  incidentOver: string;
  /** the page does not take this kind */
  refused: string;
  tooMany: (minutes: number) => string;
  /** a webhook that can't be subscribed again */
  taken: string;
  /** what happens next */
  done: Readonly<Record<'email' | 'sms', { title: string; text: string; hint: string }>> & {
    webhook: { title: string; text: (endpoint: string) => string; secret: string; secretHint: string };
  };
  other: string;
  otherText: string;
  /** of one's own subscription */
  manage: {
    title: string;
    /** before the address */
    address: string;
    receives: string;
    receivesHint: string;
    save: string;
    saved: string;
    pending: string;
    quarantined: string;
    /** before the name of an incident */
    oneIncident: string;
    unsubscribeText: string;
    unsubscribe: string;
    /** of a link to this page */
    link: string;
  };
}
