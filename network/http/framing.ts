import { HeadFault } from './fault.ts';
import type { ResponseHead } from './response-head.ts';

/** How the end of a body is known (RFC 9112, 6.3). `close`: the server closes. */
export type Framing =
  | { kind: 'none' }
  | { kind: 'length'; length: number }
  /** `ignoresLength`: there is also a Content-Length, which is ignored */
  | { kind: 'chunks'; ignoresLength: boolean }
  | { kind: 'close' };

/** The items of a list header, from all its lines together. */
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
 * Resolves contradictions as browsers do: chunks win over a length, and a length wins over an unknown transfer coding.
 * The connection carries one response only, so none can be smuggled inside another.
 *
 * @param method of the request
 * @throws HeadFault the length is invalid, or there are two
 */
export const framingOf = (method: string, head: ResponseHead): Framing => {
  const { status, headers } = head;
  // Such a response may state the length of the response to a GET.
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
