import { isDomain } from './names.ts';

/** Maximum number of origins that are allowed to embed a page in a frame. */
export const MAX_ORIGINS = 20;
/** Maximum length of an origin in characters. A host name has at most 253 characters. */
export const MAX_ORIGIN = 300;

export const ORIGIN_SENTENCE = 'Must be an origin such as https://example.com or https://example.com:8443.';

/**
 * Whether a text is `https://host[:port]`, with a host name in any script. Wildcards, paths, user names and IP
 * addresses are not allowed, because an origin becomes part of a Content-Security-Policy (CSP Level 3, 2.3.1).
 */
export const isOrigin = (text: string): boolean => {
  const [, host = '', port] = /^https:\/\/([^/?#:@\\]+)(?::(\d{1,5}))?$/i.exec(text) ?? [];
  return isDomain(host) && !host.endsWith('.') && (port === undefined || (Number(port) > 0 && Number(port) < 65_536));
};

/**
 * Returns origins in the form that browsers send (RFC 6454, 6.2): in lower case, in ASCII, without the port 443.
 * Removes duplicates.
 */
export const storedOrigins = (origins: readonly string[]): string[] => [
  ...new Set(origins.map((text) => new URL(text).origin)),
];
