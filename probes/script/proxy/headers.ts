/** Fields of one connection, which a proxy takes out (RFC 9110, 7.6.1), and those that only a proxy writes. */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  ...['connection', 'proxy-connection', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
  ...['proxy-authenticate', 'proxy-authorization', 'proxy-authentication-info', 'proxy-status', 'http2-settings'],
]);

/** What a request is sent with anew. `Expect` was answered here. */
const OF_REQUEST: ReadonlySet<string> = new Set(['host', 'expect']);

type Pair = [name: string, value: string];

const pairsOf = (raw: readonly string[]): Pair[] =>
  Array.from({ length: Math.floor(raw.length / 2) }, (_, index) => [raw[2 * index] ?? '', raw[2 * index + 1] ?? '']);

/** Those that go on, with their names as they were written. */
const passedOn = (raw: readonly string[], except: ReadonlySet<string>): Pair[] => {
  const pairs = pairsOf(raw);
  const named = pairs
    .filter(([name]) => name.toLowerCase() === 'connection')
    .flatMap(([, value]) => value.split(',').map((option) => option.trim().toLowerCase()));
  return pairs.filter(([name]) => {
    const lower = name.toLowerCase();
    // `Connection: Content-Length` would make a body part of the next request.
    const isFraming = lower === 'content-length';
    return !OF_CONNECTION.has(lower) && !except.has(lower) && (isFraming || !named.includes(lower));
  });
};

/** The fields of a request as its target gets them: those of one name together. */
export const requestHeaders = (raw: readonly string[], authority: string): Record<string, string | string[]> => {
  const headers = new Map<string, [name: string, values: string[]]>();
  for (const [name, value] of passedOn(raw, OF_REQUEST)) {
    const known = headers.get(name.toLowerCase());
    if (known) known[1].push(value);
    else headers.set(name.toLowerCase(), [name, [value]]);
  }
  return { Host: authority, ...Object.fromEntries(headers.values()) };
};

/** The fields of an answer as the script gets them: names and values in turns. */
export const answerHeaders = (raw: readonly string[]): string[] => passedOn(raw, new Set()).flat();
