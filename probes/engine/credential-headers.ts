/** Headers whose values would let a reader impersonate their owner. */
const CREDENTIALS: ReadonlySet<string> = new Set([
  'set-cookie',
  'authorization',
  'proxy-authorization',
  'authentication-info',
  'cookie',
  'x-api-key',
]);

/** Whether results must omit the value of a header; ignores the case of its name. */
export const isNeverStored = (name: string): boolean => CREDENTIALS.has(name.toLowerCase());
