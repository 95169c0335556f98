/**
 * Maximum length of a host, in characters. A host name has at most 253 characters in ASCII, and not more in another
 * script.
 */
const LONGEST_HOST = 255;

/** Matches the host of a URL with its port. Like browsers, treats a backslash as a slash. */
const HOST = /^https?:\/\/(?:[^/?#\\]*@)?([^/?#\\]+)/i;

/**
 * Matches every accepted http or https URL. Whitespace and control characters are refused, because `URL` removes some
 * of them: the stored text would then differ from the validated one.
 */
export const HTTP_URL_PATTERN = '^[Hh][Tt][Tt][Pp][Ss]?://[^/\\s\\x00-\\x1f\\x7f-\\x9f][^\\s\\x00-\\x1f\\x7f-\\x9f]*$';
const FORM = new RegExp(HTTP_URL_PATTERN);

/** Returns whether a text is an http or https URL with a host and a valid port. */
export const isHttpUrl = (value: string): boolean => {
  if (!FORM.test(value)) return false;
  // The length is limited first, because converting a host to ASCII takes time quadratic in the length of the host.
  const host = HOST.exec(value)?.[1] ?? '';
  if (host.length > LONGEST_HOST + ':65535'.length || !URL.canParse(value)) return false;
  return new URL(value).port !== '0';
};
