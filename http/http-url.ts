/** A host name has at most 253 characters in ASCII, and no fewer there than in another script. */
const LONGEST_HOST = 255;

/** The host of a URL, with its port, as a browser finds it: a backslash is a slash to it. */
const HOST = /^https?:\/\/(?:[^/?#\\]*@)?([^/?#\\]+)/i;

/**
 * What fits every http or https URL that is taken. Blanks and control characters are refused: URL trims blanks and
 * drops tabs and line breaks, so that what is stored would not be what was checked.
 */
export const HTTP_URL_PATTERN = '^[Hh][Tt][Tt][Pp][Ss]?://[^/\\s\\x00-\\x1f\\x7f-\\x9f][^\\s\\x00-\\x1f\\x7f-\\x9f]*$';
const FORM = new RegExp(HTTP_URL_PATTERN);

/** Whether a text is an http or https URL with a host, and with a port that there is. */
export const isHttpUrl = (value: string): boolean => {
  if (!FORM.test(value)) return false;
  // A host is made ASCII in a time that grows with the square of its length.
  const host = HOST.exec(value)?.[1] ?? '';
  if (host.length > LONGEST_HOST + ':65535'.length || !URL.canParse(value)) return false;
  return new URL(value).port !== '0';
};
