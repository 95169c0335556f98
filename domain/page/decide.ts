import type { EventOf } from '../event-types.ts';
import { changedFields } from '../changes.ts';
import type { Instant } from '../time.ts';
import type { NameClaims, PageEvent } from './events.ts';
import type { PageFields } from './fields.ts';
import {
  assertClaim,
  ClaimLost,
  holdsName,
  NAME_KINDS,
  normalizedSubdomain,
  reservedName,
  storedDomain,
  type NameKind,
} from './names.ts';
import { storedOrigins } from './origins.ts';
import { checkPageFields } from './rules.ts';
import { existing, type ActivePage, type Page } from './state.ts';
import { DEFAULT_TEMPLATE } from './templates.ts';

/** The fields of a page in a request. Absent fields stay unchanged. */
export type PageInput = Partial<PageFields>;

/** Defaults of a new page. */
export const PAGE_DEFAULTS: Omit<PageFields, 'name' | 'subdomain'> = {
  page_description: '',
  domain: null,
  language: 'en',
  time_zone: 'UTC',
  template: DEFAULT_TEMPLATE.name,
  template_id: DEFAULT_TEMPLATE.id,
  allow_email_subscribers: true,
  allow_incident_subscribers: true,
  allow_page_subscribers: true,
  allow_rss_atom_feeds: true,
  allow_sms_subscribers: false,
  allow_webhook_subscribers: true,
  hidden_from_search: false,
  viewers_must_be_team_members: false,
  ip_restrictions: null,
  show_measurements: false,
  show_edits: true,
  allow_history: true,
  redirect_to_domain: false,
  allow_embedding: null,
  city: null,
  country: null,
  state: null,
  headline: null,
  url: null,
  support_url: null,
  company_logo: null,
  email_logo: null,
  favicon_logo: null,
  transactional_logo: null,
  hero_cover: null,
  notifications_email_footer: null,
  notifications_from_email: null,
  css_blues: null,
  css_greens: null,
  css_oranges: null,
  css_reds: null,
  css_yellows: null,
  css_body_background_color: null,
  css_border_color: null,
  css_button_border_color: null,
  css_button_color: null,
  css_button_hover_color: null,
  css_button_text_color: null,
  css_font_color: null,
  css_graph_color: null,
  css_light_font_color: null,
  css_link_color: null,
  css_no_data: null,
  css_spinner_color: null,
};

const FIELDS = ['name', 'subdomain', ...Object.keys(PAGE_DEFAULTS), 'managed_by'] as readonly (keyof PageFields)[];

/** Validates an input, drops unknown fields, and normalises names. @throws Invalid */
const checkedInput = (input: PageInput): PageInput => {
  checkPageFields(input);
  const known = Object.fromEntries(
    FIELDS.filter((field) => input[field] !== undefined).map((field) => [field, input[field]]),
  ) as PageInput;
  if (known.subdomain !== undefined) known.subdomain = normalizedSubdomain(known.subdomain);
  if (typeof known.domain === 'string') known.domain = storedDomain(known.domain);
  if (known.allow_embedding) known.allow_embedding = storedOrigins(known.allow_embedding);
  return known;
};

/**
 * Returns all fields of a new page. A field that the input lacks has its default value
 * (docs/reference/pages.md#fields).
 *
 * @throws Invalid
 */
export const newPageFields = (input: PageInput & Pick<PageFields, 'name' | 'subdomain'>): PageFields => ({
  ...PAGE_DEFAULTS,
  ...(checkedInput(input) as Pick<PageFields, 'name' | 'subdomain'>),
});

/**
 * Creates a page. The command must have claimed the page's names before. Returns no event if the page was already
 * created.
 *
 * @throws ClaimLost another page has taken over a name or the quota slot, so this page can never be created
 */
