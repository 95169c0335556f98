import type { TSchema } from '@sinclair/typebox';
import { isUtf8 } from 'node:buffer';
import { HttpError } from '../errors.ts';
import { parseForm } from './form-body.ts';
import { unstorableContent, parseJson, type ParsedBody } from './json-body.ts';

/** A type of request body. */
export interface BodyType {
  /** recommended `Content-Type`, such as `application/json` */
  readonly name: string;
  /** Returns whether a `Content-Type` matches. `contentType` is undefined if the request has no such header. */
  readonly matches: (contentType: string | undefined) => boolean;
  /**
   * Parses a body.
   *
   * @param schema schema of the route's body
   * @throws HttpError 400
   */
  readonly parse: (bytes: Buffer, schema: TSchema | undefined) => ParsedBody;
}

const inUtf8 = (type: string): RegExp => new RegExp(`^${type} *(?:; *charset="?utf-?8"? *)?;?$`, 'i');

const JSON_FORM = inUtf8('application/(?:json|[\\w.-]+\\+json)');

export const JSON_BODY: BodyType = {
  name: 'application/json',
  matches: (contentType = '') => contentType === 'application/json' || JSON_FORM.test(contentType),
  parse: parseJson,
};

const FORM_FORM = inUtf8('application/x-www-form-urlencoded');

/** A form, as HTML forms and `curl -d` send it. The parsed value is an object with the fields of the schema. */
export const FORM_BODY: BodyType = {
  name: 'application/x-www-form-urlencoded',
  matches: (contentType = '') => FORM_FORM.test(contentType),
  parse: parseForm,
};

const TEXT_FORM = inUtf8('text/plain');

/** Plain text. The parsed value is the text. */
export const TEXT_BODY: BodyType = {
  name: 'text/plain',
  matches: (contentType = '') => TEXT_FORM.test(contentType),
  parse: (bytes) => {
    if (!isUtf8(bytes)) throw new HttpError(400, 'The body is not valid UTF-8.');
    const value = bytes.toString('utf8');
    return { value, ...unstorableContent(value) };
  },
};

const CSV_FORM = /^text\/csv *(?:; *(?:charset="?utf-?8"?|header="?(?:present|absent)"?) *)*;?$/i;

/** Comma-separated values (RFC 4180). The parsed value is the text without a byte order mark. */
export const CSV_BODY: BodyType = {
  name: 'text/csv',
  matches: (contentType = '') => CSV_FORM.test(contentType),
  parse: (bytes) => {
    if (!isUtf8(bytes)) throw new HttpError(400, 'The body is not valid UTF-8.');
    return { value: bytes.toString('utf8').replace(/^\uFEFF/, ''), unstorable: null, crowded: null };
  },
};

/** Any content, with any type or none. The parsed value is a Buffer. */
export const ANY_BODY: BodyType = {
  name: '*/*',
  matches: () => true,
  parse: (value) => ({ value, unstorable: null, crowded: null }),
};
