import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The requests of one connection. */
interface Pipeline {
  /** whether a request was passed on whose response has not been taken yet */
  isBusy: boolean;
  waiting: [IncomingMessage, ServerResponse][];
}

/**
 * How long an idle connection is kept, milliseconds. Responses promise five seconds (`Keep-Alive: timeout=5`, Node.js's
 * default): a client that keeps to it, on a busy machine, must not send its next request into a connection that is
 * being closed at that moment, and get a reset for an answer.
 */
export const KEPT_MS = 8_000;

/**
 * Passes on the next request of a connection when the system has taken the whole response to the previous one: a
 * client that sends requests and reads no responses (pipelining, RFC 9112, 9.3.2) has one response in memory at most.
 *
 * @param most requests of one connection at once; a client that sends more is cut off
 */
export const inTurn = (most: number, next: RequestListener): RequestListener => {
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
        // Node.js has set the time that it promised, which the next request ends.
        if (!socket.destroyed) socket.setTimeout(KEPT_MS);
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
    // Node.js parses to the end what it has read from a connection that was cut off meanwhile.
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
    // What follows waits at the client.
    if (pipeline.waiting.length === 1) socket.pause();
  };
};
