import { imageAddress } from '../../messages/links.ts';

/**
 * Matches hosts that are safe in a Content-Security-Policy. Hosts in URLs may also contain `;` and `*`, which have a
 * special meaning in a policy.
 */
const HOST = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/;

const secureAddress = (address: string | null): URL | null => {
  const shown = imageAddress(address);
  if (shown === null) return null;
  const url = new URL(shown);
  return url.protocol === 'https:' && HOST.test(url.hostname) ? url : null;
};

/** Returns the https URL of a page's picture, or null if there is none or its URL is not an https URL. */
export const pictureAddress = (address: string | null): string | null => secureAddress(address)?.href ?? null;

/** Returns the origin of {@link pictureAddress}, for a Content-Security-Policy. */
export const pictureOrigin = (address: string | null): string | null => secureAddress(address)?.origin ?? null;
