/** Fields that concern only one connection, so that a proxy removes them (RFC 9110, 7.6.1), and fields of proxies. */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  ...['connection', 'proxy-connection', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
  ...['proxy-authenticate', 'proxy-authorization', 'proxy-authentication-info', 'proxy-status', 'http2-settings'],
]);

/** Fields of a request that are not forwarded: the proxy writes its own `Host`, and has responded to `Expect`. */
const OF_REQUEST: ReadonlySet<string> = new Set(['host', 'expect']);

type Pair = [name: string, value: string];

const pairsOf = (raw: readonly string[]): Pair[] =>
  Array.from({ length: Math.floor(raw.length / 2) }, (_, index) => [raw[2 * index] ?? '', raw[2 * index + 1] ?? '']);

/** Returns the fields to forward, with their names as received. */
const passedOn = (raw: readonly string[], except: ReadonlySet<string>): Pair[] => {
  const pairs = pairsOf(raw);
  const named = pairs
    .filter(([name]) => name.toLowerCase() === 'connection')
    .flatMap(([, value]) => value.split(',').map((option) => option.trim().toLowerCase()));
  return pairs.filter(([name]) => {
    const lower = name.toLowerCase();
    // With `Connection: Content-Length`, this field would be removed, and the body would become a part of the next
    // request.
    const isFraming = lower === 'content-length';
    return !OF_CONNECTION.has(lower) && !except.has(lower) && (isFraming || !named.includes(lower));
  });
};

/** Returns the fields of a request for the target. Each name appears one time, with all its values. */
export const requestHeaders = (raw: readonly string[], authority: string): Record<string, string | string[]> => {
  const headers = new Map<string, [name: string, values: string[]]>();
  for (const [name, value] of passedOn(raw, OF_REQUEST)) {
    const known = headers.get(name.toLowerCase());
    if (known) known[1].push(value);
    else headers.set(name.toLowerCase(), [name, [value]]);
  }
  return { Host: authority, ...Object.fromEntries(headers.values()) };
};

/** Returns the fields of a response for the script, as an array in which names and values alternate. */
export const responseHeaders = (raw: readonly string[]): string[] => passedOn(raw, new Set()).flat();
