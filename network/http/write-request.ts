import type { Socket } from 'node:net';

/** A request before it is serialised. */
export interface OutgoingRequest {
  url: URL;
  method: string;
  headers: Readonly<Record<string, string>>;
  body: string | Buffer | null;
}

/** RFC 9110, 5.6.2 */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Characters that no header value may contain. Each of the other characters is sent as one byte (RFC 9110, 5.5). */
const NOT_IN_VALUES = /[^\t\x20-\x7e\x80-\xff]/;
/** Headers that a caller must not set, because they control the connection. */
const REFUSED: ReadonlySet<string> = new Set(['expect', 'keep-alive', 'transfer-encoding', 'upgrade']);
/** Methods that need a Content-Length even for an empty body (RFC 9110, 8.6). */
const WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'QUERY', 'PROPFIND', 'PROPPATCH']);

/**
 * Writes an HTTP/1.1 request to a connection that is used for this request only.
 *
 * @throws Error the request can't be sent, for example because of a line break in a header
 */
export const writeRequest = (socket: Socket, { url, method, headers, body }: OutgoingRequest): void => {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const head = headOf({ url, method, headers }, bytes?.length ?? 0);
  if (!bytes || bytes.length === 0) {
    socket.write(head, 'latin1');
    return;
  }
  // Corking lets the head and the body share a packet.
  socket.cork();
  socket.write(head, 'latin1');
  socket.write(bytes);
  socket.uncork();
};

/** @param length size of the body, in bytes */
const headOf = ({ url, method, headers }: Omit<OutgoingRequest, 'body'>, length: number): string => {
  if (!TOKEN.test(method)) throw new Error('The method of a request is invalid.');
  let { host } = url;
  let lines = '';
  for (const [name, value] of Object.entries(headers)) {
    const lower = name.toLowerCase();
    // The error message omits the value, because it may be a secret.
    if (!TOKEN.test(name) || NOT_IN_VALUES.test(value) || REFUSED.has(lower))
      throw new Error(`The header ${JSON.stringify(name)} of a request can't be sent.`);
    if (lower === 'host') host = value;
    else if (lower === 'content-length') mustBe(length, value);
    else if (lower !== 'connection') lines += `${name}: ${value}\r\n`;
  }
  const ending = length > 0 || WITH_BODY.has(method) ? `content-length: ${length}\r\n` : '';
  return `${method} ${url.pathname}${url.search} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n${lines}${ending}\r\n`;
};

const mustBe = (length: number, written: string): void => {
  if (written !== length.toString()) throw new Error(`The body of a request has ${length} bytes.`);
};
