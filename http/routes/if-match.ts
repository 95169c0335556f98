import { hash } from 'node:crypto';
import { isFields } from '../../domain/fields.ts';
import type { Precondition, Revised } from '../../domain/revision.ts';
import { HttpError } from '../errors.ts';

/** Maximum length of the header, in characters: enough for some hundred tags. */
const LONGEST = 8_192;
/** `W/"…"` or `"…"` (RFC 9110, 8.8.3) */
const TAG = '(?:W/)?"[\\x21\\x23-\\x7e\\x80-\\xff]*"';
const LIST = new RegExp(`^[ \\t,]*${TAG}(?:[ \\t]*,[ \\t]*(?:${TAG})?)*[ \\t]*$`);
/** Matches the revision in a strong tag, which is the digits before an optional hyphen: `"7-x4f"` has revision 7. */
const REVISION = /^"(\d{1,15})(?:-[^"]*)?"$/;

/**
 * Parses `If-Match` (RFC 9110, 13.1.1). Only the revision in a strong tag is compared. So a tag still matches after a
 * new measurement has changed the rest of the body, or when a proxy has added a suffix. Weak tags never match.
 *
 * @returns the precondition; undefined if the request has no such header
 * @throws HttpError 400 the header is not a list of tags
 */
export const preconditionOf = (header: string | undefined, revised: Revised): Precondition | undefined => {
  if (header === undefined) return undefined;
  const text = header.trim();
  if (text === '*') return { ...revised, revisions: null, met: false };
  if (text.length > LONGEST || !LIST.test(text)) {
    throw new HttpError(400, 'If-Match must be an ETag in quotes, such as "7", a list of them, or *.');
  }
  const tags = text.match(new RegExp(TAG, 'g')) ?? [];
  const revisions = tags.flatMap((tag) => REVISION.exec(tag)?.[1] ?? []).map(Number);
  return { ...revised, revisions, met: false };
};

/**
 * Computes the strong `ETag` of a resource with revisions. It consists of the revision and a hash of the body.
 *
 * @param shown the body before encoding
 * @returns undefined if the body has no revision
 */
export const revisedTag = (shown: unknown, body: string | Uint8Array): string | undefined => {
  const revision = isFields(shown) ? shown['revision'] : undefined;
  return typeof revision === 'number' ? `"${revision}-${hash('sha1', body, 'base64').slice(0, 27)}"` : undefined;
};
