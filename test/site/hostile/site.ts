import { pageRoutes } from '../../../site/pages/routes.ts';
import { startPublishedSite, type PublishedSite } from '../pages/published-site.ts';
import { fitting, HOSTILE_ADDRESSES, HOSTILE_RULES, HOSTILE_TEXTS } from './texts.ts';

/** The public URL of the service. */
export const SERVICE = 'https://status.example.org';

/** Maximum lengths of the short texts of a page. */
const LINES = { name: 100, headline: 200, city: 100, country: 100, state: 100 };
const LONG = ['page_description', 'notifications_email_footer'];
const ADDRESSES = [
  'url',
  'support_url',
  'company_logo',
  'favicon_logo',
  'hero_cover',
  'email_logo',
  'transactional_logo',
];
const RULES = ['css_greens', 'css_blues', 'css_yellows', 'css_oranges', 'css_reds'];

/** Fields of a page that the API validates. Hostile values that it accepts must be harmless too. */
const CHECKED = ['time_zone', 'language', 'domain', 'css_body_background_color', 'css_no_data', 'template'];

export interface Ids {
  component: string;
  group: string;
  incident: string;
  maintenance: string;
}

export interface HostileSite {
  site: PublishedSite;
  ids: Ids;
  /** Writes the hostile texts of a round into every field. @returns the number of fields that the API rejected */
  attack: (round: number) => Promise<number>;
  stop: () => Promise<void>;
}

/** Number of rounds after which every text, URL and rule has been in every field of its kind. */
export const ROUNDS = Math.max(HOSTILE_TEXTS.length, HOSTILE_ADDRESSES.length, HOSTILE_RULES.length);

/** Starts a service with a page, a group, a component, incidents and maintenances whose texts are all hostile. */
export const startHostile = async (): Promise<HostileSite> => {
  const site = await startPublishedSite({ show_edits: true, allow_sms_subscribers: true }, { publicUrl: SERVICE });
  const group = await site.group('Group');
  const component = await site.component('Component', { group_id: group });
  const incident = String((await site.incident({ components: { [component]: 'major_outage' } }))['id']);
  const maintenance = String(
    (
      await site.incident({
        name: 'Upgrade',
        status: 'scheduled',
        scheduled_for: '2026-11-29T02:00:00Z',
        scheduled_until: '2026-11-29T03:30:00Z',
        components: { [component]: 'under_maintenance' },
      })
    )['id'],
  );
  const past = String((await site.incident({ components: {} }))['id']);
  const offer = async (method: string, path: string, body: object): Promise<number> => {
    const { status, text } = await site.service.request(method, `/v1/pages/${site.pageId}${path}`, { body });
    if (status >= 500) throw new Error(`${method} ${path}: ${status} ${text}`);
    return status < 300 ? 0 : 1;
  };

  const attack: HostileSite['attack'] = async (round) => {
    const text = HOSTILE_TEXTS[round % HOSTILE_TEXTS.length] ?? '';
    const address = HOSTILE_ADDRESSES[round % HOSTILE_ADDRESSES.length] ?? '';
    const rules = HOSTILE_RULES[round % HOSTILE_RULES.length] ?? '';
    const lines = Object.fromEntries(Object.entries(LINES).map(([field, most]) => [field, fitting(text, most)]));
    const long = Object.fromEntries(LONG.map((field) => [field, fitting(text, 10_000)]));
    const named = { name: fitting(text, 100), description: fitting(text, 10_000) };
    const body = fitting(text, 10_000);
    let refused = 0;
    const each = async (field: string, value: string): Promise<void> => {
      refused += await offer('PATCH', '', { [field]: value });
    };
    refused += await offer('PATCH', '', { ...lines, ...long });
    for (const field of ADDRESSES) await each(field, address);
    for (const field of RULES) await each(field, rules);
    for (const field of CHECKED) await each(field, fitting(text, 60));
    refused += await offer('PATCH', `/components/${component}`, named);
    refused += await offer('PATCH', `/component-groups/${group}`, named);
    for (const id of [incident, maintenance, past]) {
      refused += await offer('PATCH', `/incidents/${id}`, { name: fitting(text, 200) });
      refused += await offer('POST', `/incidents/${id}/incident_updates`, { body });
    }
    refused += await offer('POST', `/incidents/${past}/incident_updates`, { body, status: 'resolved' });
    refused += await offer('PUT', `/incidents/${past}/postmortem`, { body_draft: body });
    refused += await offer('PUT', `/incidents/${past}/postmortem/publish`, {});
    return refused;
  };
  return { site, ids: { component, group, incident, maintenance }, attack, stop: site.stop };
};

const INCIDENT_FILES = (id: string): string => `${id}.json`;

/** Returns the paths of all routes of a page, relative to its root. */
export const everyPath = ({ component, group, incident, maintenance }: Ids): string[] => {
  const values: Readonly<Record<string, (path: string) => string>> = {
    component_id: () => component,
    group_id: () => group,
    incident_id: (path) => (path.startsWith('/maintenances') ? maintenance : incident),
    maintenance_id: () => maintenance,
    incident_file: () => INCIDENT_FILES(incident),
    id: (path) => (path.startsWith('/groups') ? group : path.startsWith('/components') ? component : incident),
  };
  return (
    pageRoutes
      .filter(({ methods }) => methods.includes('get'))
      .map(({ path }) =>
        path.slice('/status/{subdomain}'.length).replace(/\{(\w+)\}/g, (_, name: string) => {
          const value = values[name];
          if (!value) throw new Error(`The hostile suite has no value for {${name}} of ${path}.`);
          return value(path.slice('/status/{subdomain}'.length));
        }),
      )
      // The event stream never ends, and has a separate test.
      .filter((path) => path !== '/events')
      .map((path) => path.slice(1))
  );
};
