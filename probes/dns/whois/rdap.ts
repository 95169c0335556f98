import { locationIn } from '../../../network/http/fields.ts';
import { httpFetch, type HttpResponseWithBody } from '../../../network/http-request.ts';
import { ownRegistryOf, topLevelOf } from './registrable-domain.ts';
import { LookupFailure, notRegistered } from './look-up-failure.ts';
import type { WhoisInfo } from './whois-info.ts';
import { queryRegistryServer, type LookUpInProgress } from './query-server.ts';
import { infoOfRdap } from './rdap-response.ts';
import { shareResult, cachedOrPending } from './shared-look-ups.ts';
import { DAY_SECONDS, HOUR_SECONDS } from '../../../domain/time.ts';

/** Maximum size of a response, in bytes. */
const MOST = 64 * 1_024;
/** Maximum size of IANA's list of RDAP servers, in bytes. In 2026 the list was about a tenth of this size. */
const MOST_OF_BOOTSTRAP = 1_024 * 1_024;
const MAX_REDIRECTS = 3;
/**
 * Minimum interval at which runs start to request the list, in milliseconds: long enough for the first run to announce
 * its request to the others.
 */
const CLAIM_MS = 20;

/**
 * Queries a domain's registry by RDAP (RFC 9082, 9083).
 *
 * If the context's signal aborts, rejects with the signal's reason.
 *
 * @throws LookupFailure, LocalFailure
 */
export const overRdap = async (domain: string, inquiry: LookUpInProgress): Promise<WhoisInfo> => {
  if (ownRegistryOf(domain) !== null) throw new LookupFailure(`The registry of ${domain} is not known to offer RDAP.`);
  const servers = await serversOf(inquiry);
  const topLevel = topLevelOf(domain);
  // A top-level domain may be any word, even `constructor`.
  const base = Object.hasOwn(servers, topLevel) ? servers[topLevel] : undefined;
  if (base === undefined) throw new LookupFailure(`The registry of .${topLevel} is not known to offer RDAP.`);
  let url = new URL(`domain/${domain}`, base.endsWith('/') ? base : `${base}/`);
  for (let redirects = 0; ; redirects++) {
    const { status, headers, body } = await get(url, MOST, inquiry);
    if (status === 200) {
      const info = infoOfRdap(jsonOf(body), domain);
      if (!info) throw new LookupFailure(`The answer of ${url.host} is not an RDAP answer about a domain.`);
      return info;
    }
    if (status === 404) throw notRegistered(domain, url.host);
    const next = status > 300 && status < 400 ? locationOf(locationIn(headers), url) : null;
    if (!next) throw new LookupFailure(`${url.host} answered with HTTP status ${status} over RDAP.`);
    if (redirects === MAX_REDIRECTS) throw new LookupFailure(`${url.host} redirects too often.`);
    url = next;
  }
};

/** Returns the target of a redirect; null if it is missing, or if it leads from HTTPS to HTTP. */
const locationOf = (location: string | undefined, from: URL): URL | null => {
  if (location === undefined || !URL.canParse(location, from.href)) return null;
  const next = new URL(location, from.href);
  return next.protocol === 'https:' || next.protocol === from.protocol ? next : null;
};

const get = (url: URL, most: number, inquiry: LookUpInProgress): Promise<HttpResponseWithBody> =>
  queryRegistryServer(url.host, inquiry, (context) =>
    httpFetch(
      {
        url,
        method: 'GET',
        headers: { accept: 'application/rdap+json, application/json', 'user-agent': 'Uptrail' },
        body: null,
      },
      most,
      context,
    ),
  );

const jsonOf = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString()) as unknown;
  } catch {
    return null;
  }
};

/** RDAP servers by top-level domain. */
type Servers = Record<string, string>;

/** Returns the servers that IANA lists (RFC 9224), cached for a day. */
const serversOf = async (inquiry: LookUpInProgress): Promise<Servers> => {
  const { deadline, context } = inquiry;
  const { memory, clock, signal, registries } = context;
  const url = new URL(registries.rdapBootstrapUrl);
  const key = `RDAP servers of ${url.href}`;
  let known = (await memory.get(key)) as Servers | string | undefined;
  if (known === undefined) {
    // Runs for many registries start simultaneously and need the same list. One run requests the list, and the other
    // runs wait for it.
    await memory.waitForSlot(key, CLAIM_MS, signal);
    const now = clock.monotonic();
    known = (await cachedOrPending(key, now + (deadline - now) / 2, context)) as Servers | string | undefined;
  }
  // A string is a cached failure. Without the cache, the look-up of every domain would repeat the failed request.
  if (typeof known === 'string') throw new LookupFailure(known);
  return known ?? shareResult(key, deadline, context, () => askForServers(url, key, inquiry));
};

const askForServers = async (url: URL, key: string, inquiry: LookUpInProgress): Promise<Servers> => {
  const { memory } = inquiry.context;
  try {
    const { status, body } = await get(url, MOST_OF_BOOTSTRAP, inquiry);
    const servers = status === 200 ? serversIn(jsonOf(body)) : null;
    if (!servers) throw new LookupFailure(`${url.host} gave no list of RDAP servers (HTTP status ${status}).`);
    memory.set(key, servers, DAY_SECONDS);
    return servers;
  } catch (error) {
    if (error instanceof LookupFailure && !error.isTransient) memory.set(key, error.message, HOUR_SECONDS);
    throw error;
  }
};

const serversIn = (file: unknown): Servers | null => {
  const { services } = (file ?? {}) as { services?: unknown };
  if (!Array.isArray(services)) return null;
  const servers: Servers = {};
  for (const service of services as unknown[]) {
    const [domains, urls] = (Array.isArray(service) ? service : []) as [unknown?, unknown?];
    if (!Array.isArray(domains) || !Array.isArray(urls)) continue;
    const usable = urls.filter(
      (url) => typeof url === 'string' && /^https?:/.test(url) && URL.canParse(url),
    ) as string[];
    const url = usable.find((one) => one.startsWith('https:')) ?? usable[0];
    if (url === undefined) continue;
    for (const domain of domains as unknown[]) if (typeof domain === 'string') servers[domain.toLowerCase()] = url;
  }
  return servers;
};
