import type { Request } from 'express';
import type { IncomingMessage } from 'node:http';
import type { Proxies } from '../client-address.ts';
import { absoluteTarget, hostNameIn } from './host.ts';

/** A status page that is reached at a host name of its own. */
export interface HostedPage {
  /** the host name, in lower case */
  host: string;
  /** `subdomain`: of PUBLIC_DOMAIN; `domain`: the page's custom domain */
  by: 'subdomain' | 'domain';
  pageId: string;
  subdomain: string;
}

/** Which host names are those of status pages. */
export interface PageHosts {
  /** The page of a host name; null: it is none of a page. A promise where that has to be looked up. */
  of: (name: string) => HostedPage | null | Promise<HostedPage | null>;
  /** whether a host name is known to be a page's, without a look-up */
  isKnown: (name: string) => boolean;
  /** whether a host name is the service's own (PUBLIC_URL) */
  isService: (name: string) => boolean;
}

/** For applications without pages. */
export const NO_PAGE_HOSTS: PageHosts = { of: () => null, isKnown: () => false, isService: () => true };

/**
 * Whether a request is one of a visitor of a status page, as far as that is known before it is routed: the first
 * requests to a host whose name was not looked up yet count as those of callers.
 */
export const visitsOf =
  ({ isKnown }: Pick<PageHosts, 'isKnown'>) =>
  ({ url = '', headers }: Pick<IncomingMessage, 'url' | 'headers'>): boolean => {
    if (url.startsWith('/status/') || url.startsWith('/site/')) return true;
    const name = hostNameIn(headers.host ?? '');
    return name !== null && isKnown(name);
  };

/** The pages at whose own hosts requests arrived. */
const arrivedAt = new WeakMap<object, HostedPage>();

/** The page at whose own host a request arrived; null: it came to a host of the service. */
export const hostedPageOf = (request: object): HostedPage | null => arrivedAt.get(request) ?? null;

/** What of `/v1` a page's host serves as well: getting a token for a password of this very page. */
const OF_PASSWORDS = /^\/v1\/pages\/([^/?]+)\/(?:verify-password|password-hints)\/?(?:\?|$)/;

/**
 * Maps requests that arrive at the host of a status page to the paths of this page: `/history` becomes
 * `/status/acme/history`, whatever the path, so that nothing of the service or of other pages is served there. The
 * `originalUrl` of a request stays as it was sent.
 *
 * A target that is a whole URL has precedence over `Host`. `X-Forwarded-Host` counts only where a trusted proxy has sent
 * it and has replaced `Host` by a name that is neither a page's nor the service's: most proxies pass on what a client
 * sent under that name, and a cache before them goes by `Host` alone.
 *
 * @returns a promise where the host has to be looked up; null: it is done
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

/** The host names that a request may be for, in lower case: the first that is a page's counts. */
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
  // The last one was written by the proxy that is closest.
  const original = hostNameIn(String(forwarded).split(',').at(-1)?.trim() ?? '');
  return original === null ? names : [...names, original];
};
