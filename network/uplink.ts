import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { Readable } from 'node:stream';
import * as tls from 'node:tls';
import { Agent, ProxyAgent, type Dispatcher } from 'undici';

/** A request from a runner to its service. */
export interface UplinkRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** path on the server, which begins with a slash */
  path: string;
  headers: Readonly<Record<string, string>>;
  body?: string | AsyncIterable<Uint8Array>;
  signal?: AbortSignal;
  /** time limit for receiving the head of the response, in milliseconds */
  timeout: number;
  /** maximum pause within the body of the response, in milliseconds */
  idleTimeout: number;
}

export interface UplinkResponse {
  status: number;
  /** the value of the `Retry-After` header */
  retryAfter: string | null;
  body: AsyncIterable<Uint8Array>;
  /** Discards the rest of the body. Call this if the body is not read to its end. */
  discard: () => void;
}

/** HTTP connections to one server, which the operator has configured. Redirects are not followed. */
export interface Uplink {
  /** Sends a request. Rejects if there is no response; {@link explainUplinkFailure} explains the error. */
  request: (request: UplinkRequest) => Promise<UplinkResponse>;
  close: () => Promise<void>;
}

export interface UplinkOptions {
  /** `https://…`, or `http://…` on loopback; its path prefixes the path of each request */
  server: URL;
  /** certificates (PEM) that are trusted in addition to those of the system */
  trust: readonly string[];
  /** the proxy for https; null: no proxy. See {@link proxyOf} */
  proxy: URL | null;
}

/** Maximum number of connections: one for an event stream, four for reports, and the rest for files. */
const CONNECTIONS = 8;
/** Milliseconds for which an idle connection stays open, unless the server sets a shorter time. */
const KEEP_ALIVE_MS = 60_000;
const CONNECT_MS = 10_000;

export const openUplink = ({ server, trust, proxy }: UplinkOptions): Uplink => {
  const secure = trust.length === 0 ? {} : { ca: [...usualCertificates(), ...trust] };
  const options = {
    connections: CONNECTIONS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connect: { timeout: CONNECT_MS, ...secure },
  };
  const dispatcher: Dispatcher =
    proxy === null
      ? new Agent(options)
      : new ProxyAgent({
          ...options,
          uri: proxy.href,
          proxyTls: { timeout: CONNECT_MS, ...secure },
          requestTls: { timeout: CONNECT_MS, ...secure, ...serverName(server) },
        });
  const base = server.pathname.replace(/\/+$/, '');

  return {
    request: async ({ method, path, headers, body, signal, timeout, idleTimeout }) => {
      const {
        statusCode,
        headers: received,
        body: content,
      } = await dispatcher.request({
        origin: server.origin,
        path: `${base}${path}`,
        method,
        headers: { ...headers },
        body: body === undefined ? null : typeof body === 'string' ? body : Readable.from(body),
        headersTimeout: timeout,
        bodyTimeout: idleTimeout,
        ...(signal && { signal }),
      });
      // Without this listener, a stream that fails after its reader has stopped would end the process.
      content.on('error', () => undefined);
      const retryAfter = received['retry-after'];
      return {
        status: statusCode,
        retryAfter: typeof retryAfter === 'string' ? retryAfter : null,
        body: content,
        discard: () => {
          content.destroy();
        },
      };
    },
    close: () => dispatcher.destroy(),
  };
};

/** Returns the server name for SNI. Without SNI, a server behind a proxy would present its default certificate. */
const serverName = ({ hostname }: URL): { servername?: string } =>
  isIP(hostname) !== 0 || hostname.startsWith('[') ? {} : { servername: hostname };

/**
 * Returns the certificates that Node.js trusts by default. The additional certificates are passed as a list, and such a
 * list replaces the default certificates. So the list has to contain the default certificates too.
 */
const usualCertificates = (): readonly string[] => {
  const { getCACertificates } = tls as { getCACertificates?: (type: 'default') => string[] };
  if (getCACertificates) return getCACertificates('default');
  const extra = process.env['NODE_EXTRA_CA_CERTS'];
  if (extra === undefined || extra === '') return tls.rootCertificates;
  try {
    return [...tls.rootCertificates, readFileSync(extra, 'utf8')];
  } catch {
    // The file can't be read; Node.js has already logged a warning.
    return tls.rootCertificates;
  }
};

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the proxy for a server, from the variables `HTTPS_PROXY` and `NO_PROXY`. The lower-case names of these
 * variables take precedence. Returns null if no proxy applies. A server with plain http, which is only allowed on
 * loopback, never has a proxy.
 *
 * @throws Error HTTPS_PROXY is not the URL of a proxy
 */
export const proxyOf = (server: URL, environment: Environment): URL | null => {
  const text = environment['https_proxy'] ?? environment['HTTPS_PROXY'] ?? '';
  if (server.protocol !== 'https:' || text === '') return null;
  if (isExcepted(server, environment['no_proxy'] ?? environment['NO_PROXY'] ?? '')) return null;
  if (!/^https?:\/\//.test(text) || !URL.canParse(text))
    throw new Error('HTTPS_PROXY must be a URL that begins with http:// or https://.');
  return new URL(text);
};

/**
 * Returns whether `NO_PROXY` exempts a server. The list contains names (which include their subdomains) and addresses,
 * each with an optional port; `*` matches every server.
 */
const isExcepted = (server: URL, list: string): boolean => {
  const host = server.hostname.toLowerCase();
  const port = server.port === '' ? '443' : server.port;
  return list
    .toLowerCase()
    .split(/[,\s]+/)
    .some((entry) => {
      const [, name = entry, only] = /^(.+?)(?::(\d+))?$/.exec(entry) ?? [];
      if (name === '' || (only !== undefined && only !== port)) return false;
      const bare = name.replace(/^\*?\./, '');
      return name === '*' || host === bare || host.endsWith(`.${bare}`);
    });
};

const UNTRUSTED: ReadonlySet<string> = new Set([
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
]);

/** Sentences for undici's error codes. */
const SENTENCES: Readonly<Record<string, string>> = {
  UND_ERR_BODY_TIMEOUT: 'The server was silent for too long.',
  UND_ERR_HEADERS_TIMEOUT: 'The server did not answer in time.',
  UND_ERR_CONNECT_TIMEOUT: 'The server did not take the connection in time.',
  UND_ERR_SOCKET: 'The connection was closed.',
};

/** Explains why there was no response, for example: `connect ECONNREFUSED 127.0.0.1:443`. */
export const explainUplinkFailure = (error: unknown): string => {
  const first = error instanceof AggregateError ? (error.errors[0] as unknown) : error;
  if (!(first instanceof Error)) return String(first);
  const { code } = first as NodeJS.ErrnoException;
  const words = SENTENCES[code ?? ''] ?? (first.message === '' ? (code ?? first.name) : first.message);
  return code !== undefined && UNTRUSTED.has(code)
    ? `${words}; --ca-file names certificates that are trusted besides those of the system`
    : words;
};