export const createPage = (
  page: Page,
  id: string,
  fields: PageFields,
  claims: NameClaims,
  now: Instant,
): EventOf<'PageCreated'>[] => {
  if (page.status === 'abandoned')
    throw new ClaimLost('Another page has taken over a name or the quota slot of this page.');
  if (page.status !== 'absent') return [];
  return [{ type: 'PageCreated', data: { page_id: id, created_at: now, page: fields, claims } }];
};

/** Returns the fields that an input would change, with their new values. @throws Invalid */
export const changesOf = (page: ActivePage, input: PageInput): PageInput =>
  changedFields(page.fields, checkedInput(input))?.changes ?? {};

/**
 * Returns the unique names in an input that the page does not have yet. The names are in the form in which names are
 * reserved.
 */
export const newNamesOf = (page: ActivePage, input: PageInput): Map<NameKind, string> => {
  const names = new Map<NameKind, string>();
  const wanted = { ...page.fields, ...changesOf(page, input) };
  for (const kind of NAME_KINDS) {
    const name = reservedName(kind, wanted);
    if (name !== null && !holdsName(page, kind, name)) names.set(kind, name);
  }
  return names;
};

/**
 * Changes a page.
 *
 * @throws NotFound
 * @throws Invalid
 * @throws ClaimLost a new name is not claimed for the page, or another page has taken it over
 */
export const updatePage = (state: Page, input: PageInput, claims: NameClaims, now: Instant): PageEvent[] => {
  const page = existing(state);
  const changed = changedFields(page.fields, checkedInput(input));
  if (!changed) return [];
  const used: NameClaims = {};
  for (const [kind, name] of newNamesOf(page, input)) {
    // If another command changed the page after this command had claimed names, this command might have no claim on the
    // name.
    const claim = claims[kind] ?? 0;
    assertClaim(page, kind, name, claim);
    used[kind] = claim;
  }
  return [{ type: 'PageUpdated', data: { page_id: page.id, changed_at: now, ...changed, claims: used } }];
};

/**
 * Deletes a page. Its components, incidents and subscribers become invisible too, but their events remain in the log.
 *
 * @throws NotFound
 */
export const deletePage = (state: Page, now: Instant): EventOf<'PageDeleted'> => ({
  type: 'PageDeleted',
  data: { page_id: existing(state).id, deleted_at: now },
});

/**
 * The filter of an export of subscribers. Without `mode`, subscribers of all modes are exported. Without `status`,
 * subscribers of all statuses except `unsubscribed` are exported.
 */
export interface ExportedSubscribers {
  mode?: readonly string[];
  status?: readonly string[];
}

/** Records an export of the addresses of a page's subscribers. @throws NotFound */
export const exportSubscribers = (
  state: Page,
  { mode, status }: ExportedSubscribers,
  now: Instant,
): EventOf<'PageSubscribersExported'> => ({
  type: 'PageSubscribersExported',
  data: {
    page_id: existing(state).id,
    ...(mode && { mode: [...mode] }),
    ...(status && { status: [...status] }),
    exported_at: now,
  },
});

/** Closes the stream of a page that does not exist, so that this page can never be created. */
export const abandonPage = (page: Page, pageId: string): EventOf<'PageCreationAbandoned'>[] =>
  page.status === 'absent' ? [{ type: 'PageCreationAbandoned', data: { page_id: pageId } }] : [];

/**
 * Closes an unused claim of a page on a name, so that another page can take over the name. Returns no event if the page
 * has the name or is deleted, or if the claim is already closed.
 */
export const abandonName = (page: Page, pageId: string, kind: NameKind, name: string, claim: number): PageEvent[] => {
  if (page.status === 'absent') return abandonPage(page, pageId);
  if (page.status !== 'active' || holdsName(page, kind, name)) return [];
  if (claim <= (page.abandoned[kind].get(name) ?? 0)) return [];
  return [
    kind === 'subdomain'
      ? { type: 'SubdomainChangeAbandoned', data: { page_id: pageId, subdomain: name, claim } }
      : { type: 'DomainChangeAbandoned', data: { page_id: pageId, domain: name, claim } },
  ];
};
