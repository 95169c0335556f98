import type { IncomingMessage } from 'node:http';
import { isFresh, type Answered } from '../answer.ts';
import { HttpError } from '../errors.ts';
import type { File } from '../media/content.ts';
import { isSameFor, rangeOf } from '../media/range.ts';

/**
 * The answer to a request for a file: all of it, the part asked for (RFC 9110, 14), or nothing where the client has it
 * already. HEAD has no parts.
 *
 * @throws HttpError 416
 */
export const answeredFile = (
  { method, headers: asked }: Pick<IncomingMessage, 'method' | 'headers'>,
  { size, tag, part }: File,
  answer: Omit<Answered, 'body'>,
): Answered => {
  const headers = { ...answer.headers, ETag: tag, 'Accept-Ranges': 'bytes' };
  if (isFresh(asked['if-none-match'], tag)) return { ...answer, status: 304, headers, body: null };
  const range =
    method === 'GET' && isSameFor(asked['if-range'] as string | undefined, tag) ? rangeOf(asked.range, size) : null;
  if (range === 'unsatisfiable') {
    const whole = { 'Content-Range': `bytes */${size.toString()}` };
    throw new HttpError(416, 'There is no such part of this file.', { headers: whole });
  }
  if (!range) return { ...answer, headers: { ...headers, 'Content-Length': size.toString() }, body: part(null) };
  const { from, to } = range;
  const length = (to - from + 1).toString();
  const place = `bytes ${from.toString()}-${to.toString()}/${size.toString()}`;
  return {
    ...answer,
    status: 206,
    headers: { ...headers, 'Content-Length': length, 'Content-Range': place },
    body: part(range),
  };
};
