import { isDomain } from './names.ts';

/** How many origins may show a page in a frame. */
export const MAX_ORIGINS = 20;
/** Characters of an origin: a host name has 253 at most. */
export const MAX_ORIGIN = 300;

export const ORIGIN_SENTENCE = 'Must be an origin such as https://example.com or https://example.com:8443.';

/**
 * Whether a text is `https://host[:port]` with a host name of any script. It becomes part of a Content-Security-Policy,
 * so nothing else may be in it: no wildcard, path, user name, and no address, which a policy can't name
 * (CSP Level 3, 2.3.1).
 */
export const isOrigin = (text: string): boolean => {
  const [, host = '', port] = /^https:\/\/([^/?#:@\\]+)(?::(\d{1,5}))?$/i.exec(text) ?? [];
  return isDomain(host) && !host.endsWith('.') && (port === undefined || (Number(port) > 0 && Number(port) < 65_536));
};

/** Origins as browsers write them (RFC 6454, 6.2): lower case, ASCII, without the port 443; each once. */
export const storedOrigins = (origins: readonly string[]): string[] => [
  ...new Set(origins.map((text) => new URL(text).origin)),
];
