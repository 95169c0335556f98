import type { IncomingMessage } from 'node:http';

/**
 * The header `Authorization` of a request. Node.js keeps the first of several; here they count together, which is
 * nobody's key, so that nothing on the way that goes by another one is deceived.
 */
export const authorizationOf = ({ headersDistinct }: Pick<IncomingMessage, 'headersDistinct'>): string | undefined =>
  headersDistinct['authorization']?.join(', ');

/** The key, or access token, in an `Authorization` header, raw or after `Bearer`; null without one. */
export const keyOf = (authorization: string | undefined): string | null => {
  if (authorization === undefined) return null;
  const key = authorization.replace(/^bearer +/i, '').trim();
  return key === '' ? null : key;
};
