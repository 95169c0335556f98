import type { IncomingMessage } from 'node:http';

/**
 * `uri-host [ ":" port ]` (RFC 9110, 7.2): a bracketed IPv6 address, or a name or IPv4 address. Names are more lenient
 * than DNS; whether one is a page's is decided elsewhere.
 */
const HOST = /^(?:\[[0-9A-Fa-f:.]+\]|([A-Za-z0-9._~!$&'()*+,;=%-]*))(?::\d{0,5})?$/;
/** A DNS name has at most 253 characters; the rest is a port. */
const LONGEST = 270;

/** Whether a text may be the value of `Host`. */
export const isHost = (text: string): boolean => text.length <= LONGEST && HOST.test(text);

/**
 * The host name in a `Host` header, in lower case, without its port and the dot of the root: `acme.example` for
 * `ACME.example.:8080`. null for IPv6 addresses, an empty header, and texts that are no host.
 */
export const hostNameIn = (text: string): string | null => {
  if (text.length > LONGEST) return null;
  const name = HOST.exec(text)?.[1]?.toLowerCase().replace(/\.$/, '') ?? '';
  return name === '' ? null : name;
};

const NAME = 'host';

/** Why a request must be refused because of its `Host` (RFC 9112, 3.2), in a sentence; null: it need not be. */
export const hostProblem = ({
  httpVersion,
  headers: { host },
  rawHeaders,
}: Pick<IncomingMessage, 'httpVersion' | 'headers' | 'rawHeaders'>): string | null => {
  if (host === undefined) return httpVersion === '1.1' ? 'A request of HTTP/1.1 needs a Host header.' : null;
  if (!isHost(host)) return 'The Host header is not a valid host.';
  let times = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === NAME.length && name.toLowerCase() === NAME) times += 1;
  }
  // Something on the way may have gone by another one than Node.js, which keeps the first.
  return times > 1 ? 'A request must have one Host header.' : null;
};

/** What the target of a request names, where that is a whole URL (RFC 9112, 3.2.2). */
export interface AbsoluteTarget {
  /** with a port where there is one */
  host: string;
  /** path and query, as they were sent */
  path: string;
}

/** `GET http://acme.example/history`, as clients send it to proxies; null: the target is no such URL. */
export const absoluteTarget = (target: string): AbsoluteTarget | null => {
  const [, host = '', path = ''] = /^https?:\/\/([^/?#]*)([/?].*)?$/i.exec(target) ?? [];
  if (host === '' || !isHost(host)) return null;
  return { host, path: path.startsWith('/') ? path : `/${path}` };
};
