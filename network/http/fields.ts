import type { IncomingHttpHeaders } from 'node:http';

/**
 * Returns the value of a header. If the header occurs several times, returns the first value. Returns undefined if the
 * header is absent.
 */
export const firstValue = (headers: IncomingHttpHeaders, name: string): string | undefined => {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
};

/**
 * Returns the target of a redirect: the first `Location` that is not empty. Returns undefined if there is none. An
 * empty `Location` would lead to the same URL again, so browsers ignore it and show the response.
 */
export const locationIn = (headers: IncomingHttpHeaders): string | undefined =>
  [headers.location ?? []].flat().find((location) => location !== '');

/** Returns whether one of the `Location` headers is empty. */
export const hasEmptyLocation = (headers: IncomingHttpHeaders): boolean => [headers.location ?? []].flat().includes('');
