/** A host name has at most 253 characters in ASCII, and no fewer there than in another script. */
const LONGEST_HOST = 255;

/** The host of a URL, with its port, as a browser finds it: a backslash is a slash to it. */
const HOST = /^https?:\/\/(?:[^/?#\\]*@)?([^/?#\\]+)/i;

/** Whether a text is an http or https URL with a host. */
export const isHttpUrl = (value: string): boolean => {
  // URL drops tabs and line breaks and trims blanks, so that what is stored would not be what was checked.
  if (!/^https?:\/\/[^/\s]/i.test(value) || /[\s\p{Cc}]/u.test(value)) return false;
  // A host is made ASCII in a time that grows with the square of its length.
  const host = HOST.exec(value)?.[1] ?? '';
  return host.length <= LONGEST_HOST + ':65535'.length && URL.canParse(value);
};
