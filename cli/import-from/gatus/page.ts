import { isHttpUrl } from '../../../http/http-url.ts';
import type { ComponentEntry, NamedEntry } from '../../configuration/model.ts';
import { cut, uniqueNames, type Draft } from '../mapping/draft.ts';
import { mappingIn, textIn } from '../mapping/fields.ts';
import type { Mapping } from '../read-yaml.ts';
import type { ShownEndpoint } from './endpoint.ts';

const DEFAULT_TITLE = 'Health Dashboard';
const MAX_LINK = 200;

/** Adds a page that shows the endpoints by group, as the dashboard of Gatus does. */
export const addPage = (configuration: Mapping, endpoints: readonly ShownEndpoint[], draft: Draft): void => {
  if (endpoints.length === 0) return;
  const ui = mappingIn(configuration, 'ui') ?? {};
  const link = (key: string): string | null => {
    const text = textIn(ui, key) ?? '';
    return isHttpUrl(text) && text.length <= MAX_LINK ? text : null;
  };
  const optional = {
    headline: cut(textIn(ui, 'header') ?? '', 200),
    page_description: textIn(ui, 'description') ?? '',
  };
  const isProtected = mappingIn(configuration, 'security') !== undefined;
  if (isProtected)
    draft.note('The dashboard of Gatus requires a login (security), so only members of the organization see the page.');
  const [url, company_logo] = [link('link'), link('logo')];
  if ((textIn(ui, 'custom-css') ?? '') !== '')
    draft.note('The custom CSS of the dashboard is left out; set the colours of the page instead (css_…).');
  draft.addPage({
    name: cut((textIn(ui, 'title') ?? DEFAULT_TITLE).trim() || DEFAULT_TITLE, 100),
    ...(optional.headline !== '' && { headline: optional.headline }),
    ...(optional.page_description !== '' && { page_description: cut(optional.page_description, 10_000) }),
    ...(url !== null && { url }),
    ...(company_logo !== null && { company_logo }),
    ...(isProtected && { viewers_must_be_team_members: true }),
    show_measurements: true,
    ...componentsOf(endpoints),
  });
};

const componentsOf = (
  endpoints: readonly ShownEndpoint[],
): { component_groups?: NamedEntry[]; components: ComponentEntry[] } => {
  const groups = [...new Set(endpoints.flatMap(({ group }) => group ?? []))];
  const nameOf = uniqueNames(100);
  const components = endpoints.map(({ name, group, check }) => ({
    name: nameOf(name, group ?? ''),
    ...(group !== null && { group }),
    check,
    show_response_times: true,
  }));
  return { ...(groups.length > 0 && { component_groups: groups.map((name) => ({ name })) }), components };
};
