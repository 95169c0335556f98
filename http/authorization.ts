import type { IncomingMessage } from 'node:http';

/**
 * The header `Authorization` of a request. Of several such headers, Node.js keeps the first, but a proxy may have
 * checked another one. So several are joined, which yields no valid key.
 */
export const authorizationOf = (
  request: Pick<IncomingMessage, 'headers' | 'headersDistinct' | 'rawHeaders'>,
): string | undefined => {
  const { authorization } = request.headers;
  if (authorization === undefined || !isRepeated(request.rawHeaders)) return authorization;
  // Slow, since Node.js processes all headers for this.
  return request.headersDistinct[NAME]?.join(', ');
};

const NAME = 'authorization';

const isRepeated = (rawHeaders: readonly string[]): boolean => {
  let times = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === NAME.length && name.toLowerCase() === NAME) times += 1;
  }
  return times > 1;
};

/** The key or access token in an `Authorization` header, raw or after `Bearer`; null without one. */
export const credentialOf = (authorization: string | undefined): string | null => {
  if (authorization === undefined) return null;
  const key = authorization.replace(/^bearer +/i, '').trim();
  return key === '' ? null : key;
};
