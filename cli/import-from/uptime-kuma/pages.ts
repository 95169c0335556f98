import type { ComponentEntry, NamedEntry, PageEntry } from '../../configuration/model.ts';
import { cut, uniqueNames } from '../naming.ts';
import type { Remarks } from '../remarks.ts';
import type { MappedMonitors } from './checks.ts';
import { isOn, key, rowsBy, text, type Row } from '../rows.ts';
import type { KumaData } from './data.ts';

const MAX_DESCRIPTION = 10_000;
const MAX_SUBDOMAIN = 63;

/** A component, by what incidents and maintenances need to find it. */
export interface PlacedComponent {
  monitor: string;
  name: string;
  group: string | null;
}

/** A page with its components in their order. */
export interface PlacedPage {
  name: string;
  /** the name of the page in its address in Uptime Kuma */
  slug: string;
  components: readonly PlacedComponent[];
}

/** The pages, and their names and components by the id of the status page. */
export interface Pages {
  entries: PageEntry[];
  byId: ReadonlyMap<string, PlacedPage>;
}

/** Maps status pages with their groups and monitors. */
export const pagesOf = (data: KumaData, monitors: MappedMonitors, remarks: Remarks): Pages => {
  const naming = uniqueNames('Status page');
  const subdomains = uniqueNames('page', MAX_SUBDOMAIN);
  const byPage = rowsBy(data.groups, 'status_page_id');
  const members = rowsBy(data.groupMonitors, 'group_id');
  const domains = rowsBy(data.domains, 'status_page_id');
  const byId = new Map<string, PlacedPage>();
  const entries = data.pages.map((row): PageEntry => {
    const name = naming(text(row, 'title'));
    const { groups, components, placed } = componentsOf(byPage.get(key(row, 'id')) ?? [], members, monitors, remarks);
    byId.set(key(row, 'id'), { name, slug: text(row, 'slug'), components: placed });
    remarkAppearance(row, name, remarks);
    return {
      name,
      ...fieldsOf(row, name, remarks),
      subdomain: subdomainOf(text(row, 'slug'), subdomains),
      ...domainOf(domains.get(key(row, 'id')) ?? [], name, remarks),
      component_groups: groups,
      components,
    };
  });
  if (entries.length > 0) {
    remarks.add(
      'Status pages show the measurements of checks beside the status of each component, which people, incidents and alerts set. An alert channel of the type statuspage sets it automatically.',
    );
  }
  return { entries, byId };
};

const subdomainOf = (slug: string, naming: (name: string) => string): string => {
  const plain = slug
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, '-')
    .replace(/^-+|-+$/g, '');
  const long = plain.length < 2 ? `${plain || 'a'}-page` : plain.slice(0, MAX_SUBDOMAIN).replace(/-+$/, '');
  return naming(long)
    .replace(/ \((\d+)\)$/, '-$1')
    .slice(-MAX_SUBDOMAIN);
};

const fieldsOf = (row: Row, name: string, remarks: Remarks) => {
  const isHidden = !isOn(row, 'published', true) || text(row, 'password') !== '';
  if (isHidden) {
    remarks.about(
      name,
      'is not public, so only members of the organization see the page. Page passwords let others in.',
    );
  }
  return {
    page_description: cut(text(row, 'description').trim(), MAX_DESCRIPTION),
    hidden_from_search: !isOn(row, 'search_engine_index', true),
    show_measurements: true,
    ...(isHidden && { viewers_must_be_team_members: true }),
  };
};

const domainOf = (rows: readonly Row[], name: string, remarks: Remarks): { domain?: string } => {
  const domains = rows
    .map((row) => text(row, 'domain').trim().toLowerCase())
    .filter((domain) => /^[^\s/:]{1,100}$/.test(domain) && /[^\d.]/.test(domain));
  if (domains.length > 1) remarks.about(name, 'has one domain; the others of the status page were left out.');
  const [domain] = domains;
  return domain === undefined ? {} : { domain };
};

const remarkAppearance = (row: Row, name: string, remarks: Remarks): void => {
  if (text(row, 'custom_css').trim() !== '' || text(row, 'footer_text').trim() !== '') {
    remarks.about(
      name,
      'was imported without its own CSS and footer. Set colours, a logo and links in the appearance of the page.',
    );
  }
  if (!['', '/icon.svg'].includes(text(row, 'icon'))) {
    remarks.about(name, 'was imported without its icon. Set the address of a picture as company_logo.');
  }
  if (text(row, 'google_analytics_tag_id') !== '' || text(row, 'analytics_id') !== '') {
    remarks.about(name, 'was imported without analytics, because status pages contain no scripts of third parties.');
  }
};

const componentsOf = (
  groups: readonly Row[],
  members: ReadonlyMap<string, readonly Row[]>,
  { references, groupTags, names }: MappedMonitors,
  remarks: Remarks,
) => {
  const groupNaming = uniqueNames('Services');
  const componentNaming = uniqueNames('Component');
  const entries: NamedEntry[] = [];
  const components: ComponentEntry[] = [];
  const placed: PlacedComponent[] = [];
  for (const [index, row] of groups.entries()) {
    const group = groupNaming(text(row, 'name'));
    entries.push({ name: group, position: index + 1 });
    for (const [place, member] of (members.get(key(row, 'id')) ?? []).entries()) {
      const monitor = key(member, 'monitor_id');
      const known = names.get(monitor);
      // A monitor that was deleted can still be named by a damaged database.
      if (known === undefined) continue;
      const name = componentNaming(known, group);
      const check = references.get(monitor);
      const tag = groupTags.get(monitor);
      if (check === undefined && tag === undefined) {
        remarks.about(name, 'is a component without a check. Set its status by hand, by incidents or by an alert.');
      }
      components.push({
        name,
        group,
        position: place + 1,
        ...(check !== undefined && { check }),
        ...(check === undefined && tag !== undefined && { check_tag: tag }),
      });
      placed.push({ monitor, name, group });
    }
  }
  return { groups: entries, components, placed };
};
