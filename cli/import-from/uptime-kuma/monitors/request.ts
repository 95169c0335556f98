import type { Fields } from '../../../configuration/model.ts';
import { HTTP_METHODS } from '../../../../domain/check/types/web.ts';
import type { CheckUrl } from '../../url.ts';
import { isRow, json, text } from '../../rows.ts';
import type { Monitor } from './draft.ts';

const MAX_HEADERS = 50;
const MAX_HEADER_NAME = 100;
const MAX_HEADER_VALUE = 8_192;
const MAX_BODY = 65_536;
const MAX_CREDENTIAL = 1_000;
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** The `Content-Type` that Uptime Kuma sends for an encoding of the body. Versions before 1.21 know JSON only. */
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  xml: 'text/xml; charset=utf-8',
};

interface RequestOfMonitor {
  /** the parameter `http_request` */
  fields: Fields;
  /** whether something is missing without which the server probably refuses the request */
  paused: boolean;
}

/** Maps method, headers, body and authentication of a monitor. Remarks never contain values. */
export const requestOf = (monitor: Monitor, target: CheckUrl): RequestOfMonitor => {
  const method = methodOf(monitor);
  const headers = headersOf(monitor);
  const body = bodyOf(monitor);
  const authentication = authenticationOf(monitor, target);
  const all = { ...contentTypeOf(monitor, headers.fields, body.body), ...headers.fields, ...authentication.headers };
  return {
    fields: {
      ...(method !== 'GET' && { method }),
      ...(Object.keys(all).length > 0 && { headers: all }),
      ...(body.body !== null && { body: body.body }),
      ...authentication.credentials,
    },
    paused: headers.incomplete || body.incomplete || authentication.incomplete,
  };
};

const methodOf = ({ row, name, remarks }: Monitor): string => {
  const method = text(row, 'method').trim().toUpperCase() || 'GET';
  if ((HTTP_METHODS as readonly string[]).includes(method)) return method;
  remarks.about(name, `sends GET, because checks have no method "${method.slice(0, 20)}".`);
  return 'GET';
};

const headersOf = ({ row, name, remarks }: Monitor): { fields: Record<string, string>; incomplete: boolean } => {
  if (text(row, 'headers').trim() === '') return { fields: {}, incomplete: false };
  const value = json(row, 'headers');
  if (!isRow(value)) {
    remarks.about(name, 'was imported paused without its headers, which are not a JSON object.');
    return { fields: {}, incomplete: true };
  }
  const entries = Object.entries(value).map(([header, content]) => [header, String(content)] as const);
  const valid = entries.filter(
    ([header, content]) =>
      header.length <= MAX_HEADER_NAME &&
      HEADER_NAME.test(header) &&
      content.length <= MAX_HEADER_VALUE &&
      HEADER_VALUE.test(content),
  );
  const fields = Object.fromEntries(valid.slice(0, MAX_HEADERS - 2));
  const incomplete = Object.keys(fields).length < entries.length;
  if (incomplete) {
    remarks.about(name, 'was imported paused without some headers: their names or values are not allowed in HTTP.');
  }
  return { fields, incomplete };
};

const bodyOf = ({ row, name, remarks }: Monitor): { body: string | null; incomplete: boolean } => {
  const body = text(row, 'body');
  if (body === '') return { body: null, incomplete: false };
  if (body.length <= MAX_BODY) return { body, incomplete: false };
  remarks.about(name, `was imported paused without its body, which has more than ${MAX_BODY} characters.`);
  return { body: null, incomplete: true };
};

const contentTypeOf = ({ row }: Monitor, headers: Fields, body: string | null): Record<string, string> => {
  if (body === null || Object.keys(headers).some((header) => header.toLowerCase() === 'content-type')) return {};
  const type = CONTENT_TYPES[text(row, 'http_body_encoding') || 'json'];
  return type === undefined ? {} : { 'Content-Type': type };
};

interface Authentication {
  credentials: Fields;
  headers: Record<string, string>;
  incomplete: boolean;
}

const NONE: Authentication = { credentials: {}, headers: {}, incomplete: false };

const UNSUPPORTED: Readonly<Record<string, string>> = {
  'oauth2-cc':
    'was imported paused without its OAuth client. Use a multistep script that gets a token, with the client secret bound as a secret.',
  mtls: 'was imported paused without its client certificate, which checks cannot send.',
  ntlm: 'was imported paused without its NTLM credentials, which checks cannot send.',
};

const authenticationOf = ({ row, name, remarks }: Monitor, { username, password }: CheckUrl): Authentication => {
  const inUrl = username === '' && password === '' ? NONE : { ...NONE, credentials: { username, password } };
  const method = text(row, 'auth_method').trim().toLowerCase();
  if (method === 'bearer' && HEADER_VALUE.test(text(row, 'bearer_token'))) {
    return { ...NONE, headers: { Authorization: `Bearer ${text(row, 'bearer_token')}` } };
  }
  // Versions before 1.18.3 have no column for the method, and authenticate if there is a user.
  const isBasic = method === 'basic' || row['auth_method'] === null || row['auth_method'] === undefined;
  const user = text(row, 'basic_auth_user');
  if (isBasic && user !== '') {
    const credentials = { username: user, password: text(row, 'basic_auth_pass') };
    if (credentials.username.length <= MAX_CREDENTIAL && credentials.password.length <= MAX_CREDENTIAL) {
      return { ...NONE, credentials };
    }
    remarks.about(
      name,
      `was imported paused without its credentials, which have more than ${MAX_CREDENTIAL} characters.`,
    );
    return { ...NONE, incomplete: true };
  }
  const sentence = UNSUPPORTED[method];
  if (sentence === undefined) return inUrl;
  remarks.about(name, sentence);
  return { ...inUrl, incomplete: true };
};
