import { Type, type Static, type TSchema } from '@sinclair/typebox';
import { managedBy } from '../managed/managed-by.ts';
import { ComponentStatus } from './component-status.ts';

const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const NullableText = nullable(Type.String());

/** The fields of a page: all fields in docs/reference/pages.md#fields except ids, times and the activity score. */
export const PageFields = Type.Object({
  name: Type.String(),
  page_description: Type.String(),
  /** in lower case */
  subdomain: Type.String(),
  /** in lower case, without a trailing dot */
  domain: NullableText,
  language: Type.String(),
  time_zone: Type.String(),
  template: Type.String(),
  template_id: Type.String(),
  allow_email_subscribers: Type.Boolean(),
  allow_incident_subscribers: Type.Boolean(),
  allow_page_subscribers: Type.Boolean(),
  allow_rss_atom_feeds: Type.Boolean(),
  allow_sms_subscribers: Type.Boolean(),
  allow_webhook_subscribers: Type.Boolean(),
  hidden_from_search: Type.Boolean(),
  viewers_must_be_team_members: Type.Boolean(),
  ip_restrictions: NullableText,
  /** whether the page shows measurements of the components' checks beside the declared statuses */
  show_measurements: Type.Boolean(),
  /**
   * whether the page shows deleted incident updates, and earlier texts of edited incident updates (projections/pages:
   * `edits_from_position`)
   */
  show_edits: Type.Boolean(),
  /** whether visitors may see past states of the page */
  allow_history: Type.Boolean(),
  /** whether the page's subdomain redirects to its custom domain */
  redirect_to_domain: Type.Boolean(),
  /** origins that are allowed to embed the page in a frame, in the form that browsers send; null or []: none */
  allow_embedding: nullable(Type.Array(Type.String())),
  city: NullableText,
  country: NullableText,
  state: NullableText,
  headline: NullableText,
  url: NullableText,
  support_url: NullableText,
  company_logo: NullableText,
  email_logo: NullableText,
  favicon_logo: NullableText,
  transactional_logo: NullableText,
  hero_cover: NullableText,
  notifications_email_footer: NullableText,
  notifications_from_email: NullableText,
  css_blues: NullableText,
  css_greens: NullableText,
  css_oranges: NullableText,
  css_reds: NullableText,
  css_yellows: NullableText,
  css_body_background_color: NullableText,
  css_border_color: NullableText,
  css_button_border_color: NullableText,
  css_button_color: NullableText,
  css_button_hover_color: NullableText,
  css_button_text_color: NullableText,
  css_font_color: NullableText,
  css_graph_color: NullableText,
  css_light_font_color: NullableText,
  css_link_color: NullableText,
  css_no_data: NullableText,
  css_spinner_color: NullableText,
  ...managedBy,
});
export type PageFields = Static<typeof PageFields>;

/** The fields of a component or a component group. */
export const ComponentFields = Type.Object({
  name: Type.String(),
  description: NullableText,
  /** whether this is a group; never changes */
  group: Type.Boolean(),
  /** always null for a group */
  group_id: NullableText,
  /** position, from 1, among the components of the same group, or among the components without a group */
  position: Type.Integer(),
  showcase: Type.Boolean(),
  only_show_if_degraded: Type.Boolean(),
  /** `YYYY-MM-DD` */
  start_date: NullableText,
  /** the check that monitors the component; null for a group. A deleted check counts as none. */
  check_id: NullableText,
  /**
   * Alternative to `check_id`: all checks of the organization with this tag monitor the component. Null for a group.
   */
  check_tag: NullableText,
  /** whether the page shows the response times of the component's check or checks; always false for a group */
  show_response_times: Type.Boolean(),
  /**
   * The manually set status. It is ignored for a group, because the status of a group is derived from its components.
   */
  status: ComponentStatus,
  ...managedBy,
});
export type ComponentFields = Static<typeof ComponentFields>;
