import { isDomain, isSubdomain, normalizedDomain } from './names.ts';
import type { PublicAddressSettings } from './public-address.ts';

/** The name by which a host name addresses a page: a subdomain of `PUBLIC_DOMAIN`, or a custom domain in ASCII. */
export type PageName = { by: 'subdomain'; subdomain: string } | { by: 'domain'; domain: string };

/** Returns the host of `PUBLIC_URL` in lower case; null if `PUBLIC_URL` is not set. */
export const serviceHost = ({ publicUrl }: Pick<PublicAddressSettings, 'publicUrl'>): string | null =>
  publicUrl === null ? null : new URL(publicUrl).hostname.replace(/\.$/, '');

/**
 * Converts a host name to the name of a page. Returns null if no page can have the host name. The host of `PUBLIC_URL`,
 * `PUBLIC_DOMAIN` itself, IP addresses and names of one label always belong to the service, even if they are the custom
 * domain of a page. A host name below `PUBLIC_DOMAIN` is always a subdomain, even if it is the custom domain of another
 * page.
 *
 * @param host in lower case, without a port, without a trailing dot
 */
export const pageNameOf = (host: string, places: PublicAddressSettings): PageName | null => {
  if (host === serviceHost(places) || !host.includes('.') || !isDomain(host)) return null;
  const { publicDomain } = places;
  if (publicDomain !== null && host === publicDomain) return null;
  if (publicDomain === null || !host.endsWith(`.${publicDomain}`))
    return { by: 'domain', domain: normalizedDomain(host) };
  const subdomain = host.slice(0, -publicDomain.length - 1);
  return isSubdomain(subdomain) ? { by: 'subdomain', subdomain } : null;
};
