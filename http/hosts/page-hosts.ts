import type { Request } from 'express';
import type { IncomingMessage } from 'node:http';
import type { Proxies } from '../client-address.ts';
import { absoluteTarget, hostNameIn } from './host.ts';

/** A status page with its own host name. */
export interface HostedPage {
  /** the host name, in lower case */
  host: string;
  /** `subdomain`: a subdomain of PUBLIC_DOMAIN; `domain`: the custom domain of the page */
  by: 'subdomain' | 'domain';
  pageId: string;
  subdomain: string;
}

/** The host names of status pages. */
export interface PageHosts {
  /**
   * Returns the page of a host name, or a promise if the name must be looked up. Returns null if the name belongs to no
   * page.
   */
  of: (name: string) => HostedPage | null | Promise<HostedPage | null>;
  /** returns whether a host name is already known as the name of a page, without a lookup */
  isKnown: (name: string) => boolean;
  /** returns whether a host name is that of the service (PUBLIC_URL) */
  isService: (name: string) => boolean;
}

/** Host names of an application without status pages. */
export const NO_PAGE_HOSTS: PageHosts = { of: () => null, isKnown: () => false, isService: () => true };

/**
 * Creates a function that returns whether a request is from a visitor of a status page. The function is used before
 * routing, so it only knows host names that were looked up before. Requests to other hosts count as ordinary calls.
 */
export const createIsVisit =
  ({ isKnown }: Pick<PageHosts, 'isKnown'>) =>
  ({ url = '', headers }: Pick<IncomingMessage, 'url' | 'headers'>): boolean => {
    if (url.startsWith('/status/') || url.startsWith('/site/')) return true;
    const name = hostNameIn(headers.host ?? '');
    return name !== null && isKnown(name);
  };

/** Maps each request that was sent to the host of a page to this page. */
const arrivedAt = new WeakMap<object, HostedPage>();

/** Returns the page to whose host a request was sent; null if it was sent to a host of the service. */
export const hostedPageOf = (request: object): HostedPage | null => arrivedAt.get(request) ?? null;

/**
 * Matches the paths under `/v1` that the host of a page serves. One of them exchanges a password of the page for a
 * token, the other returns password hints. The page id in the path must be the id of the page.
 */
const OF_PASSWORDS = /^\/v1\/pages\/([^/?]+)\/(?:verify-password|password-hints)\/?(?:\?|$)/;

/**
 * Maps requests at the host of a status page to the paths of this page: `/history` becomes `/status/acme/history`. All
 * paths are mapped, so that the host serves nothing of the service or of other pages. The `originalUrl` of a request
 * stays unchanged.
 *
 * A request target in absolute form takes precedence over `Host`. `X-Forwarded-Host` only counts if a trusted proxy has
 * sent it, and if `Host` is neither the name of a page nor that of the service. Otherwise a client could poison a
 * cache: most proxies pass on an `X-Forwarded-Host` from the client, and a cache before such a proxy uses only `Host`
 * in its keys.
 *
 * @returns a function that maps a request. It returns a promise if the host must be looked up, and null if the request
 * was mapped immediately.
 */
export const mapPageHosts =
  (pageHosts: PageHosts, proxies: Proxies) =>
  (request: Request): Promise<void> | null => {
    const names = namesOf(request, pageHosts, proxies);
    return names.length === 0 ? null : mapByFirst(names, pageHosts, request);
  };

const mapByFirst = (
  [name, ...others]: readonly string[],
  pageHosts: PageHosts,
  request: Request,
): Promise<void> | null => {
  if (name === undefined) return null;
  const take = (page: HostedPage | null): Promise<void> | null => {
    if (!page) return mapByFirst(others, pageHosts, request);
    mapTo(page, request);
    return null;
  };
  const page = pageHosts.of(name);
  return page instanceof Promise ? page.then(async (found) => (await take(found)) ?? undefined) : take(page);
};

const mapTo = (page: HostedPage, request: Request): void => {
  const { url } = request;
  if (OF_PASSWORDS.exec(url)?.[1] === page.pageId) return;
  arrivedAt.set(request, page);
  request.url = `/status/${page.subdomain}${url.startsWith('/') ? '' : '/'}${url}`;
};

/** Returns the candidate host names of a request, in lower case. The first one that belongs to a page is used. */
const namesOf = (request: Request, { isService }: PageHosts, { any, isTrusted }: Proxies): readonly string[] => {
  const { headers, socket } = request;
  const target = request.url.startsWith('/') ? null : absoluteTarget(request.url);
  if (target) {
    request.url = target.path;
    request.originalUrl = target.path;
  }
  const name = hostNameIn(target?.host ?? headers.host ?? '');
  const names = name === null ? [] : [name];
  const forwarded = headers['x-forwarded-host'];
  if (forwarded === undefined || !any || (name !== null && isService(name))) return names;
  if (!isTrusted(socket.remoteAddress ?? '')) return names;
  // The nearest proxy has appended the last value.
  const original = hostNameIn(String(forwarded).split(',').at(-1)?.trim() ?? '');
  return original === null ? names : [...names, original];
};
