import { isDomain } from './names.ts';

/** Maximum of origins that may embed a page in a frame. */
export const MAX_ORIGINS = 20;
/** Maximum length of an origin in characters; a host name has at most 253. */
export const MAX_ORIGIN = 300;

export const ORIGIN_SENTENCE = 'Must be an origin such as https://example.com or https://example.com:8443.';

/**
 * Whether a text is `https://host[:port]` with a host name of any script. Since it becomes part of a
 * Content-Security-Policy, wildcards, paths, user names and IP addresses are not allowed (CSP Level 3, 2.3.1).
 */
export const isOrigin = (text: string): boolean => {
  const [, host = '', port] = /^https:\/\/([^/?#:@\\]+)(?::(\d{1,5}))?$/i.exec(text) ?? [];
  return isDomain(host) && !host.endsWith('.') && (port === undefined || (Number(port) > 0 && Number(port) < 65_536));
};

/** Origins in the form of browsers (RFC 6454, 6.2): lower case, ASCII, without the port 443; each once. */
export const storedOrigins = (origins: readonly string[]): string[] => [
  ...new Set(origins.map((text) => new URL(text).origin)),
];
