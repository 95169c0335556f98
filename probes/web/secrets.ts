import { isHarmless } from '../../domain/check/harmless-headers.ts';
import type { WebRequest } from './request.ts';

/** Maximum number of texts of one request that are masked. Whole values come first, then their parts. */
const MAX_SECRETS = 500;
/**
 * Maximum length of a request body that is masked as a whole, in characters. A longer body cannot appear in a result as
 * a whole, because results contain only shorter parts of a response.
 */
const LONGEST_BODY = 4_096;

/** Words that appear in headers and are not secret. */
const NO_SECRETS: ReadonlySet<string> = new Set([
  'apikey',
  'basic',
  'bearer',
  'digest',
  'false',
  'negotiate',
  'none',
  'null',
  'token',
  'true',
]);

/**
 * Returns the texts of a request that must be masked in results, because the server may repeat them: the values of all
 * headers that are not harmless, and the body. Returns each text as a whole, and also those parts of the text that a
 * server may repeat separately.
 */
export const secretsOf = ({ headers, body }: Pick<WebRequest, 'headers' | 'body'>): string[] => {
  const values = Object.entries(headers).flatMap(([name, value]) => (isHarmless(name) ? [] : [value]));
  const said = [
    ...values,
    ...(body === null ? [] : secretsOfBody(body)),
    ...values.flatMap((value) => [...basicParts(value), ...partsOf(value)]),
  ];
  const secrets = new Set(said.filter((text) => text !== '' && !NO_SECRETS.has(text.toLowerCase())));
  return [...secrets].slice(0, MAX_SECRETS);
};

/** Returns the parts of a value: `Bearer abc` → `Bearer`, `abc`; `a=1; b="2"` → `a=1`, `1`, `b="2"`, `2`. */
const partsOf = (value: string): string[] =>
  value.split(/[\s;,]+/).flatMap((part) => [part, part.slice(part.indexOf('=') + 1).replace(/^"(.*)"$/, '$1')]);

/** Returns the password of Basic credentials, alone and with the user name. */
const basicParts = (value: string): string[] => {
  const [scheme = '', credentials = ''] = value.split(' ');
  if (scheme.toLowerCase() !== 'basic') return [];
  const decoded = Buffer.from(credentials, 'base64').toString();
  return [decoded, decoded.slice(decoded.indexOf(':') + 1)];
};

const SECRET_FIELD = /pass|pwd|secret|token|key|auth|cred|session|signature|pin$|otp|code$/i;

/** Returns the body as a whole if it is short, and the values of JSON or form fields whose names suggest secrets. */
const secretsOfBody = (body: string): string[] => [
  ...(body.length <= LONGEST_BODY ? [body, body.trim()] : []),
  ...fieldsOf(body)
    .filter(([name]) => SECRET_FIELD.test(name))
    .map(([, value]) => value),
];

/** Returns the texts and numbers of a JSON or form body at any depth, each with the name of its field. */
const fieldsOf = (body: string): [string, string][] => {
  let root: unknown;
  try {
    root = JSON.parse(body);
  } catch {
    return [...new URLSearchParams(body)];
  }
  const fields: [string, string][] = [];
  const left: [string, unknown][] = [['', root]];
  // A loop instead of recursion, because a body may be nested deeper than the stack permits.
  for (let next = left.pop(); next; next = left.pop()) {
    const [name, value] = next;
    if (typeof value === 'string' || typeof value === 'number') fields.push([name, String(value)]);
    else if (typeof value === 'object' && value !== null) {
      for (const [inner, part] of Object.entries(value)) left.push([Array.isArray(value) ? name : inner, part]);
    }
  }
  return fields;
};
