import type { PreparedResponse } from '../response.ts';
import type { ServeRequest } from '../request-handlers.ts';

/**
 * Headers that let scripts of any origin read a response. Browsers send no cookies with such requests, because `*`
 * excludes credentials (Fetch Standard, 3.3.5).
 */
export const ANY_ORIGIN = { 'Access-Control-Allow-Origin': '*' } as const;

/** Seconds for which browsers may cache the response to a preflight. Browsers limit the value. */
const REMEMBERED = 86_400;

/**
 * Responds to preflights of a path, and lets scripts of other origins read its error responses, which contain no
 * private data. For successful responses, the handler decides whether to send {@link ANY_ORIGIN}.
 *
 * @param allow the methods of the path, as in the `Allow` header
 */
export const allowCrossOrigin =
  (serve: ServeRequest, allow: string): ServeRequest =>
  async (request, requestId) => {
    if (request.method === 'OPTIONS') return { answered: preflight(allow), caller: null };
    const served = await serve(request, requestId);
    const { answered } = served;
    if (answered.status < 400) return served;
    return { ...served, answered: { ...answered, headers: { ...answered.headers, ...ANY_ORIGIN } } };
  };

const preflight = (allow: string): PreparedResponse => ({
  status: 204,
  headers: {
    ...ANY_ORIGIN,
    'Access-Control-Allow-Methods': allow,
    'Access-Control-Allow-Headers': '*, Authorization',
    'Access-Control-Max-Age': REMEMBERED.toString(),
    Allow: `${allow}, OPTIONS`,
  },
  body: null,
});
