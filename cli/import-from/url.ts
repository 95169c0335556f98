const MAX_URL = 2_048;

/** A URL as a web check takes it: without credentials, which are parameters of the request. */
export interface CheckUrl {
  url: string;
  username: string;
  password: string;
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Splits the credentials from a URL. Returns null if no web check can request the URL. */
export const checkUrlOf = (text: string): CheckUrl | null => {
  const address = text.trim();
  if (!URL.canParse(address)) return null;
  const parsed = new URL(address);
  const { protocol, username, password, hostname, port } = parsed;
  if (!['http:', 'https:'].includes(protocol) || hostname === '' || port === '0') return null;
  parsed.username = '';
  parsed.password = '';
  const url = username === '' && password === '' ? address : parsed.href;
  return url.length > MAX_URL ? null : { url, username: decoded(username), password: decoded(password) };
};

/** Removes user name and password from a URL that is shown, such as a name. Other texts stay as they are. */
export const withoutCredentials = (text: string): string => text.replace(/^(\s*https?:\/\/)[^/?#]*@/i, '$1');

/** A server that a check connects to. `port` is null if the address names none. */
export interface HostAndPort {
  host: string;
  port: number | null;
}

const isPort = (port: number): boolean => Number.isInteger(port) && port >= 1 && port <= 65_535;

/**
 * Reads the server in an address such as `mysql://user:password@db.example.com:3306/shop`, `broker.example.com:9092` or
 * `[2001:db8::1]`. Of several servers (`a:1,b:2`) the first one is read. Returns null if there is none.
 */
export const serverOf = (address: string): HostAndPort | null => {
  const authority = /^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:[^/?#]*@)?([^/?#,@]+)/i.exec(address.trim())?.[1]?.trim();
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:[\]\s]+))(?::(\d+))?$/.exec(authority ?? '') ?? [];
  const host = bracketed ?? plain;
  if (host === undefined || host.length > 255) return null;
  const number = port === undefined ? null : Number(port);
  return number === null || isPort(number) ? { host, port: number } : null;
};

/** Returns a host without white space, scheme or brackets, or null if the text names none. */
export const hostOf = (text: string): string | null =>
  // An IPv6 address without brackets contains colons that are not followed by a port.
  /^[0-9a-f:.]*:[0-9a-f:.]*:[0-9a-f:.]*$/i.test(text.trim()) ? text.trim() : (serverOf(text)?.host ?? null);

/** Returns the port that a value names, or null if it names none. */
export const portOf = (value: unknown): number | null => {
  const port = Number(typeof value === 'string' && value.trim() === '' ? NaN : (value ?? NaN));
  return isPort(port) ? port : null;
};
