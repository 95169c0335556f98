import { Type, type Static, type TString } from '@sinclair/typebox';
import { COMPONENT_STATUSES } from '../../../domain/page/component-status.ts';
import { PAGE_DEFAULTS } from '../../../domain/page/decide.ts';
import { isOrigin, MAX_ORIGIN, MAX_ORIGINS, ORIGIN_SENTENCE } from '../../../domain/page/origins.ts';
import { MAX_LINE, MAX_NAME, MAX_SHORT_TEXT, MAX_TEXT, PAGE_RULES, type TextRule } from '../../../domain/page/rules.ts';
import {
  withCheck,
  choice,
  withDefaults,
  httpUrl,
  Id,
  InstantOut,
  ManagedBy,
  namedSchema,
  nullable,
  partial,
  Revision,
  text,
} from '../../schema.ts';

/**
 * Creates the schema of a text that must follow a rule of the domain. The schema checks the rule, so that one response
 * reports all invalid fields.
 */
const ruled = (
  { test, pattern, sentence }: TextRule,
  options: { maxLength?: number; examples?: string[] } = {},
): TString => withCheck(Type.String({ ...options, ...(pattern !== undefined && { pattern }) }), test, sentence);

const shortText = nullable(text(MAX_SHORT_TEXT));
const longText = nullable(text(MAX_TEXT));
const link = nullable(httpUrl(MAX_LINE));
const color = (rule: TextRule) => nullable(ruled(rule, { examples: ['#1A2B3C'] }));

/** The fields of a page that a client can set (docs/reference/pages.md#fields). */
const fields = {
  name: text(MAX_NAME, { min: 1 }),
  page_description: text(MAX_TEXT),
  subdomain: ruled(PAGE_RULES.subdomain, { examples: ['acme'] }),
  domain: nullable(ruled(PAGE_RULES.domain, { maxLength: MAX_SHORT_TEXT, examples: ['status.example.com'] })),
  language: ruled(PAGE_RULES.language, { examples: ['en'] }),
  time_zone: ruled(PAGE_RULES.time_zone, { examples: ['Europe/Moscow'] }),
  template: text(MAX_TEXT),
  template_id: text(MAX_TEXT),
  allow_email_subscribers: Type.Boolean(),
  allow_incident_subscribers: Type.Boolean(),
  allow_page_subscribers: Type.Boolean(),
  allow_rss_atom_feeds: Type.Boolean(),
  allow_sms_subscribers: Type.Boolean(),
  allow_webhook_subscribers: Type.Boolean(),
  hidden_from_search: Type.Boolean(),
  viewers_must_be_team_members: Type.Boolean(),
  ip_restrictions: nullable(
    ruled(PAGE_RULES.ip_restrictions, { maxLength: MAX_LINE, examples: ['192.0.2.7, 2001:db8::/32'] }),
  ),
  show_measurements: Type.Boolean({
    description: 'Whether components show the measurements of their checks beside the declared status.',
  }),
  show_edits: Type.Boolean({
    description:
      'Whether incident pages show edits and deletions of updates. Only those made after this was first enabled appear.',
  }),
  allow_history: Type.Boolean({
    description: 'Whether visitors may see the page as of a past moment. The default for a new page is true.',
  }),
  redirect_to_domain: Type.Boolean({ description: 'Whether the subdomain redirects to the custom domain.' }),
  allow_embedding: nullable(
    Type.Array(withCheck(Type.String({ maxLength: MAX_ORIGIN }), isOrigin, ORIGIN_SENTENCE), {
      maxItems: MAX_ORIGINS,
      description: 'Origins that may embed the page in a frame. Null or an empty list allows none.',
      examples: [['https://example.com', 'https://intranet.example.com:8443']],
    }),
  ),
  city: shortText,
  country: shortText,
  state: shortText,
  headline: nullable(text(MAX_LINE)),
  url: link,
  support_url: link,
  company_logo: link,
  email_logo: link,
  favicon_logo: link,
  transactional_logo: link,
  hero_cover: link,
  notifications_email_footer: longText,
  notifications_from_email: nullable(Type.String({ format: 'email', maxLength: MAX_SHORT_TEXT })),
  css_blues: longText,
  css_greens: longText,
  css_oranges: longText,
  css_reds: longText,
  css_yellows: longText,
  css_body_background_color: color(PAGE_RULES.css_body_background_color),
  css_border_color: color(PAGE_RULES.css_border_color),
  css_button_border_color: color(PAGE_RULES.css_button_border_color),
  css_button_color: color(PAGE_RULES.css_button_color),
  css_button_hover_color: color(PAGE_RULES.css_button_hover_color),
  css_button_text_color: color(PAGE_RULES.css_button_text_color),
  css_font_color: color(PAGE_RULES.css_font_color),
  css_graph_color: color(PAGE_RULES.css_graph_color),
  css_light_font_color: color(PAGE_RULES.css_light_font_color),
  css_link_color: color(PAGE_RULES.css_link_color),
  css_no_data: color(PAGE_RULES.css_no_data),
  css_spinner_color: color(PAGE_RULES.css_spinner_color),
  managed_by: ManagedBy,
};

const Fields = Type.Object(fields);

/** Body of PUT and PATCH: absent fields stay unchanged. */
export const PageChange = partial(Fields);

/** Body of POST: only the name is required. */
export const NewPage = Type.Object({ ...withDefaults(fields, PAGE_DEFAULTS), name: fields.name });

export const Page = namedSchema(
  'Page',
  Type.Object({
    id: Id,
    organization_id: Id,
    ...fields,
    worst_status: Type.Optional(
      choice(COMPONENT_STATUSES, {
        description: 'The worst status of its components. Present only in the list, with `include_status=true`.',
      }),
    ),
    activity_score: Type.Integer({ minimum: 0, description: 'Number of incident updates in the last 30 days.' }),
    revision: Revision,
    created_at: InstantOut,
    updated_at: InstantOut,
  }),
);
export type Page = Static<typeof Page>;

/**
 * A page as visitors see it, without access rules, embedding origins, notification settings and `managed_by`
 * (docs/reference/pages.md#lookup-by-domain).
 */
export const VisitedPage = namedSchema(
  'VisitedPage',
  Type.Omit(Page, [
    'ip_restrictions',
    'allow_embedding',
    'notifications_email_footer',
    'notifications_from_email',
    'worst_status',
    'managed_by',
    'revision',
  ]),
);
export type VisitedPage = Static<typeof VisitedPage>;

export const PageTemplate = namedSchema(
  'PageTemplate',
  Type.Object({
    id: Type.String({ description: 'The value for `template_id` of a page.' }),
    name: Type.String({ description: 'The value for `template` of a page.' }),
    description: Type.String(),
    picture: Type.String({
      description: 'URL of an SVG image of 320 by 200 pixels; a path if `PUBLIC_URL` is not set.',
      examples: ['/site/templates/compact.svg'],
    }),
  }),
);
