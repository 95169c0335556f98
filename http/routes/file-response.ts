import type { IncomingMessage } from 'node:http';
import { matchesTag, type PreparedResponse } from '../response.ts';
import { HttpError } from '../errors.ts';
import type { FileContent } from '../media/content.ts';
import { matchesIfRange, parseRange } from '../media/range-header.ts';

/**
 * Creates the response to a request for a file: the whole file, the requested range (RFC 9110, 14), or 304 if the
 * client already has the current version. Ranges are ignored for HEAD.
 *
 * @throws HttpError 416
 */
export const fileResponse = (
  { method, headers: sent }: Pick<IncomingMessage, 'method' | 'headers'>,
  { size, tag, part }: FileContent,
  answer: Omit<PreparedResponse, 'body'>,
): PreparedResponse => {
  const headers = { ...answer.headers, ETag: tag, 'Accept-Ranges': 'bytes' };
  if (matchesTag(sent['if-none-match'], tag)) return { ...answer, status: 304, headers, body: null };
  const range =
    method === 'GET' && matchesIfRange(sent['if-range'] as string | undefined, tag)
      ? parseRange(sent.range, size)
      : null;
  if (range === 'unsatisfiable') {
    const whole = { 'Content-Range': `bytes */${size}` };
    throw new HttpError(416, 'The requested range is outside this file.', { headers: whole });
  }
  if (!range) return { ...answer, headers: { ...headers, 'Content-Length': size.toString() }, body: part(null) };
  const { from, to } = range;
  const length = (to - from + 1).toString();
  const contentRange = `bytes ${from}-${to}/${size}`;
  return {
    ...answer,
    status: 206,
    headers: { ...headers, 'Content-Length': length, 'Content-Range': contentRange },
    body: part(range),
  };
};
