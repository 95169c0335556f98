import type { IncomingHttpHeaders } from 'node:http';
import { firstValue } from '../../network/http/fields.ts';
import { ProbeFailure, quoted, textNotFound } from '../engine/probe-failure.ts';
import type { Mask } from '../engine/masking.ts';
import { createExcerpt } from './excerpt.ts';
import { MAX_JSON_BYTES, type JsonBody } from './json.ts';
import { createTextSearch, type TextSearch } from './search.ts';

/** The requirements of a check on the body. */
export interface BodyRequirements {
  /** text that must occur; ignored if empty */
  text: string;
  /** text that must not occur; ignored if empty */
  absent: string;
  /** whether the body must be stored and parsed as JSON */
  json: boolean;
}

/** Examines the decompressed body of a response piece by piece. Stores no more of the body than needed. */
export interface BodyExamination {
  /** @param codings the codings of a body that can't be decompressed, so that it can't be examined; otherwise empty */
  begin: (headers: IncomingHttpHeaders, codings: readonly string[]) => void;
  write: (chunk: Buffer) => void;
  /** whether the check has any requirement on the body */
  readonly hasRequirements: boolean;
  /** Returns whether all requirements are decided, so that the rest of the body need not be read. */
  isDecided: () => boolean;
  /**
   * Returns the failure of the body so far; null if there is none.
   *
   * @param where end of a sentence: ` in the response`
   */
  failure: (where: string) => ProbeFailure | null;
  /** Returns the body for JSON assertions, or a sentence that says why the body can't be read. */
  json: () => JsonBody | string;
  /** Returns the beginning of the body, for people; null if the body is empty. */
  excerpt: (mask: Mask) => string | null;
}

const TOO_LARGE = 'The response is larger than 1 MiB, so its JSON was not read.';

export const createBodyExamination = ({ text, absent, json }: BodyRequirements): BodyExamination => {
  const excerpt = createExcerpt();
  let contentType = '';
  let unread: readonly string[] = [];
  let present: TextSearch | null = null;
  let unwanted: TextSearch | null = null;
  let kept: Buffer[] | null = null;
  let bytes = 0;
  const asking = text !== '' || absent !== '' || json;
  const encoded = (what: string): string =>
    `The response is encoded as ${quoted(unread.join(', '))}, which can't be ${what}.`;

  return {
    begin: (headers, codings) => {
      contentType = firstValue(headers, 'content-type') ?? '';
      unread = codings;
      excerpt.begin(contentType, codings);
      if (codings.length > 0) return;
      present = text === '' ? null : createTextSearch(text, contentType);
      unwanted = absent === '' ? null : createTextSearch(absent, contentType);
      kept = json ? [] : null;
    },
    write: (chunk) => {
      excerpt.write(chunk);
      present?.write(chunk);
      unwanted?.write(chunk);
      bytes += chunk.length;
      if (bytes > MAX_JSON_BYTES) kept = null;
      else kept?.push(chunk);
    },
    hasRequirements: asking,
    isDecided: () =>
      asking &&
      (text === '' || present?.found() === true) &&
      (absent === '' || unwanted?.found() === true) &&
      (!json || bytes > MAX_JSON_BYTES),
    failure: (where) => {
      if (text === '' && absent === '') return null;
      if (unread.length > 0) return new ProbeFailure('failed', 'content', encoded('searched'));
      present?.end();
      unwanted?.end();
      const missing = present?.found() === false ? textNotFound(text, where) : null;
      const there =
        unwanted?.found() === true
          ? new ProbeFailure('failed', 'content', `Text ${quoted(absent)} was found in the response.`)
          : null;
      if (!missing || !there) return missing ?? there;
      return new ProbeFailure('failed', 'content', `${missing.message} ${there.message}`);
    },
    json: () => {
      if (unread.length > 0) return encoded('read');
      return kept ? { bytes: Buffer.concat(kept), contentType } : TOO_LARGE;
    },
    excerpt: excerpt.read,
  };
};
