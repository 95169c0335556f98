import { createRequire } from 'node:module';
import type { Socket } from 'node:net';

/** The private parts of the driver's connection that are used here; its version is pinned. */
interface Connection {
  socket: Socket;
  /** why it was closed */
  error: Error | null;
  onClose: () => void;
}

const { Connection: driver } = createRequire(import.meta.url)('mongodb/lib/cmap/connection.js') as {
  Connection: { prototype: Connection };
};

let done = false;

/**
 * Makes commands fail when their connection is closed while the socket still accepts data. The driver (7.8.0, and
 * 7.9.0) then waits for `drain` or an error of the socket, neither of which a closed socket emits: the command, and
 * everything after it, would wait for ever. Applies to the whole process from now on.
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
