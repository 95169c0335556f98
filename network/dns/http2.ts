import { connect, type IncomingHttpHeaders, type IncomingHttpStatusHeader } from 'node:http2';
import type { Socket } from 'node:net';
import type { HttpRequest, HttpResponseWithBody } from '../http-request.ts';
import { NoHttpResponse, responseTooLarge } from '../no-http-response.ts';

/**
 * Sends one request over an HTTP/2 connection (RFC 9113) and reads the whole response. Always closes the connection.
 *
 * Rejects with the signal's reason when the signal aborts.
 *
 * @param most maximum size of the body, in bytes
 * @throws NoHttpResponse
 */
export const http2Exchange = (
  { url, method, headers, body }: HttpRequest,
  socket: Socket,
  peer: string,
  most: number,
  signal: AbortSignal,
): Promise<HttpResponseWithBody> =>
  new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let received = 0;
    let head: (IncomingHttpHeaders & IncomingHttpStatusHeader) | null = null;
    let settled = false;
    const settle = (): boolean => {
      if (settled) return false;
      settled = true;
      signal.removeEventListener('abort', onAbort);
      session.destroy();
      socket.destroy();
      return true;
    };
    const fail = (error: Error): void => {
      if (settle()) reject(error);
    };
    const onAbort = (): void => {
      fail(signal.reason as Error);
    };
    const onError = (error: NodeJS.ErrnoException): void => {
      const what = error.code === 'ECONNRESET' ? `${peer} reset the connection` : `${peer} does not speak valid HTTP/2`;
      fail(new NoHttpResponse(`${what}${head ? ' in the middle of its answer' : ''}.`, { cause: error }));
    };
    const onClosed = (): void => {
      const when = head ? 'in the middle of its answer' : 'before it answered';
      fail(new NoHttpResponse(`${peer} closed the connection ${when}.`));
    };

    socket.on('error', onError);
    const session = connect(url.origin, { createConnection: () => socket, settings: { enablePush: false } });
    session.on('error', onError);
    session.on('close', onClosed);
    const stream = session.request({
      ':method': method,
      ':path': `${url.pathname}${url.search}`,
      ...headers,
    });
    stream.on('error', onError);
    stream.on('response', (answer) => {
      head = answer;
    });
    stream.on('data', (piece: Buffer) => {
      pieces.push(piece);
      received += piece.length;
      if (received > most) fail(responseTooLarge(peer, most));
    });
    stream.once('close', () => {
      // The stream of a broken connection also ends with this event.
      if (!head || stream.rstCode !== 0 || socket.destroyed) onClosed();
      else if (settle()) resolve({ status: head[':status'] ?? 0, headers: head, body: Buffer.concat(pieces) });
    });
    if (signal.aborted) {
      onAbort();
      return;
    }
    signal.addEventListener('abort', onAbort);
    stream.end(body);
  });
