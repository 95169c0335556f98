import type { Request } from 'express';
import type { IncomingMessage } from 'node:http';
import type { Proxies } from '../client-address.ts';
import { absoluteTarget, hostNameIn } from './host.ts';

/** A status page with a host name of its own. */
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
  /** The page of a host name; null: no page has it. A promise if it must be looked up. */
  of: (name: string) => HostedPage | null | Promise<HostedPage | null>;
  /** whether a host name is known to be that of a page, without a lookup */
  isKnown: (name: string) => boolean;
  /** whether a host name is that of the service (PUBLIC_URL) */
  isService: (name: string) => boolean;
}

/** For applications without pages. */
export const NO_PAGE_HOSTS: PageHosts = { of: () => null, isKnown: () => false, isService: () => true };

/**
 * Whether a request is from a visitor of a status page, as far as known before routing: requests to a host whose name
 * has not been looked up yet count as ordinary calls.
 */
export const createIsVisit =
  ({ isKnown }: Pick<PageHosts, 'isKnown'>) =>
  ({ url = '', headers }: Pick<IncomingMessage, 'url' | 'headers'>): boolean => {
    if (url.startsWith('/status/') || url.startsWith('/site/')) return true;
    const name = hostNameIn(headers.host ?? '');
    return name !== null && isKnown(name);
  };

/** The page of each request that arrived at the host of a page. */
const arrivedAt = new WeakMap<object, HostedPage>();

/** The page of the host at which a request arrived; null: a host of the service. */
export const hostedPageOf = (request: object): HostedPage | null => arrivedAt.get(request) ?? null;

/** The paths under `/v1` that the host of a page serves: those for exchanging a password of this page for a token. */
const OF_PASSWORDS = /^\/v1\/pages\/([^/?]+)\/(?:verify-password|password-hints)\/?(?:\?|$)/;

/**
 * Maps requests at the host of a status page to the paths of this page: `/history` becomes `/status/acme/history`. All
 * paths are mapped, so that nothing of the service or of other pages is served there. The `originalUrl` of a request
 * stays unchanged.
 *
 * A target in absolute form takes precedence over `Host`. `X-Forwarded-Host` counts only if a trusted proxy has sent it
 * and `Host` is neither the name of a page nor that of the service: most proxies pass on an `X-Forwarded-Host` of the
 * client, and a cache in front of them uses only `Host` as its key.
 *
 * @returns a promise if the host must be looked up; null: mapped already
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

/** Candidate host names of a request, in lower case; the first that belongs to a page counts. */
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
  // The closest proxy has appended the last one.
  const original = hostNameIn(String(forwarded).split(',').at(-1)?.trim() ?? '');
  return original === null ? names : [...names, original];
};
