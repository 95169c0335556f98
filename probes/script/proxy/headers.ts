/** Fields of one connection, which a proxy removes (RFC 9110, 7.6.1), and fields that only a proxy writes. */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  ...['connection', 'proxy-connection', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
  ...['proxy-authenticate', 'proxy-authorization', 'proxy-authentication-info', 'proxy-status', 'http2-settings'],
]);

/** Fields of a request that are written anew. The proxy itself has answered `Expect`. */
const OF_REQUEST: ReadonlySet<string> = new Set(['host', 'expect']);

type Pair = [name: string, value: string];

const pairsOf = (raw: readonly string[]): Pair[] =>
  Array.from({ length: Math.floor(raw.length / 2) }, (_, index) => [raw[2 * index] ?? '', raw[2 * index + 1] ?? '']);

/** The fields to forward, with their names as written. */
const passedOn = (raw: readonly string[], except: ReadonlySet<string>): Pair[] => {
  const pairs = pairsOf(raw);
  const named = pairs
    .filter(([name]) => name.toLowerCase() === 'connection')
    .flatMap(([, value]) => value.split(',').map((option) => option.trim().toLowerCase()));
  return pairs.filter(([name]) => {
    const lower = name.toLowerCase();
    // `Connection: Content-Length` would turn a body into a part of the next request.
    const isFraming = lower === 'content-length';
    return !OF_CONNECTION.has(lower) && !except.has(lower) && (isFraming || !named.includes(lower));
  });
};

/** A request's fields for the target, with the values of each name combined. */
export const requestHeaders = (raw: readonly string[], authority: string): Record<string, string | string[]> => {
  const headers = new Map<string, [name: string, values: string[]]>();
  for (const [name, value] of passedOn(raw, OF_REQUEST)) {
    const known = headers.get(name.toLowerCase());
    if (known) known[1].push(value);
    else headers.set(name.toLowerCase(), [name, [value]]);
  }
  return { Host: authority, ...Object.fromEntries(headers.values()) };
};

/** A response's fields for the script: names and values alternating. */
export const responseHeaders = (raw: readonly string[]): string[] => passedOn(raw, new Set()).flat();
