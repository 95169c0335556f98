import type { IncomingMessage } from 'node:http';

/**
 * Returns the `Authorization` header of a request. If a request has several such headers, returns their values joined
 * with commas. The joined text is never a valid key, so the request is refused. Using only the first header, as Node.js
 * does, would be unsafe, because a proxy may have checked a different one.
 */
export const authorizationOf = (
  request: Pick<IncomingMessage, 'headers' | 'headersDistinct' | 'rawHeaders'>,
): string | undefined => {
  const { authorization } = request.headers;
  if (authorization === undefined || !isRepeated(request.rawHeaders)) return authorization;
  // `headersDistinct` is slow, because Node.js processes all headers for it.
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

/**
 * Returns the key or access token in an `Authorization` header. The token may follow `Bearer` or stand alone. Returns
 * null if the header contains no token.
 */
export const credentialOf = (authorization: string | undefined): string | null => {
  if (authorization === undefined) return null;
  const key = authorization.replace(/^bearer +/i, '').trim();
  return key === '' ? null : key;
};
