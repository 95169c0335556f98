import { imageAddress } from '../../messages/links.ts';

/** A host that can stand in a policy and names itself alone: URLs allow `;` and `*`, too. */
const HOST = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/;

const secureAddress = (address: string | null): URL | null => {
  const shown = imageAddress(address);
  if (shown === null) return null;
  const url = new URL(shown);
  return url.protocol === 'https:' && HOST.test(url.hostname) ? url : null;
};

/** Where a picture of a page is loaded from: over https alone. null: there is none, or its address is of another kind. */
export const pictureAddress = (address: string | null): string | null => secureAddress(address)?.href ?? null;

/** The origin from which {@link pictureAddress} loads, as policies name it. */
export const pictureOrigin = (address: string | null): string | null => secureAddress(address)?.origin ?? null;
