import { isJson } from '../json.ts';
import { bodyFor, hasPlaceholder, type SmsValues } from './template.ts';

/** An HTTP service that sends SMS. The URL and the body may contain the placeholders `{to}`, `{text}` and `{id}`. */
export interface SmsGateway {
  url: string;
  method: string;
  /** all headers of a request; includes `content-type` if there is a body */
  headers: Readonly<Record<string, string>>;
  /** null: the request has no body */
  body: string | null;
}

/** The configuration of a gateway, from environment variables. Fields are null for variables that are not set. */
export interface GatewayInput {
  url: string;
  method: string;
  headers: Readonly<Record<string, string>> | null;
  body: string | null;
}

const DEFAULT_BODY = '{"to":"{to}","text":"{text}","id":"{id}"}';
/**
 * Sample values with quotes and escapes. With these values, a JSON body is only valid if its placeholders are in
 * quotes.
 */
const SAMPLE: SmsValues = { to: '+49"', text: 'a"\n\\', id: 'b"' };

/**
 * Reads the configuration of a gateway. A user name and a password in the URL are moved to the `authorization` header.
 *
 * @returns the gateway; if the configuration is invalid, the name of the invalid variable and the rest of a sentence
 * that begins with this name
 */
export const gatewayOf = ({
  url: text,
  method,
  headers: given,
  body: written,
}: GatewayInput): SmsGateway | { variable: 'URL' | 'BODY'; problem: string } => {
  const hasBody = method !== 'GET';
  const headers = Object.fromEntries(Object.entries(given ?? {}).map(([name, value]) => [name.toLowerCase(), value]));
  if (!hasBody && written !== null) return { variable: 'BODY', problem: 'can not be sent with the method GET.' };
  const body = hasBody ? (written ?? DEFAULT_BODY) : null;
  const contentType = headers['content-type'] ?? 'application/json';
  for (const place of ['to', 'text'] as const) {
    if (hasPlaceholder(text, place) || (body !== null && hasPlaceholder(body, place))) continue;
    return { variable: hasBody ? 'BODY' : 'URL', problem: `must contain the placeholder {${place}}.` };
  }
  if (body !== null && /json/i.test(contentType) && !isJson(bodyFor(body, SAMPLE, contentType))) {
    return { variable: 'BODY', problem: 'must be JSON, with its placeholders in quotes: {"to":"{to}"}.' };
  }
  return {
    method,
    body,
    ...withCredentials(text, {
      'user-agent': 'Uptrail',
      ...headers,
      ...(body !== null && { 'content-type': contentType }),
    }),
  };
};

const withCredentials = (
  text: string,
  headers: Readonly<Record<string, string>>,
): Pick<SmsGateway, 'url' | 'headers'> => {
  const found = /^(https?:\/\/)([^/?#@]*)@(.*)$/s.exec(text);
  if (!found) return { url: text, headers };
  const [, scheme = '', , rest = ''] = found;
  const { username, password } = new URL(text);
  const pair = `${decoded(username)}:${decoded(password)}`;
  return {
    url: `${scheme}${rest}`,
    headers: { authorization: `Basic ${Buffer.from(pair).toString('base64')}`, ...headers },
  };
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
