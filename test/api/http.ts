import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';

export interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** returns the parsed body; throws if the body is not JSON */
  json: () => unknown;
}

export interface TestRequest {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  /** an object is sent as JSON, with the content type of JSON; a string is sent unchanged, without a content type */
  body?: object | string | Buffer;
  /** sends the body in chunks, without a Content-Length */
  chunked?: boolean;
  /** loopback address of the client */
  localAddress?: string;
}

/** Sends one request to the loopback address over a connection of its own. */
export const request = (
  port: number,
  { method = 'GET', path, headers = {}, body, chunked, localAddress }: TestRequest,
): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const json = typeof body === 'object' && !Buffer.isBuffer(body);
    const bytes = body === undefined ? null : json ? Buffer.from(JSON.stringify(body)) : Buffer.from(body as string);
    const outgoing = httpRequest({
      host: '127.0.0.1',
      port,
      method,
      path,
      agent: false,
      ...(localAddress !== undefined && { localAddress }),
      headers: {
        ...(json && { 'content-type': 'application/json' }),
        ...(bytes && !chunked && { 'content-length': bytes.length.toString() }),
        ...headers,
      },
    });
    outgoing.once('error', reject);
    outgoing.once('response', (incoming) => {
      // An event stream is endless, so only its head is read.
      if (incoming.headers['content-type'] === 'text/event-stream' && method !== 'HEAD') {
        incoming.once('error', () => undefined);
        incoming.destroy();
        const { statusCode: status = 0, headers: received } = incoming;
        resolve({ status, headers: received, text: '', json: () => null });
        return;
      }
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.once('error', reject);
      incoming.once('end', () => {
        const text = Buffer.concat(chunks).toString();
        const status = incoming.statusCode ?? 0;
        resolve({ status, headers: incoming.headers, text, json: () => JSON.parse(text) as unknown });
      });
    });
    outgoing.end(bytes ?? undefined);
  });
