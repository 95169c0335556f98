import type { PageFields } from './fields.ts';
import { normalizedDomain } from './names.ts';

/** Where this service is reached, by its configuration; null: it is not set. */
export interface PublicPlaces {
  /** `PUBLIC_URL`: http or https, without a slash at its end */
  publicUrl: string | null;
  /** `PUBLIC_DOMAIN`, in ASCII: the domain whose subdomains are pages */
  publicDomain: string | null;
}

/**
 * The address of a page, without a slash at its end: that of its custom domain, otherwise of its subdomain of
 * `PUBLIC_DOMAIN`, otherwise a path below `PUBLIC_URL`, or only the path without one. Canonical links, feeds and
 * messages begin with it; it is ASCII, so it can stand in a header.
 *
 * Custom domains are https. Subdomains of `PUBLIC_DOMAIN` lead to the same service as `PUBLIC_URL`, so they have its
 * scheme and port.
 */
export const publicAddress = (
  { domain, subdomain }: Pick<PageFields, 'domain' | 'subdomain'>,
  { publicUrl, publicDomain }: PublicPlaces,
): string => {
  if (domain !== null) return `https://${normalizedDomain(domain)}`;
  if (publicDomain === null) return `${publicUrl ?? ''}/status/${subdomain}`;
  const { protocol, port } = new URL(publicUrl ?? 'https://localhost');
  return `${protocol}//${subdomain}.${publicDomain}${port === '' ? '' : `:${port}`}`;
};

/** Whether {@link publicAddress} is more than a path: only then can it stand where others read it. */
export const isAbsolute = (address: string): boolean => !address.startsWith('/');
