import { createRequire } from 'node:module';
import type { Socket } from 'node:net';

/** The driver's connection: what is used of it is private, and its version is pinned. */
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
 * Lets commands fail whose connection is closed while their socket still takes them in. The driver (7.8.0, 7.9.0 too)
 * waits then for `drain` or an error of the socket, of which a closed one has neither: such a command, and whatever is
 * done after it, would wait for ever. Applies to the whole process from now on.
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
