import type { IncomingMessage } from 'node:http';

/**
 * `uri-host [ ":" port ]` (RFC 9110, 7.2): a bracketed IPv6 address, or a name or IPv4 address. Names are checked more
 * leniently than in DNS.
 */
const HOST = /^(?:\[[0-9A-Fa-f:.]+\]|([A-Za-z0-9._~!$&'()*+,;=%-]*))(?::\d{0,5})?$/;
/** A DNS name has at most 253 characters; the rest is a port. */
const LONGEST = 270;

/** Whether a text is a valid value of `Host`. */
export const isHost = (text: string): boolean => text.length <= LONGEST && HOST.test(text);

/**
 * The host name in a `Host` header, in lower case, without port and trailing dot: `acme.example` for
 * `ACME.example.:8080`. null for IPv6 addresses, an empty header and invalid hosts.
 */
export const hostNameIn = (text: string): string | null => {
  if (text.length > LONGEST) return null;
  const name = HOST.exec(text)?.[1]?.toLowerCase().replace(/\.$/, '') ?? '';
  return name === '' ? null : name;
};

const NAME = 'host';

/** An error message about the `Host` header of a request (RFC 9112, 3.2); null: it is valid. */
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
  // Node.js keeps the first header, but a proxy may have used another one.
  return times > 1 ? 'A request must have one Host header.' : null;
};

/** A request target in absolute form (RFC 9112, 3.2.2). */
export interface AbsoluteTarget {
  /** including the port, if any */
  host: string;
  /** path and query as sent */
  path: string;
}

/** Parses a target in absolute form, as in `GET http://acme.example/history`; null for other forms. */
export const absoluteTarget = (target: string): AbsoluteTarget | null => {
  const [, host = '', path = ''] = /^https?:\/\/([^/?#]*)([/?].*)?$/i.exec(target) ?? [];
  if (host === '' || !isHost(host)) return null;
  return { host, path: path.startsWith('/') ? path : `/${path}` };
};
