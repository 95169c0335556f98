/** Whoever reads the values of these could act for somebody else. */
const CREDENTIALS: ReadonlySet<string> = new Set([
  'set-cookie',
  'authorization',
  'proxy-authorization',
  'authentication-info',
  'cookie',
  'x-api-key',
]);

/** Whether no result holds the value of a header; the case of its name does not matter. */
export const isNeverStored = (name: string): boolean => CREDENTIALS.has(name.toLowerCase());
