import type { IncidentImpact, IncidentKind, IncidentStatus } from '../domain/incident/statuses.ts';
import type { NoticeEvent } from '../domain/mailing/notice-event.ts';
import type { ComponentStatus } from '../domain/page/component-status.ts';
import type { Instant } from '../domain/time.ts';

export type { NoticeEvent };

/** The properties of a notice's status page that messages show. */
export interface NoticePage {
  id: string;
  name: string;
  /** ISO 639-1 */
  language: string;
  /** name in the IANA time zone database */
  time_zone: string;
  /** public URL of the page; null: none */
  url: string | null;
  support_url: string | null;
  email_logo: string | null;
  company_logo: string | null;
  notifications_email_footer: string | null;
  css_body_background_color: string | null;
  css_font_color: string | null;
  css_link_color: string | null;
  css_button_color: string | null;
  css_button_text_color: string | null;
  css_border_color: string | null;
  css_light_font_color: string | null;
  /** statuses of all components of the page, at the time of sending */
  component_statuses: readonly ComponentStatus[];
}

/** A component with the status that the event set, or that the component has after the end of the incident. */
export interface NoticeComponent {
  id: string;
  name: string;
  status: ComponentStatus;
}

/** The content of a subscriber message, independent of language and format. */
export interface Notice {
  event: NoticeEvent;
  page: NoticePage;
  /** when the event happened */
  at: Instant;
  /** the incident of the event; null for `component.status_changed` */
  incident: NoticeIncident | null;
  /**
   * Markdown text of the update, or a standard text that replaces it. Null: the message contains the standard sentence
   * for the event
   */
  body: string | null;
  /** the affected components */
  components: readonly NoticeComponent[];
  /** the published text in Markdown; set only for `postmortem.published` */
  postmortem: string | null;
  /** set only for `component.status_changed` */
  component_update: { component: NoticeComponent; old_status: ComponentStatus; new_status: ComponentStatus } | null;
  /** URL that ends the subscription: a page for people, and POST for programs; null without `PUBLIC_URL` */
  unsubscribe_url: string | null;
}

/** The incident or maintenance at the time of the event. */
export interface NoticeIncident {
  id: string;
  name: string;
  kind: IncidentKind;
  status: IncidentStatus;
  impact: IncidentImpact;
  scheduled_for: Instant | null;
  scheduled_until: Instant | null;
  /** the whole object as the API returns it, for webhooks */
  object: Readonly<Record<string, unknown>>;
}

/** The part of a notice that is the same for all recipients. Its text is rendered only once. */
export type SharedNotice = Omit<Notice, 'unsubscribe_url'>;
