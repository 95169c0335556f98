import { LRUCache } from 'lru-cache';
import { pageNameOf, serviceHost, type PageName } from '../../domain/page/hosts.ts';
import type { PublicAddressSettings } from '../../domain/page/public-address.ts';
import type { HostedPage, PageHosts } from '../../http/hosts/page-hosts.ts';
import { pages } from '../../projections/pages/projection.ts';
import type { Read } from '../../projections/readers.ts';
import type { Statuses } from '../../projections/engine/status/statuses.ts';
import { anyCustomDomain, pageOfCustomDomain, pageOfSubdomain } from '../../queries/pages/pages.ts';

/** Maximum number of cached host names. If there are more, the least recently requested ones are dropped. */
const MAX_CACHED = 10_000;
/** Time for which a name is cached if other processes can write pages, in milliseconds. */
const CACHED_MS = 1_000;

interface CachedHost {
  page: HostedPage | null;
  /** time at which the entry expires; `Infinity`: the entry is valid until pages are written */
  until: number;
}

export interface PageHostsDependencies {
  places: PublicAddressSettings;
  /** reads the current documents */
  read: () => Read;
  /** reports when pages are written; null: other processes can also write pages, so entries expire after a second */
  statuses: Pick<Statuses, 'onWritten'> | null;
  /** returns a time in milliseconds; only differences between two calls are used */
  clock: () => number;
}

/**
 * Finds pages by the host names of requests. A host name that can't belong to a page is not looked up. Any other host
 * name is looked up once and cached. If no page has a custom domain and PUBLIC_DOMAIN is not set, no host name is ever
 * looked up.
 */
export const createPageHosts = ({ places, read, statuses, clock }: PageHostsDependencies): PageHosts => {
  const own = serviceHost(places);
  const known = new LRUCache<string, CachedHost>({ max: MAX_CACHED });
  const looking = new Map<string, Promise<HostedPage | null>>();
  let anyDomain: { is: boolean; until: number } | null = null;
  /** number of writes of pages so far; if it changes during a lookup, the result of that lookup is not cached */
  let writes = 0;
  /** unsubscribes from reports of writes; null: not subscribed, because nothing is cached */
  let endListening: (() => void) | null = null;
  const listen = (): void => {
    endListening ??=
      statuses?.onWritten(({ projection }) => {
        if (projection !== pages.name) return;
        writes += 1;
        known.clear();
        looking.clear();
        anyDomain = null;
        endListening?.();
        endListening = null;
      }) ?? null;
  };
  const until = (): number => (statuses ? Infinity : clock() + CACHED_MS);

  const hasDomains = async (): Promise<boolean> => {
    if (anyDomain && anyDomain.until > clock()) return anyDomain.is;
    const before = writes;
    const ends = until();
    const is = await anyCustomDomain(read());
    if (before === writes) anyDomain = { is, until: ends };
    return is;
  };

  const find = async (host: string, name: PageName): Promise<HostedPage | null> => {
    if (name.by === 'domain' && !(await hasDomains())) return null;
    const page =
      name.by === 'domain'
        ? await pageOfCustomDomain(read(), name.domain)
        : await pageOfSubdomain(read(), name.subdomain);
    return page && { host, by: name.by, pageId: page.id, subdomain: page.subdomain };
  };

  const lookUp = (host: string, name: PageName): Promise<HostedPage | null> => {
    listen();
    const before = writes;
    const ends = until();
    const found = find(host, name)
      .then((page) => {
        if (before === writes) known.set(host, { page, until: ends });
        return page;
      })
      .finally(() => {
        if (looking.get(host) === found) looking.delete(host);
      });
    looking.set(host, found);
    return found;
  };

  return {
    of: (host) => {
      const remembered = known.get(host);
      if (remembered && remembered.until > clock()) return remembered.page;
      const name = pageNameOf(host, places);
      if (name === null) return null;
      return looking.get(host) ?? lookUp(host, name);
    },
    isKnown: (host) => known.peek(host)?.page != null,
    isService: (host) => host === own,
  };
};
