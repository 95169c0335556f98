import { callApi } from '../program.ts';
import { HOUR_MS } from '../../../domain/time.ts';

/** Calls the API as an admin. @throws Error if the request fails */
export type ApiCall = <T = { id: string }>(method: string, path: string, body?: object) => Promise<T>;

export const createApiCall =
  (address: string, key: string): ApiCall =>
  async <T>(method: string, path: string, body?: object) => {
    const answer = await callApi({ address }, key, method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body as T;
  };

const DAY = 24;

/** Returns the instant this many hours ago. A negative number means the future. */
const ago = (hours: number): string => new Date(Date.now() - hours * HOUR_MS).toISOString();
const START = 400 * DAY;

/** A past incident. `from` is how many hours ago it began, and `length` its duration in hours. */
interface Past {
  name: string;
  impact: string;
  component: string;
  status: string;
  from: number;
  length: number;
  texts: readonly [string, string, string];
}

/** Creates a page. @returns functions that fill the page as editors do */
export const makePage = async (call: ApiCall, fields: object) => {
  const { id } = await call('POST', '/v1/pages', fields);
  const page = `/v1/pages/${id}`;
  return {
    id,
    path: page,
    component: async (name: string, more: object = {}): Promise<string> => {
      const body = { name, start_date: ago(START).slice(0, 10), ...more };
      return (await call('POST', `${page}/components`, body)).id;
    },
    group: async (name: string): Promise<string> => (await call('POST', `${page}/component-groups`, { name })).id,
    incident: async (body: object): Promise<string> => (await call('POST', `${page}/incidents`, body)).id,
    update: (incident: string, body: object) =>
      call<{ id: string }>('POST', `${page}/incidents/${incident}/incident_updates`, body),
    past: async ({ component, status, from, length, texts, ...incident }: Past): Promise<void> => {
      const [investigating, monitoring, resolved] = texts;
      await call('POST', `${page}/incidents/log-past-incident`, {
        ...incident,
        incident_updates: [
          {
            status: 'investigating',
            body: investigating,
            created_at: ago(from),
            components: { [component]: status },
          },
          { status: 'monitoring', body: monitoring, created_at: ago(from - length / 2) },
          {
            status: 'resolved',
            body: resolved,
            created_at: ago(from - length),
            components: { [component]: 'operational' },
          },
        ],
      });
    },
  };
};
export type SamplePage = Awaited<ReturnType<typeof makePage>>;

const ABOUT = {
  time_zone: 'Europe/Berlin',
  url: 'https://acme.example',
  support_url: 'https://acme.example/help',
  allow_page_subscribers: true,
  allow_email_subscribers: true,
};

const pastOf = async (page: SamplePage, { shop, api, search, mail, invoices }: Record<string, string>) => {
  const past = (
    from: number,
    length: number,
    name: string,
    impact: string,
    component: string | undefined,
    status: string,
    texts: Past['texts'],
  ) => page.past({ from, length, name, impact, component: component ?? '', status, texts });
  await past(30, 3, 'Search is slow', 'minor', search, 'degraded_performance', [
    'Searches take up to ten seconds. We are looking into it.',
    'An index has been rebuilt, and searches are fast again. We keep watching.',
    'Searches have been fast for an hour and a half.',
  ]);
  await past(5 * DAY + 3, 0.4, 'Shop is unreachable', 'critical', shop, 'major_outage', [
    'The shop does not respond. Orders that were placed before are safe.',
    'The database has failed over to its replica, and the shop responds again.',
    'The shop works as usual.',
  ]);
  await past(12 * DAY, 5, 'Invoices are missing', 'major', invoices, 'major_outage', [
    'Invoices of today are not listed. None is lost.',
    'A job that lists invoices was started again.',
    'All invoices are listed.',
  ]);
  await past(33 * DAY, 2, 'API rejects some keys', 'major', api, 'partial_outage', [
    'Keys that were created this week are rejected.',
    'A deployment was rolled back.',
    'All keys are accepted.',
  ]);
  await past(61 * DAY, 20, 'E-mails are late', 'minor', mail, 'degraded_performance', [
    'E-mails arrive up to an hour late, since one provider throttles us.',
    'We send through a second provider.',
    'The backlog has been delivered.',
  ]);
};

/** Creates a page with the components of a shop and five incidents in the last 90 days. */
const shopOf = async (call: ApiCall, fields: object) => {
  const page = await makePage(call, {
    ...ABOUT,
    page_description: 'Live status of the shop and its services.',
    ...fields,
  });
  const storefront = await page.group('Storefront');
  const office = await page.group('Back office');
  const shop = await page.component('Shop', { group_id: storefront, description: 'Browsing, cart and checkout.' });
  const api = await page.component('API', { group_id: storefront });
  const search = await page.component('Search', { group_id: storefront });
  const invoices = await page.component('Invoices', { group_id: office });
  const reports = await page.component('Reports and exports for accounting, by month and by country', {
    group_id: office,
  });
  const mail = await page.component('E-mail delivery');
  await pastOf(page, { shop, api, search, mail, invoices });
  return { ...page, storefront, office, shop, api, search, invoices, reports, mail };
};

/**
 * Creates pages in the states that visitors may see: `acme` (with an incident), `calm`, `upkeep` (in maintenance),
 * `fresh` (empty), `he` (in Hebrew).
 */
export const fillSamples = async (call: ApiCall) => {
  const acme = await shopOf(call, { name: 'Acme', subdomain: 'acme' });
  const incident = await acme.incident({
    name: 'Checkout fails for some cards',
    impact: 'major',
    status: 'investigating',
    body: 'Some customers can’t pay by card. We are looking into it.',
    components: { [acme.shop]: 'partial_outage', [acme.api]: 'degraded_performance' },
  });
  await acme.update(incident, {
    status: 'identified',
    body: 'A payment provider rejects cards of *one* issuer. We route around it:\n\n- cards of other issuers work\n- paying by invoice works',
  });
  const planned = {
    name: 'Database upgrade',
    status: 'scheduled',
    body: 'The shop is read-only for about half an hour.',
    scheduled_for: ago(-50),
    scheduled_until: ago(-51),
  };
  const maintenance = await acme.incident({ ...planned, components: { [acme.shop]: 'under_maintenance' } });

  await shopOf(call, { name: 'Calm', subdomain: 'calm' });

  const upkeep = await shopOf(call, { name: 'Upkeep', subdomain: 'upkeep' });
  const underWay = await upkeep.incident({
    ...planned,
    scheduled_for: ago(0.5),
    scheduled_until: ago(-0.5),
    components: { [upkeep.mail]: 'under_maintenance' },
  });
  await call('PATCH', `${upkeep.path}/incidents/${underWay}`, {
    status: 'in_progress',
    body: 'The upgrade has begun.',
    components: { [upkeep.mail]: 'under_maintenance' },
  });

  await makePage(call, { name: 'Fresh', subdomain: 'fresh' });
  await shopOf(call, { name: 'חנות', subdomain: 'he', language: 'he' });
  return { acme, incident, maintenance, underWay };
};
export type Samples = Awaited<ReturnType<typeof fillSamples>>;
