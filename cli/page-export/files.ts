/**
 * The files of an export. Only this file maps addresses below the root of a page to files. An HTML page is exported as
 * `index.html` in a folder of its own. So static hosts serve it at the same address with a slash, and relative links
 * resolve. An address with a query gets a path of its own, because static hosts ignore queries.
 */

/** An address below the root of a page, without a leading slash: `history?month=2026-11`. */
export interface PageAddress {
  path: string;
  /** the query with its question mark; empty if there is no query */
  search: string;
}

export const pageAddressOf = (address: string): PageAddress => {
  const mark = address.indexOf('?');
  return mark === -1 ? { path: address, search: '' } : { path: address.slice(0, mark), search: address.slice(mark) };
};

/**
 * Queries that select different content of a page. Each entry says to which paths and values of a query it applies.
 * `exported` returns the path at which the selected content is exported.
 */
const QUERIES: readonly {
  path: RegExp;
  name: string;
  value: RegExp;
  exported: (path: string, value: string) => string;
}[] = [
  {
    path: /^(?:groups\/[\w-]+)?$/,
    name: 'range',
    value: /^(?:24h|7d|30d)$/,
    exported: (path, value) => `${path === '' ? '' : `${path}/`}range/${value}`,
  },
  {
    path: /^(?:incidents|maintenances)\/[\w-]+$/,
    name: 'page',
    value: /^[1-9]\d{0,3}$/,
    exported: (path, value) => (value === '1' ? path : `${path}/page/${value}`),
  },
  { path: /^history$/, name: 'month', value: /^\d{4}-\d{2}$/, exported: (path, value) => `${path}/${value}` },
  {
    path: /^(?:.+\/)?badge\.svg$/,
    name: 'metric',
    value: /^(?:uptime|response_time)$/,
    exported: (path, value) => path.replace(/\.svg$/, `-${value}.svg`),
  },
];

/** Returns the exported path of an address. Queries that do not select other content are ignored. */
export const exportedPath = ({ path, search }: PageAddress): string => {
  const query = new URLSearchParams(search);
  for (const { path: of, name, value, exported } of QUERIES) {
    const given = query.get(name);
    if (given !== null && of.test(path) && value.test(given)) return exported(path, given);
  }
  return path;
};

/** Returns the file for an exported path. */
export const exportedFileOf = (path: string, isPage: boolean): string => {
  if (!isPage) return path;
  return path === '' ? 'index.html' : `${path}/index.html`;
};

/**
 * Returns the address below the root at which a static host serves an exported path. The address of an HTML page ends
 * with a slash.
 */
export const hostedAddressOf = (path: string): string =>
  path === '' || /\.[a-z0-9]+$/i.test(path) ? path : `${path}/`;

/** Returns the address of a file below the root. For an HTML page, this is its folder. */
export const addressOfFile = (file: string): string => file.replace(/(^|\/)index\.html$/, '$1');

/**
 * Matches a path segment that cannot lead out of its folder, is not hidden, and has no special meaning in file systems
 * or URLs.
 */
const SEGMENT = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}$/;

/** Whether a path is a safe file name below a folder. */
export const isSafe = (path: string): boolean => path.split('/').every((segment) => SEGMENT.test(segment));

const FEEDS = ['history.atom', 'history.rss', 'updates.atom', 'updates.rss', 'feed.json'];

/**
 * The addresses that a page can have. The addresses to which the service responds with 404 are left out of the export.
 */
export const PAGE_ADDRESSES: readonly string[] = [
  ...['', '?range=24h', '?range=7d', '?range=30d', 'history'],
  ...FEEDS,
  ...['maintenance.ics', 'badge.svg', 'badge.svg?metric=uptime', 'card.png', 'favicon.svg', 'manifest.webmanifest'],
  ...['robots.txt', 'sitemap.xml', 'embed', 'embed.js', 'embed.json'],
  ...['summary', 'status', 'components', 'incidents', 'incidents/unresolved', 'scheduled-maintenances'].map(api),
  ...['scheduled-maintenances/active', 'scheduled-maintenances/upcoming'].map(api),
];

/** Returns the addresses of a visible component. */
export const componentAddresses = (id: string): string[] => {
  const own = `components/${id}`;
  const badges = ['', '?metric=uptime', '?metric=response_time'].map((query) => `badge.svg${query}`);
  return [own, ...[...badges, ...FEEDS].map((name) => `${own}/${name}`)];
};

/** Returns the addresses of a visible group. */
export const groupAddresses = (id: string): string[] => {
  const own = `groups/${id}`;
  const badges = ['', '?metric=uptime'].map((query) => `components/${id}/badge.svg${query}`);
  const ranges = ['24h', '7d', '30d'].map((range) => `${own}?range=${range}`);
  return [own, ...ranges, ...badges, ...FEEDS.map((name) => `${own}/${name}`)];
};

/** Returns the addresses of an incident or a maintenance. */
export const incidentAddresses = (id: string, isMaintenance: boolean, hasCard: boolean): string[] => {
  const own = `${isMaintenance ? 'maintenances' : 'incidents'}/${id}`;
  return [
    own,
    ...FEEDS.map((name) => `incidents/${id}/${name}`),
    api(`incidents/${id}`),
    ...(isMaintenance ? [`${own}/maintenance.ics`] : []),
    ...(hasCard ? [`incidents/${id}/card.png`] : []),
  ];
};

function api(name: string): string {
  return `api/v2/${name}.json`;
}

/**
 * Returns the history addresses from one month to another, newest first. Both months are inclusive and have the form
 * `YYYY-MM`.
 */
export const monthAddresses = (from: string, to: string, most: number): string[] => {
  const places: string[] = [];
  let [year = 0, month = 0] = to.split('-').map(Number);
  for (;;) {
    const name = `${year.toString().padStart(4, '0')}-${month.toString().padStart(2, '0')}`;
    if (name < from || places.length === most) return places;
    places.push(`history?month=${name}`);
    [year, month] = month === 1 ? [year - 1, 12] : [year, month - 1];
  }
};

/** Whether the target of a link is exported even if no list above names it, for example a stylesheet. */
export const isFollowed = (path: string): boolean =>
  isSafe(path) &&
  (/\.[a-z0-9]+$/.test(path) || /^(?:history|components\/|groups\/|incidents\/|maintenances\/)/.test(path));
