import { imageAddress } from '../../messages/links.ts';

/** A host that can be used in a policy and matches only itself: URLs also allow `;` and `*`. */
const HOST = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/;

const secureAddress = (address: string | null): URL | null => {
  const shown = imageAddress(address);
  if (shown === null) return null;
  const url = new URL(shown);
  return url.protocol === 'https:' && HOST.test(url.hostname) ? url : null;
};

/** Returns the https URL of a page's picture, or null if there is none, or its URL is not https. */
export const pictureAddress = (address: string | null): string | null => secureAddress(address)?.href ?? null;

/** Returns the origin of {@link pictureAddress}, for policies. */
export const pictureOrigin = (address: string | null): string | null => secureAddress(address)?.origin ?? null;
