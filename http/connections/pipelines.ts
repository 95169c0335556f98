import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The requests of one connection. */
interface Pipeline {
  /** whether the response to the current request has not been fully handed to the system yet */
  isBusy: boolean;
  waiting: [IncomingMessage, ServerResponse][];
}

/**
 * How long an idle connection stays open, milliseconds. Responses announce five seconds (`Keep-Alive: timeout=5`, the
 * default of Node.js). The margin prevents that, on a busy machine, a client sends its next request into a connection
 * that is just being closed, and gets a reset.
 */
export const IDLE_TIMEOUT_MS = 8_000;

/**
 * Passes on the next request of a connection when the whole response to the previous one has been handed to the system.
 * So a client that pipelines requests without reading responses (RFC 9112, 9.3.2) has at most one response in memory.
 *
 * @param most maximum of pipelined requests per connection; a client that sends more is disconnected
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
        // Replaces the timeout that Node.js has set; the next request clears it.
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
    // Node.js finishes parsing data that it has read from a connection closed in the meantime.
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
    // Further requests stay in the client's buffers.
    if (pipeline.waiting.length === 1) socket.pause();
  };
};
