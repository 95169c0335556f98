import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** A request with a fake connection and response that the test controls. */
export interface PendingResponse {
  request: IncomingMessage;
  response: ServerResponse;
  socket: { destroyed: boolean; bytesWritten: number; writableLength: number; _handle: { writeQueueSize: number } };
  /** Completes the response for the application. The last `unread` bytes wait until the client reads them. */
  end: (unread?: number) => void;
  /** Writes this many bytes for the application. They wait until the client reads them. */
  write: (bytes: number) => void;
  /** Reads this many bytes for the client, by default all. Reading all bytes of a complete response closes it. */
  take: (bytes?: number) => void;
  /** Disconnects the client. */
  leave: () => void;
}

export const createPendingResponse = (url = '/'): PendingResponse => {
  const socket = {
    destroyed: false,
    bytesWritten: 0,
    writableLength: 0,
    _handle: { writeQueueSize: 0 },
    destroy: () => {
      socket.destroyed = true;
      response.emit('close');
    },
  };
  const request = { url, socket, complete: true };
  const response = Object.assign(new EventEmitter(), { req: request, headersSent: false, writableEnded: false });
  const write = (bytes: number): void => {
    socket.bytesWritten += bytes;
    socket.writableLength += bytes;
    response.headersSent = true;
  };
  return {
    request: request as unknown as IncomingMessage,
    response: response as unknown as ServerResponse,
    socket,
    leave: () => {
      socket.destroy();
    },
    write,
    end: (unread = 0) => {
      write(unread);
      response.writableEnded = true;
      response.emit('prefinish');
    },
    take: (bytes = socket.writableLength) => {
      socket.writableLength -= bytes;
      if (response.writableEnded && socket.writableLength === 0) response.emit('close');
    },
  };
};
