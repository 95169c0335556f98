import { createRequire } from 'node:module';
import type { Socket } from 'node:net';

/** Private parts of the driver's connection. The version of the driver is pinned. */
interface Connection {
  socket: Socket;
  /** why the connection was closed */
  error: Error | null;
  onClose: () => void;
}

const { Connection: driver } = createRequire(import.meta.url)('mongodb/lib/cmap/connection.js') as {
  Connection: { prototype: Connection };
};

let done = false;

/**
 * Makes a command fail if its connection is closed while the command is being written to the socket. Without this
 * change, the driver (7.8.0 and 7.9.0) waits for the socket's event `drain` or `error`. A closed socket emits neither
 * event, so the command and all later commands would wait for ever. The change applies to the whole process, from this
 * call on.
 */
export const failWithClosedConnections = (): void => {
  if (done) return;
  done = true;
  const { onClose } = driver.prototype;
  driver.prototype.onClose = function () {
    onClose.call(this);
    if (this.socket.listenerCount('drain') > 0) this.socket.emit('error', this.error);
  };
};
