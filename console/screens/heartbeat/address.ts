import { SERVICE_URL } from '../../urls.ts';

/** Returns the public URL for an API path; without `PUBLIC_URL`, below the service's root. */
export const absoluteAddress = (address: string): string =>
  address.startsWith('/') ? new URL(address.slice(1), SERVICE_URL).href : address;
