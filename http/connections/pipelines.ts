import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The requests of one connection. */
interface Pipeline {
  /** whether the operating system has not yet accepted the whole response to the current request */
  isBusy: boolean;
  waiting: [IncomingMessage, ServerResponse][];
}

/**
 * Milliseconds for which an idle connection stays open. Responses announce five seconds (`Keep-Alive: timeout=5`, the
 * default of Node.js). The margin is for busy machines: without it, a client could send its next request just when the
 * connection is being closed, and would get a reset.
 */
export const IDLE_TIMEOUT_MS = 8_000;

/**
 * Passes on the next request of a connection when the operating system has accepted the whole response to the previous
 * one. So a client that pipelines requests without reading responses (RFC 9112, 9.3.2) has at most one response in
 * memory.
 *
 * @param most maximum number of pipelined requests per connection; a client that sends more is disconnected
 */
export const serialPerConnection = (most: number, next: RequestListener): RequestListener => {
  const pipelines = new WeakMap<Socket, Pipeline>();
  const pipelineOf = (socket: Socket): Pipeline => {
    const known = pipelines.get(socket);
    if (known) return known;
    const pipeline: Pipeline = { isBusy: false, waiting: [] };
    pipelines.set(socket, pipeline);
    return pipeline;
  };

  const pass = (socket: Socket, pipeline: Pipeline, request: IncomingMessage, response: ServerResponse): void => {
    pipeline.isBusy = true;
    response.on('close', () => {
      pipeline.isBusy = false;
      const following = pipeline.waiting.shift();
      if (!following) {
        // Overrides the timeout that Node.js has set. The next request clears the timeout.
        if (!socket.destroyed) socket.setTimeout(IDLE_TIMEOUT_MS);
        return;
      }
      if (socket.destroyed) {
        pipeline.waiting = [];
        return;
      }
      if (pipeline.waiting.length === 0) socket.resume();
      pass(socket, pipeline, ...following);
    });
    next(request, response);
  };

  return (request, response) => {
    const { socket } = request;
    // After a connection was closed, Node.js still parses the data that it has already read. Such requests are ignored.
    if (socket.destroyed) return;
    const pipeline = pipelineOf(socket);
    if (!pipeline.isBusy) {
      pass(socket, pipeline, request, response);
      return;
    }
    if (pipeline.waiting.length + 1 >= most) {
      pipeline.waiting = [];
      socket.destroy();
      return;
    }
    pipeline.waiting.push([request, response]);
    // While the socket is paused, unread requests stay in the buffers of the operating system and of the client.
    if (pipeline.waiting.length === 1) socket.pause();
  };
};
