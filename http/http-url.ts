/** A host name has at most 253 characters in ASCII, and at least as many there as in another script. */
const LONGEST_HOST = 255;

/** The host of a URL, with its port, as a browser finds it: it takes a backslash for a slash. */
const HOST = /^https?:\/\/(?:[^/?#\\]*@)?([^/?#\\]+)/i;

/**
 * Matches every accepted http or https URL. Blanks and control characters are refused: URL trims blanks and drops tabs
 * and line breaks, so the stored text would not be the one that was checked.
 */
export const HTTP_URL_PATTERN = '^[Hh][Tt][Tt][Pp][Ss]?://[^/\\s\\x00-\\x1f\\x7f-\\x9f][^\\s\\x00-\\x1f\\x7f-\\x9f]*$';
const FORM = new RegExp(HTTP_URL_PATTERN);

/** Whether a text is an http or https URL with a host and a possible port. */
export const isHttpUrl = (value: string): boolean => {
  if (!FORM.test(value)) return false;
  // The conversion of a host to ASCII takes quadratic time in its length.
  const host = HOST.exec(value)?.[1] ?? '';
  if (host.length > LONGEST_HOST + ':65535'.length || !URL.canParse(value)) return false;
  return new URL(value).port !== '0';
};
