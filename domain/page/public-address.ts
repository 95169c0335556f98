import type { PageFields } from './fields.ts';
import { normalizedDomain } from './names.ts';

/** The configured public addresses of this service. An address that is not configured is null. */
export interface PublicAddressSettings {
  /** `PUBLIC_URL`: http or https, without a trailing slash */
  publicUrl: string | null;
  /** `PUBLIC_DOMAIN`, in ASCII: the domain whose subdomains are pages */
  publicDomain: string | null;
}

/**
 * Returns the address of a page, without a trailing slash. It is, in this order of preference:
 *
 * - the custom domain, with https
 * - the subdomain of `PUBLIC_DOMAIN`, with the scheme and port of `PUBLIC_URL`, because both lead to the same service
 * - a path below `PUBLIC_URL`; only the path if `PUBLIC_URL` is not set
 *
 * The address is used in canonical links, feeds and messages. It is ASCII, so that headers can contain it.
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

/**
 * Whether an address that {@link publicAddress} returned is a full URL and not only a path. A path does not work
 * outside of this service.
 */
export const isAbsolute = (address: string): boolean => !address.startsWith('/');
