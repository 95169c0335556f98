/** A host name has at most 253 characters in ASCII; in another script it is not longer. */
const LONGEST_HOST = 255;

/** The host of a URL with its port, parsed like in browsers, which treat a backslash as a slash. */
const HOST = /^https?:\/\/(?:[^/?#\\]*@)?([^/?#\\]+)/i;

/**
 * Matches every accepted http or https URL. Whitespace and control characters are refused: `URL` removes some of them,
 * so the stored text would differ from the validated one.
 */
export const HTTP_URL_PATTERN = '^[Hh][Tt][Tt][Pp][Ss]?://[^/\\s\\x00-\\x1f\\x7f-\\x9f][^\\s\\x00-\\x1f\\x7f-\\x9f]*$';
const FORM = new RegExp(HTTP_URL_PATTERN);

/** Whether a text is an http or https URL with a host and a valid port. */
export const isHttpUrl = (value: string): boolean => {
  if (!FORM.test(value)) return false;
  // The conversion of a host to ASCII takes quadratic time in its length.
  const host = HOST.exec(value)?.[1] ?? '';
  if (host.length > LONGEST_HOST + ':65535'.length || !URL.canParse(value)) return false;
  return new URL(value).port !== '0';
};
