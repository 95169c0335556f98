/** Maximum length of a linked address, in UTF-16 units. */
export const LONGEST_LINK = 2_048;

/** Characters that browsers accept in addresses, but RFC 3986 does not. */
const UNUSUAL = /[[\]|^`{}\\]/g;

/**
 * Returns an address that is safe to link in a message: an absolute http or https URL without credentials, or a mailto
 * address without header fields. The address is normalised, so it contains neither blanks nor quotes.
 *
 * @returns null if the address must not be linked
 */
export const linkable = (address: string): string | null => {
  if (address.length > LONGEST_LINK || !/^(https?:\/\/|mailto:)/i.test(address) || !URL.canParse(address)) return null;
  const url = new URL(address);
  if (url.protocol === 'mailto:') return /^[^\s@,]+@[^\s@,]+$/.test(url.pathname) ? `mailto:${url.pathname}` : null;
  if (url.username !== '' || url.password !== '') return null;
  const anchor = url.hash === '' ? '' : `#${url.hash.slice(1).replaceAll('#', '%23')}`;
  return (
    url.origin + `${url.pathname}${url.search}${anchor}`.replace(UNUSUAL, encodeURIComponent).replaceAll("'", '%27')
  );
};

/** Returns the absolute http or https address of an image, or null if a message must not load the image. */
export const imageAddress = (address: string | null): string | null => {
  const url = address === null ? null : linkable(address);
  return url?.startsWith('http') === true ? url : null;
};
