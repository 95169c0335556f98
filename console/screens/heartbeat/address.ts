import { SERVICE_URL } from '../../urls.ts';

/**
 * Returns the absolute URL for an address from the API. The API returns only a path if `PUBLIC_URL` is not set; the
 * path is then resolved against the service's root.
 */
export const absoluteAddress = (address: string): string =>
  address.startsWith('/') ? new URL(address.slice(1), SERVICE_URL).href : address;
