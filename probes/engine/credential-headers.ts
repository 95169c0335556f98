/** Names of headers with credentials. Anyone who can read such a header can impersonate its owner. */
const CREDENTIALS: ReadonlySet<string> = new Set([
  'set-cookie',
  'authorization',
  'proxy-authorization',
  'authentication-info',
  'cookie',
  'x-api-key',
]);

/** Returns whether results must omit the value of a header. The case of the name does not matter. */
export const isNeverStored = (name: string): boolean => CREDENTIALS.has(name.toLowerCase());
