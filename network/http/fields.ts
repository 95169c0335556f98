import type { IncomingHttpHeaders } from 'node:http';

/** The value of a header, or of its first line if it has several; undefined if there is none. */
export const firstValue = (headers: IncomingHttpHeaders, name: string): string | undefined => {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
};

/**
 * Where a response redirects to: the first `Location` that is not empty. undefined if there is none, so it is not a
 * redirect: an empty reference would lead to the same URL again, and browsers show the response instead.
 */
export const locationIn = (headers: IncomingHttpHeaders): string | undefined =>
  [headers.location ?? []].flat().find((location) => location !== '');

/** Whether one of the `Location` lines is empty. */
export const hasEmptyLocation = (headers: IncomingHttpHeaders): boolean => [headers.location ?? []].flat().includes('');
