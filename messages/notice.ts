import type { IncidentImpact, IncidentKind, IncidentStatus } from '../domain/incident/statuses.ts';
import type { NoticeEvent } from '../domain/mailing/notice-event.ts';
import type { ComponentStatus } from '../domain/page/component-status.ts';
import type { Instant } from '../domain/time.ts';

export type { NoticeEvent };

/** The page that tells, with what of it shows in messages. */
export interface NoticePage {
  id: string;
  name: string;
  /** ISO 639-1 */
  language: string;
  /** IANA */
  time_zone: string;
  /** where its visitors find it; null: nowhere */
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
  /** of all its components, at the time of sending */
  component_statuses: readonly ComponentStatus[];
}

/** A component, and the status that what is told gave it, or that it has once that is over. */
export interface NoticeComponent {
  id: string;
  name: string;
  status: ComponentStatus;
}

/** What is told, in no language and no form yet. */
export interface Notice {
  event: NoticeEvent;
  page: NoticePage;
  /** when what is told happened */
  at: Instant;
  /** null for `component.status_changed` */
  incident: NoticeIncident | null;
  /** the update that is told, or the sentence that stands for it; Markdown; null: the sentence of the event */
  body: string | null;
  /** named by what is told */
  components: readonly NoticeComponent[];
  /** the published text, Markdown; only for `postmortem.published` */
  postmortem: string | null;
  /** only for `component.status_changed` */
  component_update: { component: NoticeComponent; old_status: ComponentStatus; new_status: ComponentStatus } | null;
  /** ends the subscription: a page, and for programs the same address with POST; null: nowhere without `PUBLIC_URL` */
  unsubscribe_url: string | null;
}

/** The incident or maintenance as it was when it was told. */
export interface NoticeIncident {
  id: string;
  name: string;
  kind: IncidentKind;
  status: IncidentStatus;
  impact: IncidentImpact;
  scheduled_for: Instant | null;
  scheduled_until: Instant | null;
  /** the whole object as the API shows it, for programs */
  object: Readonly<Record<string, unknown>>;
}

/** What all receivers of a notice share, so that its text is made once for them. */
export type SharedNotice = Omit<Notice, 'unsubscribe_url'>;
