import type { HttpMethod } from '../../domain/check/types/web.ts';
import { invalidHttp } from './failures.ts';
import type { Head } from './head.ts';

/** How the end of a body is known (RFC 9112, 6.3). `close`: the server closes. */
export type Framing = { kind: 'none' } | { kind: 'length'; length: number } | { kind: 'chunks' } | { kind: 'close' };

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

/** @throws ProbeFailure the head contradicts itself */
export const framingOf = (method: HttpMethod, { status, headers }: Head): Framing => {
  const codings = valuesOf(headers['transfer-encoding']).filter((coding) => coding !== 'identity');
  const lengths = valuesOf(headers['content-length']);
  // A length in such an answer is that of another one.
  if (method === 'HEAD' || status === 204 || status === 304) return { kind: 'none' };
  if (codings.length > 0 && lengths.length > 0)
    throw invalidHttp('it has both a Content-Length and a Transfer-Encoding');
  if (codings.length > 0) return codings.at(-1) === 'chunked' ? { kind: 'chunks' } : { kind: 'close' };
  if (headers['content-length'] === undefined) return { kind: 'close' };
  const length = Number(lengths[0]);
  if (lengths.length === 0 || lengths.some((one) => !/^\d+$/.test(one)) || !Number.isSafeInteger(length))
    throw invalidHttp('its Content-Length is not a number of bytes');
  if (lengths.some((one) => Number(one) !== length)) throw invalidHttp('it has two different lengths');
  return { kind: 'length', length };
};
