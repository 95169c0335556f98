import type { PageFields } from './fields.ts';
import { normalizedDomain } from './names.ts';

/** The configured public addresses of this service; null if not set. */
export interface PublicAddressSettings {
  /** `PUBLIC_URL`: http or https, without a trailing slash */
  publicUrl: string | null;
  /** `PUBLIC_DOMAIN`, in ASCII: the domain whose subdomains are pages */
  publicDomain: string | null;
}

/**
 * The address of a page, without a trailing slash: its custom domain, otherwise its subdomain of `PUBLIC_DOMAIN`,
 * otherwise a path below `PUBLIC_URL`, or only the path if that is not set. It is used in canonical links, feeds and
 * messages, and it is ASCII, so that headers can contain it.
 *
 * Custom domains use https. Subdomains of `PUBLIC_DOMAIN` use the scheme and port of `PUBLIC_URL`, since they lead to the
 * same service.
 */
export const publicAddress = (
  { domain, subdomain }: Pick<PageFields, 'domain' | 'subdomain'>,
  { publicUrl, publicDomain }: PublicAddressSettings,
): string => {
  if (domain !== null) return `https://${normalizedDomain(domain)}`;
  if (publicDomain === null) return `${publicUrl ?? ''}/status/${subdomain}`;
  const { protocol, port } = new URL(publicUrl ?? 'https://localhost');
  return `${protocol}//${subdomain}.${publicDomain}${port === '' ? '' : `:${port}`}`;
};

/** Whether {@link publicAddress} returned a full URL, not only a path; only full URLs work outside of this service. */
export const isAbsolute = (address: string): boolean => !address.startsWith('/');
