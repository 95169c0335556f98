import type { IncomingMessage } from 'node:http';

/**
 * `uri-host [ ":" port ]` (RFC 9110, 7.2): an IPv6 address in brackets, a name or an IPv4 address. The pattern accepts
 * more names than DNS does.
 */
const HOST = /^(?:\[[0-9A-Fa-f:.]+\]|([A-Za-z0-9._~!$&'()*+,;=%-]*))(?::\d{0,5})?$/;
/** Maximum length of a `Host` header: a DNS name has at most 253 characters, and the rest is for the port. */
const LONGEST = 270;

/** Returns whether a text is a valid value of `Host`. */
export const isHost = (text: string): boolean => text.length <= LONGEST && HOST.test(text);

/**
 * Returns the host name in a `Host` header, in lower case, without port and trailing dot: `ACME.example.:8080` becomes
 * `acme.example`. Returns null for IPv6 addresses, an empty header and invalid hosts.
 */
export const hostNameIn = (text: string): string | null => {
  if (text.length > LONGEST) return null;
  const name = HOST.exec(text)?.[1]?.toLowerCase().replace(/\.$/, '') ?? '';
  return name === '' ? null : name;
};

const NAME = 'host';

/** Returns an error message about the `Host` header of a request (RFC 9112, 3.2); null if the header is valid. */
export const hostProblem = ({
  httpVersion,
  headers: { host },
  rawHeaders,
}: Pick<IncomingMessage, 'httpVersion' | 'headers' | 'rawHeaders'>): string | null => {
  if (host === undefined) return httpVersion === '1.1' ? 'An HTTP/1.1 request must have a Host header.' : null;
  if (!isHost(host)) return 'The Host header is not a valid host.';
  let times = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === NAME.length && name.toLowerCase() === NAME) times += 1;
  }
  // Node.js uses the first of several headers, but a proxy may have used another one, so the request is refused.
  return times > 1 ? 'A request must have one Host header.' : null;
};

/** A request target in absolute form (RFC 9112, 3.2.2). */
export interface AbsoluteTarget {
  /** host, with the port if there is one */
  host: string;
  /** path and query as they were sent */
  path: string;
}

/** Parses a request target in absolute form, as in `GET http://acme.example/history`. Returns null for other forms. */
export const absoluteTarget = (target: string): AbsoluteTarget | null => {
  const [, host = '', path = ''] = /^https?:\/\/([^/?#]*)([/?].*)?$/i.exec(target) ?? [];
  if (host === '' || !isHost(host)) return null;
  return { host, path: path.startsWith('/') ? path : `/${path}` };
};
