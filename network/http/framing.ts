import { HeadFault } from './fault.ts';
import type { ResponseHead } from './response-head.ts';

/** How the client recognises the end of a body (RFC 9112, 6.3). `close`: the server closes the connection. */
export type Framing =
  | { kind: 'none' }
  | { kind: 'length'; length: number }
  /** `ignoresLength`: the response also has a Content-Length, which is ignored */
  | { kind: 'chunks'; ignoresLength: boolean }
  | { kind: 'close' };

/** Returns the items of a list header. If the header occurs several times, the lists are joined. */
const valuesOf = (value: string | string[] | undefined): string[] =>
  value === undefined
    ? []
    : [value]
        .flat()
        .join(',')
        .split(',')
        .map((one) => one.trim().toLowerCase())
        .filter((one) => one !== '');

/**
 * Determines how the end of a body is recognised. Resolves contradictions as browsers do: chunks take precedence over a
 * length, and a length takes precedence over an unknown transfer coding. A connection carries only one response, so no
 * second response can be hidden behind the first one (response smuggling).
 *
 * @param method of the request
 * @throws HeadFault the length is invalid, or there are two different lengths
 */
export const framingOf = (method: string, head: ResponseHead): Framing => {
  const { status, headers } = head;
  // These responses have no body. Their Content-Length may be the length of the response to a GET.
  if (method === 'HEAD' || status === 204 || status === 304) return { kind: 'none' };
  if (
    valuesOf(headers['transfer-encoding'])
      .filter((coding) => coding !== 'identity')
      .at(-1) === 'chunked'
  )
    return { kind: 'chunks', ignoresLength: headers['content-length'] !== undefined };
  if (headers['content-length'] === undefined) return { kind: 'close' };
  const lengths = valuesOf(headers['content-length']);
  const length = Number(lengths[0]);
  if (lengths.length === 0 || lengths.some((one) => !/^\d+$/.test(one)) || !Number.isSafeInteger(length))
    throw new HeadFault('its Content-Length is not a number of bytes', head);
  if (lengths.some((one) => Number(one) !== length)) throw new HeadFault('it has two different lengths', head);
  return { kind: 'length', length };
};
