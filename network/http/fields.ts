import type { IncomingHttpHeaders } from 'node:http';

/** The value of a header, or its first line if there are several; undefined if absent. */
export const firstValue = (headers: IncomingHttpHeaders, name: string): string | undefined => {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
};

/**
 * The target of a redirect: the first `Location` that is not empty. undefined: not a redirect. An empty reference would
 * lead to the same URL again, and browsers show the response instead.
 */
export const locationIn = (headers: IncomingHttpHeaders): string | undefined =>
  [headers.location ?? []].flat().find((location) => location !== '');

/** Whether one of the `Location` lines is empty. */
export const hasEmptyLocation = (headers: IncomingHttpHeaders): boolean => [headers.location ?? []].flat().includes('');
