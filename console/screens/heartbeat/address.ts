import { SERVICE } from '../../place.ts';

/** An address of the API as others reach it; without `PUBLIC_URL`, it is one below the root of the service. */
export const absoluteAddress = (address: string): string =>
  address.startsWith('/') ? new URL(address.slice(1), SERVICE).href : address;
