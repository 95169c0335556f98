import type { Schemas } from '../../api/openapi.d.ts';
import type { RequestOf } from '../../api/request.ts';

export type Page = Schemas['Page'];
export type PageChange = NonNullable<RequestOf<'PATCH /v1/pages/{page_id}'>['body']>;

type FieldsOf<Value> = { [Name in keyof PageChange]-?: Page[Name] extends Value ? Name : never }[keyof PageChange];
/** Names of the text fields of a page, including nullable ones. */
export type TextName = FieldsOf<string | null>;
export type FlagName = FieldsOf<boolean>;

export const TEXT_NAMES = [
  'name',
  'page_description',
  'subdomain',
  'domain',
  'language',
  'time_zone',
  'template',
  'template_id',
  'ip_restrictions',
  'city',
  'country',
  'state',
  'headline',
  'url',
  'support_url',
  'company_logo',
  'email_logo',
  'favicon_logo',
  'transactional_logo',
  'hero_cover',
  'notifications_email_footer',
  'notifications_from_email',
  'css_blues',
  'css_greens',
  'css_oranges',
  'css_reds',
  'css_yellows',
  'css_body_background_color',
  'css_border_color',
  'css_button_border_color',
  'css_button_color',
  'css_button_hover_color',
  'css_button_text_color',
  'css_font_color',
  'css_graph_color',
  'css_light_font_color',
  'css_link_color',
  'css_no_data',
  'css_spinner_color',
] as const satisfies readonly TextName[];

export const FLAG_NAMES = [
  'allow_email_subscribers',
  'allow_incident_subscribers',
  'allow_page_subscribers',
  'allow_rss_atom_feeds',
  'allow_sms_subscribers',
  'allow_webhook_subscribers',
  'hidden_from_search',
  'viewers_must_be_team_members',
  'show_measurements',
  'show_edits',
  'allow_history',
  'redirect_to_domain',
] as const satisfies readonly FlagName[];

/** Names of text fields that are never null. If they are empty, the API expects an empty text. */
const NEVER_NULL: ReadonlySet<string> = new Set<TextName>([
  'name',
  'page_description',
  'subdomain',
  'language',
  'time_zone',
  'template',
  'template_id',
]);

/** The values of a form. */
export interface PageFormValues {
  texts: Readonly<Record<TextName, string>>;
  flags: Readonly<Record<FlagName, boolean>>;
  /** origins that are allowed to embed the page */
  origins: readonly string[];
}

/** Converts a page to form values. */
export const pageFormValuesOf = (page: Page): PageFormValues => ({
  texts: Object.fromEntries(TEXT_NAMES.map((name) => [name, textIn(page, name)])) as PageFormValues['texts'],
  flags: Object.fromEntries(FLAG_NAMES.map((name) => [name, page[name]])) as PageFormValues['flags'],
  origins: page.allow_embedding ?? [],
});

/** Returns the form value of a text field of a page. */
const textIn = (page: Page, name: TextName): string => page[name] ?? '';

/** Converts the form value of a text field for the API, where most empty fields are null. */
export const storedText = (name: TextName, text: string): string | null =>
  text.trim() === '' && !NEVER_NULL.has(name) ? null : text;

/** Returns the changed fields of a page, as the body of a PATCH request. */
export const changesOf = (page: Page, { texts, flags, origins }: PageFormValues): PageChange => {
  const changes: Record<string, unknown> = {};
  for (const name of TEXT_NAMES) {
    const value = storedText(name, texts[name]);
    if (value !== page[name]) changes[name] = value;
  }
  for (const name of FLAG_NAMES) {
    if (flags[name] !== page[name]) changes[name] = flags[name];
  }
  const before = page.allow_embedding ?? [];
  if (origins.join(' ') !== before.join(' ')) {
    changes['allow_embedding'] = origins.length === 0 ? null : origins;
  }
  return changes;
};
